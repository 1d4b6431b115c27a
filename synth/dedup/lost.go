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
	kept := ""
	switch v.Action {
	case DiscardNew:
		kept = old.Text
	case Merge, UpdateOld:
		kept = v.Summary
	default:
		return 0, 0
	}
	for _, x := range items(fresh.Text) {
		of++
		if !says(kept, x) {
			lost++
		}
	}
	if v.Action == DiscardNew {
		return lost, of
	}
	for _, x := range items(old.Text) {
		of++
		if !says(kept, x) && !(v.Action == UpdateOld && (contradicted(x, fresh.Text) || related(x, fresh.Text))) {
			lost++
		}
	}
	return lost, of
}

// says reports whether half of the words of a line stand in a text, and all of its
// numbers. A text that denies nothing, or tells of no change, does not say a line
// that does.
func says(text, line string) bool {
	_, line = speaker(bare(line))
	if denial.MatchString(line) && !denial.MatchString(text) || changes(line) && !changes(text) {
		return false
	}
	have := extract.Words(content(text))
	words, found := 0, 0
	for w := range extract.Words(line) {
		words++
		switch {
		case have[w]:
			found++
		case extract.HasNumbers(w):
			return false
		}
	}
	return float64(found) >= said*float64(words)
}
