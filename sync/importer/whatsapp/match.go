package whatsapp

import (
	"slices"
	"strings"
	"time"

	"github.com/memsync/memsync/vault"
)

// Match aligns two histories of one chat and returns, for each turn of newer,
// the index of the same message in older, or -1 where it is new.
//
// It is for what ids cannot see: a phone that moved to another time zone, a
// message that was deleted or edited in between. Messages whose id both sides
// have once hold the alignment, then texts that both have once; between these
// anchors equal texts are paired in order, and a single message left on both
// sides of the same minute and sender is the same one, changed.
func Match(older, newer []vault.Turn) []int {
	pairs := make([]int, len(newer))
	for i := range pairs {
		pairs[i] = -1
	}
	m := matcher{older: older, newer: newer, pairs: pairs}
	m.oldKey, m.newKey = keys(older), keys(newer)
	m.align(0, len(older), 0, len(newer), 0)
	m.learnNames()
	for _, r := range m.open {
		m.rest(r[0], r[1], r[2], r[3])
	}
	return pairs
}

type matcher struct {
	older, newer   []vault.Turn
	oldKey, newKey [][2]string
	pairs          []int
	// open are the stretches between anchors, of older and of newer.
	open [][4]int
	// called is what newer calls the senders of older: contacts are renamed.
	called map[string]string
}

// keys are the two names of each turn: its id, and its text without the time.
func keys(turns []vault.Turn) [][2]string {
	out := make([][2]string, len(turns))
	var stats markStats
	for i, t := range turns {
		m := stats.look(t.Sender, t.Text, false, false)
		kind, text := m.kind, m.caption
		if kind == "" {
			for _, f := range t.Flags {
				if f != flagEdited {
					kind, text = f, ""
					break
				}
			}
		}
		out[i] = [2]string{t.MessageID, hash(time.Unix(0, 0), kind, text)}
	}
	return out
}

// Words are what a turn says in any dialect of the export: without direction
// marks, widths of spaces, names of people mentioned and the note that it was
// edited. ok is false where the turn is nobody's words: a line of the app, media
// without a caption, a deleted message.
func Words(t vault.Turn) (words string, ok bool) {
	for _, f := range t.Flags {
		switch f {
		case flagSystem, flagDeleted, flagCall, flagLocation, flagPoll, flagMedia, flagContact:
			return "", false
		}
	}
	text := t.Text
	if slices.Contains(t.Flags, flagEdited) {
		if i := strings.LastIndexByte(text, '<'); i > 0 && strings.HasSuffix(trimMarks(text), ">") {
			text = text[:i]
		}
	}
	return spoken(text, func(r rune) rune { return r }), true
}

// align pairs older[a:b] with newer[c:d], first by ids (key 0), then by texts.
func (m *matcher) align(a, b, c, d, key int) {
	if a >= b || c >= d {
		return
	}
	if key > 1 {
		m.open = append(m.open, [4]int{a, b, c, d})
		return
	}
	anchors := m.anchors(a, b, c, d, key)
	if len(anchors) == 0 {
		m.align(a, b, c, d, key+1)
		return
	}
	for _, p := range anchors {
		m.pairs[p[1]] = p[0]
		m.align(a, p[0], c, p[1], key+1)
		a, c = p[0]+1, p[1]+1
	}
	m.align(a, b, c, d, key+1)
}

// anchors are pairs whose key is unique on both sides, the longest run of them
// that is in order.
func (m *matcher) anchors(a, b, c, d, key int) [][2]int {
	at := map[string]int{}
	for i := a; i < b; i++ {
		k := m.oldKey[i][key]
		if _, twice := at[k]; twice {
			at[k] = -1
		} else {
			at[k] = i
		}
	}
	seen := map[string]int{}
	for j := c; j < d; j++ {
		seen[m.newKey[j][key]]++
	}
	var pairs [][2]int
	for j := c; j < d; j++ {
		k := m.newKey[j][key]
		if i, ok := at[k]; ok && i >= 0 && k != "" && seen[k] == 1 {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	return ascending(pairs)
}

// ascending keeps the longest subsequence of pairs that is in order on both
// sides, by patience sorting.
func ascending(pairs [][2]int) [][2]int {
	var tops []int // index into pairs of the smallest end of each length
	before := make([]int, len(pairs))
	for i, p := range pairs {
		lo, hi := 0, len(tops)
		for lo < hi {
			mid := (lo + hi) / 2
			if pairs[tops[mid]][0] < p[0] {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		before[i] = -1
		if lo > 0 {
			before[i] = tops[lo-1]
		}
		if lo == len(tops) {
			tops = append(tops, i)
		} else {
			tops[lo] = i
		}
	}
	if len(tops) == 0 {
		return nil
	}
	out := make([][2]int, len(tops))
	for i, k := len(tops)-1, tops[len(tops)-1]; i >= 0; i, k = i-1, before[k] {
		out[i] = pairs[k]
	}
	return out
}

// rest pairs what has no unique key, in order: equal texts first, then one
// changed message.
func (m *matcher) rest(a, b, c, d int) {
	i := a
	for j := c; j < d; j++ {
		for k := i; k < b; k++ {
			if m.oldKey[k][1] == m.newKey[j][1] {
				m.pairs[j] = k
				i = k + 1
				break
			}
		}
	}
	taken := map[int]bool{}
	for j := c; j < d; j++ {
		if m.pairs[j] >= 0 {
			taken[m.pairs[j]] = true
		}
	}
	i = a
	for j := c; j < d; j++ {
		if p := m.pairs[j]; p >= 0 {
			i = p + 1
			continue
		}
		if i < b && !taken[i] && m.sameMoment(m.older[i], m.newer[j]) {
			m.pairs[j] = i
			i++
		}
	}
}

// learnNames finds out from the messages that both have what newer calls the
// senders of older: most often.
func (m *matcher) learnNames() {
	counts := map[[2]string]int{}
	for j, i := range m.pairs {
		if i >= 0 && m.older[i].Sender != "" && m.newer[j].Sender != "" {
			counts[[2]string{m.older[i].Sender, m.newer[j].Sender}]++
		}
	}
	m.called = map[string]string{}
	most := map[string]int{}
	for names, n := range counts {
		if n > most[names[0]] || n == most[names[0]] && names[1] < m.called[names[0]] {
			most[names[0]], m.called[names[0]] = n, names[1]
		}
	}
}

// sameMoment reports whether two turns are of one sender and minute, so that
// one may be the other after an edit. Seconds, where both have them, decide.
func (m *matcher) sameMoment(a, b vault.Turn) bool {
	if a.Sender != b.Sender && m.called[a.Sender] != b.Sender || a.Time.IsZero() || b.Time.IsZero() {
		return false
	}
	if !a.Time.Minutes && !b.Time.Minutes {
		return a.Time.Time.Equal(b.Time.Time)
	}
	return a.Time.Time.Truncate(time.Minute).Equal(b.Time.Time.Truncate(time.Minute))
}
