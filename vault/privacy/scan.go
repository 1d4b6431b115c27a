package privacy

import (
	"sort"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A scan is what one pass over a text finds: words of the lexicon, numbers,
// and at-signs. Most texts have none that matter, and are done with here.
type scan struct {
	text    string
	hits    []hit
	numbers []number
	ats     []int
	groups  []group
	digits  []byte // ASCII digits of all groups, in order
	marks   []Mark
}

// A number is a run of digit groups, each joined to the next by one separator.
type number struct {
	start, end int
	first, n   int // groups[first : first+n]
	digits     int
}

// A group is a run of digits of any script. sep is the separator behind it: 0
// at the last one.
type group struct {
	start, end int
	from, n    int // digits[from : from+n]
	sep        rune
}

var scans = sync.Pool{New: func() any { return new(scan) }}

const (
	flagDigit = 0x100
	flagAt    = 0x200
	flagLead  = 0x400 // may begin a digit beyond ASCII
)

var bytesTable = func() (t [256]uint16) {
	for i := range t {
		t[i] = uint16(fold[i])
	}
	for b := '0'; b <= '9'; b++ {
		t[b] |= flagDigit
	}
	t['@'] |= flagAt
	for _, r := range unicode.Nd.R16 {
		mayBegin(&t, rune(r.Lo), rune(r.Hi))
	}
	for _, r := range unicode.Nd.R32 {
		mayBegin(&t, rune(r.Lo), rune(r.Hi))
	}
	return t
}()

func mayBegin(t *[256]uint16, lo, hi rune) {
	for r := lo; r <= hi; r++ {
		if r >= utf8.RuneSelf {
			t[string(r)[0]] |= flagLead
		}
	}
}

// run fills s from text.
func (s *scan) run(l *lexicon, text string) {
	s.text = text
	s.hits, s.numbers, s.ats = s.hits[:0], s.numbers[:0], s.ats[:0]
	s.groups, s.digits, s.marks = s.groups[:0], s.digits[:0], s.marks[:0]
	var h uint32
	for i := 0; i < len(text); i++ {
		f := bytesTable[text[i]]
		h = (h<<6 ^ uint32(f&0xff)) & (1<<hashBits - 1)
		if l.filter[h>>6]&(1<<(h&63)) != 0 && i >= 2 {
			if w, ok := l.match(text, i-2, h); ok {
				if k := len(s.hits); k == 0 || s.hits[k-1].end < w.end {
					s.hits = append(s.hits, w)
				}
			}
		}
		if f < flagDigit {
			continue
		}
		switch {
		case f&flagAt != 0:
			s.ats = append(s.ats, i)
		case f&flagDigit != 0:
			i, h = s.pass(l, i)
		default:
			if _, n := digitAt(text, i); n > 0 {
				i, h = s.pass(l, i)
			}
		}
	}
	// A word of two letters needs a byte behind it; the text may end there.
	if n := len(text); n >= 2 {
		h = trigram(fold[text[n-2]], fold[text[n-1]], ' ')
		if w, ok := l.match(text, n-2, h); ok && w.end == n && (len(s.hits) == 0 || s.hits[len(s.hits)-1].end < n) {
			s.hits = append(s.hits, w)
		}
	}
	if s.empty() || strings.IndexByte(text, '[') < 0 {
		return
	}
	s.marks = appendMarks(s.marks, text)
	if len(s.marks) > 0 {
		s.dropMarked()
	}
}

func (s *scan) empty() bool { return len(s.hits) == 0 && len(s.numbers) == 0 && len(s.ats) == 0 }

// marked reports whether [start, end) touches a mark.
func (s *scan) marked(start, end int) bool {
	i := sort.Search(len(s.marks), func(i int) bool { return s.marks[i].End > start })
	return i < len(s.marks) && s.marks[i].Start < end
}

// dropMarked forgets what was found inside marks, so that a mark is never a
// context word or a number itself.
func (s *scan) dropMarked() {
	hits := s.hits[:0]
	for _, w := range s.hits {
		if !s.marked(w.start, w.end) {
			hits = append(hits, w)
		}
	}
	s.hits = hits
	numbers := s.numbers[:0]
	for _, n := range s.numbers {
		if !s.marked(n.start, n.end) {
			numbers = append(numbers, n)
		}
	}
	s.numbers = numbers
}

// number reads the number that starts at i and returns where it ends. Numbers of
// less than three digits are passed over.
func (s *scan) number(i int) int {
	n := number{start: i, first: len(s.groups)}
	from := len(s.digits)
	for {
		g := group{start: i, from: len(s.digits)}
		for {
			d, size := digitAt(s.text, i)
			if size == 0 {
				break
			}
			s.digits = append(s.digits, d)
			i += size
		}
		g.end, g.n = i, len(s.digits)-g.from
		n.end, n.digits = i, n.digits+g.n
		sep, size := utf8.DecodeRuneInString(s.text[i:])
		joined := false
		if separates(sep) {
			_, k := digitAt(s.text, i+size)
			joined = k > 0
		}
		if joined {
			g.sep = sep
		}
		s.groups = append(s.groups, g)
		n.n++
		if !joined {
			break
		}
		i += size
	}
	if n.digits < 3 {
		s.groups, s.digits = s.groups[:n.first], s.digits[:from]
		return n.end
	}
	s.numbers = append(s.numbers, n)
	return n.end
}

// pass reads the number at i and returns its last byte and the hash there. Keys
// may begin inside a number ("v1.0-"), so words are looked for in it too.
func (s *scan) pass(l *lexicon, i int) (int, uint32) {
	last := s.number(i) - 1
	var h uint32
	for k := max(0, i-2); k <= last; k++ {
		h = (h<<6 ^ uint32(fold[s.text[k]])) & (1<<hashBits - 1)
		if k > i && k >= 2 && l.filter[h>>6]&(1<<(h&63)) != 0 {
			if w, ok := l.match(s.text, k-2, h); ok {
				if n := len(s.hits); n == 0 || s.hits[n-1].end < w.end {
					s.hits = append(s.hits, w)
				}
			}
		}
	}
	return last, h
}

// separates reports whether r may stand between the digit groups of one number.
func separates(r rune) bool {
	switch r {
	case ' ', '-', '.', '\u00a0', '\u2007', '\u2009', '\u202f', '\u2010', '\u2011', '\u2012', '\u2013', '\u3000', '\uff0d':
		return true
	}
	return false
}

// spacing folds separators to a space, a dash or a dot.
func spacing(r rune) rune {
	switch r {
	case 0, '.':
		return r
	case '-', '\u2010', '\u2011', '\u2012', '\u2013', '\uff0d':
		return '-'
	}
	return ' '
}

// digitAt returns the ASCII digit for the digit of any script at s[i:], and its
// size in bytes: 0 where there is none.
func digitAt(s string, i int) (byte, int) {
	if i >= len(s) {
		return 0, 0
	}
	b := s[i]
	if b < utf8.RuneSelf {
		if b-'0' <= 9 {
			return b, 1
		}
		return 0, 0
	}
	if bytesTable[b]&flagLead == 0 {
		return 0, 0
	}
	// Letters of the scripts that share a first byte with digits are told apart
	// before anything is decoded.
	switch {
	case i+1 >= len(s):
		return 0, 0
	case b == 0xD9 && s[i+1]-0xA0 > 9, b == 0xDB && s[i+1]-0xB0 > 9: // Arabic, Persian
		return 0, 0
	case b == 0xE0 && (s[i+1]&1 == 0 && s[i+1] != 0xBC || i+2 >= len(s) || s[i+2] < 0x90): // India, Thai, Lao, Tibetan
		return 0, 0
	case b == 0xEF && s[i+1] != 0xBC: // full width
		return 0, 0
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	if r >= 0x3000 && r < 0xA620 || !unicode.Is(unicode.Nd, r) {
		return 0, 0
	}
	// Every script's digits are ten in a row; the first one is found by looking back.
	d := byte(0)
	for d < 9 && unicode.Is(unicode.Nd, r-1) && !startsDigits(r) {
		r--
		d++
	}
	return '0' + d, size
}

// startsDigits reports whether r is the zero of a script, where digits of two
// scripts are neighbours in Unicode (the mathematical digits).
func startsDigits(r rune) bool {
	return r >= 0x1D7CE && r <= 0x1D7FF && (r-0x1D7CE)%10 == 0
}

// text of a span of groups as ASCII digits.
func (s *scan) ascii(gs []group) string {
	from := gs[0].from
	last := gs[len(gs)-1]
	return string(s.digits[from : last.from+last.n])
}

func (s *scan) groupsOf(n number) []group { return s.groups[n.first : n.first+n.n] }
