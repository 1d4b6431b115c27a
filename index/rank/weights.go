package rank

// Weights tune the score. They were chosen for what holds across conversations
// between people, with assistants, and plain notes alike; docs/retrieval.md
// shows on every family what each brings.
type Weights struct {
	// Relevance, Importance, Pin, Recency and Superseded weigh the parts of the
	// final score, each of which runs from 0 to 1.
	Relevance, Importance, Pin, Recency, Superseded float64
	// Newest multiplies Recency where the query asks for what holds now.
	Newest float64
	// RecencyDays is the age at which recency has fallen to 1/e.
	RecencyDays float64

	// Keyword and Vector are the two sides' shares of relevance in hybrid search.
	Keyword, Vector float64
	// Feedback is the share of a query's vector that the best of a first answer
	// take where it asks for the course of something.
	Feedback float64
	// Contrast is the power of a list's contrast in its side's share: the less the
	// best of a list stands out, the less its votes count.
	Contrast float64
	// K is the constant of reciprocal rank fusion.
	K float64

	// K1 and B are BM25's: how soon repetition stops to count, and how much long
	// texts are held back.
	K1, B float64
	// Related scales the weight of terms of like meaning.
	Related float64

	// Near are the shares of evidence that a chunk gets from those one and two
	// places away in its note.
	Near [2]float64
	// Answer multiplies the first share for a turn that follows a question.
	Answer float64
	// Note is the share of the best evidence that a chunk gets for being in the
	// best note.
	Note float64
	// Context is the length in terms beyond which a chunk gets less from its
	// neighbours and its note: it speaks for itself.
	Context float64

	// Substance is the length in terms from which on a chunk's evidence counts
	// in full: "Wow, thanks!" is rarely what is sought.
	Substance float64
	// Speaker raises what a person named in the query said, Self what the user
	// said where the query asks in the first person, or what the assistant said
	// where it asks for that.
	Speaker, Self float64
	// Tells raises, where the query asks about a person, every turn in which
	// somebody speaks of themselves.
	Tells float64
	// Time raises what was said in or soon after a time that the query names.
	Time float64
	// Within is the evidence, as a share of the best, that being said in such a
	// time is worth by itself. It is all of it where the query names nothing else:
	// "what did I do last Tuesday?"
	Within float64
	// Directive raises standing instructions: what the person said once to be
	// remembered always. Questions for the course of something leave them be.
	Directive float64
	// Standing is the evidence, as a share of the best, that being a standing
	// instruction or a preference is worth by itself where the query asks for help,
	// if that is not less than what enough others have.
	Standing float64
}

// DefaultWeights returns the weights used where a Query has none.
func DefaultWeights() Weights {
	return Weights{
		Relevance: 1, Importance: 0.05, Pin: 0.05, Recency: 0.01, Superseded: 0.3,
		Newest: 5, RecencyDays: 120,
		Keyword: 0.65, Vector: 0.35, Feedback: 0.5, Contrast: 0.75, K: 60,
		K1: 1.2, B: 0.75, Related: 1,
		Near: [2]float64{0.3, 0.15}, Answer: 2, Note: 0.4, Context: 120,
		Substance: 20, Speaker: 0.4, Self: 0.6, Tells: 0.2, Time: 1.5, Within: 0.1, Directive: 1, Standing: 0.4,
	}
}
