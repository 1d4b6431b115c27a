package rank

import (
	"strings"
	"time"
)

// A Mode says which evidence counts.
type Mode int

const (
	// Hybrid fuses keywords and vectors.
	Hybrid Mode = iota
	// Keyword looks at the words of the query alone.
	Keyword
	// Vector looks at cosines alone.
	Vector
)

func (m Mode) String() string { return [...]string{"hybrid", "keyword", "vector"}[m] }

// A Query is what a search asks of a corpus.
type Query struct {
	// Text is the query as the person wrote it; people and times are read from it.
	Text string
	// Terms are its lexical terms with their postings.
	Terms []Term
	// Cosine holds the cosine of every chunk with the query, NaN for a chunk
	// that has no vector. Nil means that there are no vectors at all.
	Cosine []float32
	// Near returns the cosine of every chunk with the mean of the vectors at some
	// positions. It is asked at most once, where the query seeks the course of
	// something. Nil does without.
	Near func(pos []int32) []float32
	// Mode says which evidence counts.
	Mode Mode
	// Now is the time to which "last week" and recency refer. Zero means the
	// newest time in the corpus.
	Now time.Time
	// Filter keeps a chunk if it returns true; it must be safe for concurrent
	// use. Nil keeps all. What it drops
	// still vouches for its neighbours.
	Filter func(pos int32) bool
	// TermsOf returns the terms of a chunk; it is asked for the best hits only,
	// to collapse near-identical ones. Nil keeps them all.
	TermsOf func(pos int32) []string
	// Ahead, where it is set, is told which chunks TermsOf will be asked for, so
	// that they can be read at once.
	Ahead func(pos []int32)
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
	// Same are the positions of near-identical hits that were collapsed into
	// this one, best first.
	Same []int32
}

// Parts explains a score.
type Parts struct {
	// Keyword is the chunk's own BM25 score and Cosine its own cosine.
	Keyword, Cosine float64
	// Coverage is the share of the query's keyword weight that the chunk itself
	// holds, 0 to 1: what tells a good best hit from the least bad one.
	Coverage float64
	// KeywordRank and VectorRank are the places in the two lists, after what
	// neighbours, people and times did, counted from 1; 0 is beyond their depth.
	KeywordRank, VectorRank int
	// Speaker and Time are the factors by which a person and a time that the
	// query names raised the evidence; 1 where they did nothing.
	Speaker, Time float64
	// Relevance is the fused evidence, 0 to 1, times its weight. Importance,
	// Pin, Recency and Superseded are what each added to it. They sum up to the
	// score.
	Relevance, Importance, Pin, Recency, Superseded float64
}

// Asks says whether a turn's text asks something, in any script.
func Asks(text string) bool {
	for i, r := range text {
		switch r {
		case '?':
			// A "?" inside a word, as in a URL, asks nothing.
			if i+1 == len(text) || text[i+1] <= ' ' || text[i+1] >= 0x80 || strings.IndexByte(")\"'!?*_.", text[i+1]) >= 0 {
				return true
			}
		case '？', '؟', '՞', '\u037e':
			return true
		}
	}
	return false
}
