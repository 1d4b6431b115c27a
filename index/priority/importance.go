package priority

// byKind is the importance of a claim that nobody rated, by its kind: what the
// person lives by and what binds them counts most, what merely happened least.
var byKind = map[string]float64{
	"policy": 0.9, "value": 0.9, "constraint": 0.8, "goal": 0.8, "correction": 0.8,
	"decision": 0.7, "identity": 0.7, "preference": 0.6, "relationship": 0.6,
	"task": 0.5, "event": 0.4, "definition": 0.3, "entity": 0.3,
}

// otherKind is the importance of a kind that is not in the table.
const otherKind = 0.4

// Importance is a claim's: the rating where there is one (0 to 1; negative for
// none), else that of its kind.
func Importance(kind string, rating float64) float64 {
	if rating >= 0 {
		return unit(rating)
	}
	if v, ok := byKind[kind]; ok {
		return v
	}
	return otherKind
}

// OfSession is a session's importance: the rating where there is one, else how
// much was said in it (salience) or felt (valence from -1 to 1, arousal),
// whichever is most.
func OfSession(rating, salience, valence, arousal float64) float64 {
	if rating >= 0 {
		return unit(rating)
	}
	return max(unit(salience), unit(valence), unit(-valence), unit(arousal))
}
