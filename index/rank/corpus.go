// Package rank orders the chunks of a corpus for a query.
//
// It is pure: it gets the corpus as columns, the postings of the query's terms
// and the cosine of every chunk with the query, and returns hits whose scores
// are taken apart into named parts. It reads no file and asks no clock.
//
// A chunk is rarely found by its own words alone. "Three times a week!" answers
// the question in the turn before it, so keyword and vector evidence both spread
// over the neighbours in a conversation, more so from a question to its answer,
// and the whole conversation vouches for its turns. Words of like meaning count
// a part of the word itself. Both kinds of evidence are fused by reciprocal
// rank, each vote weighed by its strength; people and times that the query names,
// importance, pins, recency and being superseded adjust what comes out, and of
// near-identical hits one stays. docs/retrieval.md explains each part and
// measures what it brings.
package rank

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
	// Question marks a turn that asks something: what Asks says of its text.
	Question
	// Directive marks a standing instruction: what Directs says of its text.
	Directive
	// Preference marks what Prefers says of a text.
	Preference
	// Personal marks what Tells says of a text.
	Personal
)

// A Corpus holds one row a chunk, in columns of equal length. Chunks of one note
// are consecutive and in order. Optional columns may be nil.
type Corpus struct {
	// Note is the ordinal of the chunk's note, counted from 0: a conversation, a
	// ledger, a page.
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

// notes returns the number of notes.
func (c *Corpus) notes() int {
	if len(c.Note) == 0 {
		return 0
	}
	return int(c.Note[len(c.Note)-1]) + 1
}

func (c *Corpus) flag(i int, f Flag) bool { return c.Flags != nil && c.Flags[i]&f != 0 }

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
	// Related are postings of terms of like meaning. Only hybrid search looks at
	// them.
	Related []Related
}

// Related is a term of like meaning. One occurrence counts as Weight occurrences
// of the term itself, Weight being below 1.
type Related struct {
	Text     string
	Weight   float64
	Postings []Posting
}
