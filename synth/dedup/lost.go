package dedup

import "github.com/memsync/memsync/synth/extract"

// said is the share of a line's words from which a text says what the line says.
const said = 0.5

// MaxLost is the share of lines that a verdict may leave unsaid: what the gates let
// a page lose.
const MaxLost = 0.25

// Lost are the lines of two summaries that would be said nowhere after a verdict. A
// judge's verdict is as good as the judge; what it would take from memory can be
// counted, whoever judges. A line of the old summary that the new one overrules is
// not lost with UpdateOld.
func Lost(v Verdict, old, fresh Summary) (lost, of int) {
	text := ""
	switch v.Action {
	case DiscardNew:
		text = old.Text
	case Merge, UpdateOld:
		text = v.Summary
	default:
		return 0, 0
	}
	kept := newKept(text)
	later, earlier := fresh.Read().reading, old.Read().reading
	for _, x := range later.lines() {
		of++
		if !kept.says(x) {
			lost++
		}
	}
	if v.Action == DiscardNew {
		return lost, of
	}
	for _, x := range earlier.lines() {
		of++
		if !kept.says(x) && !(v.Action == UpdateOld && (contradicted(x, later) || related(x, later))) {
			lost++
		}
	}
	return lost, of
}

// kept is a text that stays.
type kept struct {
	words           map[string]bool
	denies, changes bool
}

func newKept(text string) kept {
	return kept{readText(text).words(), denial.MatchString(text), changes(text)}
}

// says reports whether half of the words of a line stand in a text, and all of its
// numbers. A text that denies nothing, or tells of no change, does not say a line
// that does.
func (k kept) says(l line) bool {
	if l.denies && !k.denies || l.changes && !k.changes {
		return false
	}
	found := 0
	for w := range l.words {
		switch {
		case k.words[w]:
			found++
		case extract.HasNumbers(w):
			return false
		}
	}
	return float64(found) >= said*float64(len(l.words))
}
