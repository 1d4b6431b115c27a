package merge

import (
	"bytes"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// lines cuts text after every newline. The pieces joined give the text again; a
// last line without a newline is a piece of its own, and differs from the same
// line with one.
func lines(text []byte) [][]byte {
	out := make([][]byte, 0, bytes.Count(text, []byte{'\n'})+1)
	for len(text) > 0 {
		end := bytes.IndexByte(text, '\n') + 1
		if end == 0 {
			end = len(text)
		}
		out = append(out, text[:end:end])
		text = text[end:]
	}
	return out
}

// A hunk says that lines [aStart, aEnd) of one text became lines [bStart, bEnd)
// of the other. Hunks come in order, and between two of them lies at least one
// line that both texts share.
type hunk struct {
	aStart, aEnd int
	bStart, bEnd int
}

// compare returns the hunks that turn a into b: a shortest line script (Myers),
// with each hunk slid to where git would show it.
func compare(a, b [][]byte) []hunk {
	x, y := number(a, b)
	s := &script{a: x, b: y, goneA: make([]bool, len(x)), newB: make([]bool, len(y))}
	s.match()
	slide(s.a, s.goneA, s.newB)
	slide(s.b, s.newB, s.goneA)
	return s.hunks()
}

// number gives equal lines equal numbers, so that comparing lines is comparing
// integers.
func number(a, b [][]byte) (x, y []int) {
	seen := make(map[string]int, len(a)+len(b)/4)
	assign := func(in [][]byte) []int {
		out := make([]int, len(in))
		for i, line := range in {
			n, ok := seen[string(line)]
			if !ok {
				n = len(seen)
				seen[string(line)] = n
			}
			out[i] = n
		}
		return out
	}
	return assign(a), assign(b)
}

// A script marks, line by line, what of a is gone and what of b is new. The
// lines left unmarked are the same on both sides, in order.
type script struct {
	a, b        []int
	goneA, newB []bool
}

// match marks the changed lines. Lines that only one side has cannot be matched
// and are marked before the search, which is what keeps the search fast on
// texts with little in common.
func (s *script) match() {
	start := 0
	for start < len(s.a) && start < len(s.b) && s.a[start] == s.b[start] {
		start++
	}
	endA, endB := len(s.a), len(s.b)
	for endA > start && endB > start && s.a[endA-1] == s.b[endB-1] {
		endA--
		endB--
	}
	keptA := shared(s.a, start, endA, s.b[start:endB], s.goneA)
	keptB := shared(s.b, start, endB, s.a[start:endA], s.newB)
	s.search(keptA, keptB)
}

// shared lists the positions in from[start:end] whose line also occurs in other,
// and marks the rest.
func shared(from []int, start, end int, other []int, marked []bool) []int {
	has := make(map[int]bool, len(other))
	for _, n := range other {
		has[n] = true
	}
	var kept []int
	for i := start; i < end; i++ {
		if has[from[i]] {
			kept = append(kept, i)
		} else {
			marked[i] = true
		}
	}
	return kept
}

// search runs the library's Myers search over the kept lines and marks what it
// finds deleted and inserted.
func (s *script) search(keptA, keptB []int) {
	code := make(map[int]rune, len(keptA))
	left, okA := encode(s.a, keptA, code)
	right, okB := encode(s.b, keptB, code)
	if !okA || !okB {
		for _, i := range keptA {
			s.goneA[i] = true
		}
		for _, i := range keptB {
			s.newB[i] = true
		}
		return
	}
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = 0 // no clock and no half-match guess: the same input gives the same script
	i, j := 0, 0
	for _, d := range dmp.DiffMainRunes(left, right, false) {
		n := utf8.RuneCountInString(d.Text)
		if d.Type != diffmatchpatch.DiffInsert {
			if d.Type == diffmatchpatch.DiffDelete {
				for _, at := range keptA[i : i+n] {
					s.goneA[at] = true
				}
			}
			i += n
		}
		if d.Type != diffmatchpatch.DiffDelete {
			if d.Type == diffmatchpatch.DiffInsert {
				for _, at := range keptB[j : j+n] {
					s.newB[at] = true
				}
			}
			j += n
		}
	}
}

// encode writes each kept line as one rune, since the library compares runes.
// Surrogates are no runes and are stepped over. It reports false when there are
// more distinct lines than runes, about 1.1 million.
func encode(line, kept []int, code map[int]rune) ([]rune, bool) {
	out := make([]rune, len(kept))
	for i, at := range kept {
		r, ok := code[line[at]]
		if !ok {
			r = rune(len(code))
			if r >= 0xD800 {
				r += 0x800
			}
			if r > utf8.MaxRune {
				return nil, false
			}
			code[line[at]] = r
		}
		out[i] = r
	}
	return out, true
}

// hunks turns the marks into hunks.
func (s *script) hunks() []hunk {
	var out []hunk
	for i, j := 0, 0; i < len(s.a) || j < len(s.b); {
		h := hunk{aStart: i, bStart: j}
		for i < len(s.a) && s.goneA[i] {
			i++
		}
		for j < len(s.b) && s.newB[j] {
			j++
		}
		if i > h.aStart || j > h.bStart {
			h.aEnd, h.bEnd = i, j
			out = append(out, h)
			continue
		}
		i++
		j++
	}
	return out
}
