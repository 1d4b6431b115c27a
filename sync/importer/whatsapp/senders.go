package whatsapp

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxNames bounds the names that are counted in one file. The largest groups
// have 1,024 members; prose before a colon in system lines makes up the rest.
const maxNames = 20_000

// maxName bounds a sender in bytes; contacts' names can be long, sentences are
// longer.
const maxName = 160

// names counts what stands before the first colon of each header's text, so
// that a sender is told from a sentence with a colon by coming again.
type names struct {
	seen map[string]*nameCount
}

type nameCount struct {
	n int
	// longer counts what stands before the second colon: a name that contains
	// a colon is always followed by the same.
	longer map[string]int
}

// maxLonger bounds the longer names that are counted for one name.
const maxLonger = 4

func (n *names) add(rest string) {
	name, second := firstColons(rest)
	if name == "" {
		return
	}
	if n.seen == nil {
		n.seen = map[string]*nameCount{}
	}
	c := n.seen[name]
	if c == nil {
		if len(n.seen) >= maxNames {
			return
		}
		c = &nameCount{}
		n.seen[name] = c
	}
	c.n++
	if second == "" || c.n > 1 && c.longer == nil {
		c.longer = nil
		return
	}
	if c.longer == nil {
		c.longer = map[string]int{}
	}
	if _, ok := c.longer[second]; !ok && len(c.longer) == maxLonger {
		c.longer = nil
		return
	}
	c.longer[second]++
}

// firstColons returns what stands before the first and the second colon that
// could end a sender's name.
func firstColons(rest string) (first, second string) {
	i := colon(rest, 0)
	if i <= 0 || i > maxName {
		return "", ""
	}
	first = cleanName(rest[:i])
	if j := colon(rest, i+1); j > 0 && j <= maxName {
		second = cleanName(rest[:j])
	}
	return first, second
}

// colon finds the next colon at or after from that is followed by a blank, a
// mark or the end of the line.
func colon(s string, from int) int {
	for i := from; i < len(s) && i <= maxName; i++ {
		if s[i] != ':' {
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i+1:])
		if n == 0 || isBlank(r) || isMark(r) || r == '\r' || r == '\n' {
			return i
		}
	}
	return -1
}

// cleanName takes direction marks and outer blanks off a sender. The rest,
// "~ " of an unsaved contact included, is as the export gives it.
func cleanName(s string) string {
	s = strings.TrimSpace(stripMarks(s))
	return strings.Map(func(r rune) rune {
		if isBlank(r) {
			return ' '
		}
		return r
	}, s)
}

func (n *names) count(name string) int {
	if c := n.seen[name]; c != nil {
		return c.n
	}
	return 0
}

// split parts what follows a header into sender and text. A system line has no
// sender. unsure says that a sentence with a colon was read as a system line.
func (n *names) split(rest string) (sender, text string, unsure bool) {
	i := colon(rest, 0)
	if i <= 0 || i > maxName {
		// "Anna:." has no blank after the colon; a known name decides.
		if i = strings.IndexByte(rest, ':'); i > 0 && i <= maxName {
			name := cleanName(rest[:i])
			if n.count(name) > 0 || nameForm(name) {
				return name, rest[i+1:], false
			}
		}
		return "", rest, false
	}
	name := cleanName(rest[:i])
	if c := n.seen[name]; c != nil && c.n >= 3 && n.alwaysLonger(c) {
		if j := colon(rest, i+1); j > 0 {
			name, i = cleanName(rest[:j]), j
		}
	} else if ok, sure := n.isName(name); !ok {
		return "", rest, !sure
	}
	return name, afterColon(rest[i+1:]), false
}

// alwaysLonger reports whether each use of a name went on to one of a few
// longer names, each of which came again.
func (n *names) alwaysLonger(c *nameCount) bool {
	sum := 0
	for _, k := range c.longer {
		if k < 2 {
			return false
		}
		sum += k
	}
	return sum == c.n
}

// afterColon drops the one blank that belongs to the header.
func afterColon(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n > 0 && isBlank(r) {
		return s[n:]
	}
	return s
}

// isName reports whether what stands before a colon is a sender rather than
// the beginning of a sentence that the app wrote; sure is false where only its
// length spoke.
func (n *names) isName(s string) (ok, sure bool) {
	count := n.count(s)
	words := len(strings.Fields(s))
	switch {
	case s == "":
		return false, true
	case count >= 5:
		return true, true
	case openQuote(s):
		return false, true
	case nameForm(s):
		return true, true
	case n.continues(s):
		return false, count < 2
	case words >= 7, words >= 5 && strings.ContainsAny(s, ",;!?。、"), utf8.RuneCountInString(s) > 80:
		return count >= 3, false
	}
	return true, true
}

// nameForm reports whether s can only be a sender: a number, or the "~" of a
// contact that is not saved.
func nameForm(s string) bool {
	if strings.HasPrefix(s, "~") {
		return true
	}
	digits := 0
	for _, r := range s {
		switch _, is := digit(r); {
		case is:
			digits++
		case !strings.ContainsRune("+-().\u2010\u2011\u2012\u2013", r) && !isBlank(r):
			return false
		}
	}
	return digits >= 5
}

// openQuote reports whether a quotation begins in s and does not end: the
// colon stands inside the name of a group.
func openQuote(s string) bool {
	straight := strings.Count(s, `"`)
	pairs := strings.Count(s, "“") + strings.Count(s, "«") + strings.Count(s, "„") + strings.Count(s, "「") + strings.Count(s, "『")
	ends := strings.Count(s, "”") + strings.Count(s, "»") + strings.Count(s, "」") + strings.Count(s, "』")
	if strings.Contains(s, "„") {
		// German quotations end with the sign that begins English ones.
		pairs -= strings.Count(s, "“")
		ends += strings.Count(s, "“")
	}
	return straight%2 == 1 || pairs > ends
}

// continues reports whether s begins with a known sender and goes on like a
// sentence: "Anna changed the description to".
func (n *names) continues(s string) bool {
	for i, r := range s {
		if i == 0 || !isBlank(r) && !wide(r) {
			continue
		}
		if n.count(s[:i]) < 2 {
			continue
		}
		if wide(r) {
			return utf8.RuneCountInString(s[i:]) >= 4
		}
		more := strings.Fields(s[i:])
		capitals := 0
		for _, w := range more {
			if r, _ := utf8.DecodeRuneInString(w); unicode.IsUpper(r) {
				capitals++
			}
		}
		// "Anna Lena Maria von der Heide" is a name.
		return len(more) >= 3 && capitals*2 < len(more)
	}
	return false
}

// wide reports whether r is of a script that writes no blanks between words.
func wide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
