// Package rank orders the chunks of a corpus for a query.
//
// It is pure: it gets the corpus as columns, the postings of the query's terms
// and the cosine of every chunk with the query, and returns hits whose scores
// are taken apart into named parts. It reads no file and asks no clock.
//
// A chunk is rarely found by its own words alone. "Yes, last summer!" answers a
// question that the turn before it asks, so keyword and vector evidence both
// spread over the neighbours in a conversation, and the whole conversation
// vouches for its turns. Both kinds of evidence are then fused by reciprocal
// rank, each vote weighed by its strength; names, times, importance, pins,
// recency and being superseded adjust what came out. docs/retrieval.md explains
// each part and measures what it brings.
package rank

import "time"

// A Flag marks chunks that the score treats apart.
type Flag uint8

const (
	// Superseded marks a claim that a newer one replaces.
	Superseded Flag = 1 << iota
	// Pinned marks what the person or the system holds in place.
	Pinned
	// Branch marks a turn off its conversation's active path.
	Branch
	// Assistant marks what an assistant said.
	Assistant
	// Question marks a turn that asks something.
	Question
)

// A Corpus holds one row a chunk, in columns of equal length. Chunks of one note
// are consecutive and in order. Optional columns may be nil.
type Corpus struct {
	// Note is the ordinal of the chunk's note: a conversation, a ledger, a page.
	Note []int32
	// Turn is the ordinal of the chunk's turn or section inside its note. The
	// chunks of one long turn share it. Optional: every chunk is its own turn.
	Turn []int32
	// Len is the number of terms of the chunk, AvgLen the mean of Len.
	Len    []int32
	AvgLen float64
	// Speaker is an index into Speakers; Speakers[0] is nobody. Optional.
	Speaker  []int32
	Speakers []string
	// Time is when the chunk was said or is valid, Unix seconds, 0 unknown. Optional.
	Time []int64
	// Flags, Importance and Salience are 0 where nothing is known. Importance
	// and Salience map 0-255 to 0-1. Optional.
	Flags      []Flag
	Importance []uint8
	Salience   []uint8
}

// Size returns the number of chunks.
func (c *Corpus) Size() int { return len(c.Note) }

func (c *Corpus) flag(i int32, f Flag) bool { return c.Flags != nil && c.Flags[i]&f != 0 }

// turn returns a number that the chunks of one turn, and only they, share
// within their note.
func (c *Corpus) turn(i int) int32 {
	if c.Turn == nil {
		return int32(i)
	}
	return c.Turn[i]
}

// A Posting says that a term occurs TF times in the chunk at Pos.
type Posting struct{ Pos, TF int32 }

// A Term is one of the query's terms with its postings in order of position.
type Term struct {
	Text     string
	Postings []Posting
	// Related are postings of terms of like meaning. An occurrence of one counts
	// as Weight occurrences of the term itself. Only hybrid search looks at them.
	Related []Related
}

// Related is a term of like meaning; Weight is below 1.
type Related struct {
	Text     string
	Weight   float64
	Postings []Posting
}

// A Mode says which evidence counts.
type Mode int

const (
	// Hybrid fuses keywords and vectors.
	Hybrid Mode = iota
	// Keyword ignores vectors.
	Keyword
	// Vector ignores keywords.
	Vector
)

func (m Mode) String() string { return [...]string{"hybrid", "keyword", "vector"}[m] }

// A Query is what a search asks of a corpus.
type Query struct {
	// Text is the query as the person wrote it; names and times are read from it.
	Text string
	// Terms are its lexical terms with their postings.
	Terms []Term
	// Cosine holds the cosine of every chunk with the query, NaN for a chunk
	// that has no vector. Nil means that there are no vectors at all.
	Cosine []float32
	// Mode says which evidence counts.
	Mode Mode
	// Now is the time to which "last week" and recency refer. Zero means the
	// newest time in the corpus.
	Now time.Time
	// Filter keeps a chunk if it returns true. Nil keeps all. What it drops
	// still vouches for its neighbours.
	Filter func(pos int32) bool
	// TermsOf returns the terms of a chunk; it is asked for the best hits only,
	// to collapse near-identical ones. Nil keeps them all.
	TermsOf func(pos int32) []string
	// Limit is the number of hits wanted. 0 means 10.
	Limit int
	// Weights tune the score. Nil means DefaultWeights.
	Weights *Weights
}

// A Hit is a chunk with its score and the parts that make it up.
type Hit struct {
	Pos   int32
	Score float64
	Parts Parts
}
