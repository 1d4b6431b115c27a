package rank

// Weights tune the score. They were chosen for what holds across conversations
// of people, of assistants and plain notes; docs/retrieval.md shows what each
// brings on every family.
type Weights struct {
	// Relevance, Importance, Pin, Recency and Superseded weigh the parts of the
	// final score. Relevance runs from 0 to 1 and so do the others.
	Relevance, Importance, Pin, Recency, Superseded float64

	// Lexical and Vector are the two sides' shares of relevance.
	Lexical, Vector float64
	// K is reciprocal rank fusion's constant.
	K float64

	// LexicalNear are the shares of keyword evidence that a chunk gets from the
	// chunks one, two, ... away; LexicalNote the share of the note's own score.
	LexicalNear []float64
	LexicalNote float64
	// VectorNear and VectorNote are the same for vectors.
	VectorNear []float64
	VectorNote float64

	// Reliance is the length in terms at which a chunk relies half on its
	// neighbours and its note; shorter chunks rely on them more.
	Reliance, Substance, Sub0, NameTerm, User, LexPow, VecPow, VecFloor, Answer, Ask float64
	K1, B                                                                            float64

	// Speaker raises what a person named in the query said.
	Speaker float64
	// Time raises what was said in or near a time that the query names.
	Time float64
}

// DefaultWeights returns the weights used where a Query has none.
func DefaultWeights() Weights {
	return Weights{
		Relevance: 1, Importance: 0.05, Pin: 0.05, Recency: 0.02, Superseded: 0.3,
		Lexical: 0.5, Vector: 0.5, K: 60,
		LexicalNear: []float64{0.3, 0.15}, LexicalNote: 0.3,
		VectorNear: []float64{0.3, 0.15}, VectorNote: 0.3,
		Reliance: 80, Substance: 20, Sub0: 10, User: 0.4, NameTerm: 1, LexPow: 1, Answer: 1.5, VecPow: 1, K1: 1.2, B: 0.75,
		Speaker: 0.4, Time: 0.3,
	}
}
