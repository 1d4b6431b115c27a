// Package merge joins two edits of one text, and shows how two texts differ.
//
// A note is written by memsync and edited by a person, often at the same time.
// Three takes the text that both started from and keeps both edits wherever they
// touch different lines. Where they touch the same lines, or lines next to each
// other, it keeps the person's and says so: no conflict marker ever reaches a note.
//
// The unit is the line, its newline included, and lines are bytes: a carriage
// return or a missing final newline is part of the line, and every byte of the
// result comes from one of the three texts. The rules are those of
// `git merge-file`, against which the package is tested. The two may still choose
// differently where a text repeats itself and several scripts are equally short:
// then each is a right merge, though not the same one.
package merge

import "bytes"

// A Range is lines Start up to, and not with, End, counted from 0.
type Range struct{ Start, End int }

// A Conflict is a stretch that both sides changed, each in its own way.
type Conflict struct {
	// Base, Ours and Theirs say where the stretch lies in each text. A range
	// may be empty, where a side deleted the lines or base had none there.
	Base, Ours, Theirs Range
	// Merged says where the stretch lies in the result, which has ours there.
	Merged Range
	// BaseText, OursText and TheirsText are the lines themselves.
	BaseText, OursText, TheirsText []byte
}

// Three applies to ours what changed from base to theirs.
//
// The result has every change of either side. Where the two conflict it has ours,
// and conflicts lists the stretches in order; it is empty when the merge is
// clean. Changes that both sides made alike are no conflict. The result shares no
// memory with the arguments.
func Three(base, ours, theirs []byte) (merged []byte, conflicts []Conflict) {
	o, a, b := lines(base), lines(ours), lines(theirs)
	m := merging{base: o, ours: a, theirs: b}
	m.join(compare(o, a), compare(o, b))
	return m.out, m.conflicts
}

type merging struct {
	base, ours, theirs [][]byte

	out       []byte
	outLines  int
	conflicts []Conflict
}

// join walks the changes of both sides in the order of base and groups those
// that overlap or touch.
func (m *merging) join(a, b []hunk) {
	at := 0        // the next line of base
	da, db := 0, 0 // ours, and theirs, run ahead of base by this many lines
	for len(a) > 0 || len(b) > 0 {
		lo, hi := firstOf(a, b)
		na, nb := 0, 0
		for {
			switch {
			case na < len(a) && a[na].aStart <= hi:
				hi = max(hi, a[na].aEnd)
				na++
				continue
			case nb < len(b) && b[nb].aStart <= hi:
				hi = max(hi, b[nb].aEnd)
				nb++
				continue
			}
			break
		}
		m.copy(m.base[at:lo])
		base := Range{lo, hi}
		ours := Range{lo + da, 0}
		theirs := Range{lo + db, 0}
		da, db = ahead(a[:na], da), ahead(b[:nb], db)
		ours.End, theirs.End = hi+da, hi+db
		m.stretch(base, ours, theirs, na > 0, nb > 0)
		a, b, at = a[na:], b[nb:], hi
	}
	m.copy(m.base[at:])
}

// firstOf returns the base range of the change that comes first.
func firstOf(a, b []hunk) (lo, hi int) {
	if len(b) == 0 || (len(a) > 0 && a[0].aStart <= b[0].aStart) {
		return a[0].aStart, a[0].aEnd
	}
	return b[0].aStart, b[0].aEnd
}

// ahead returns by how many lines a side runs ahead of base after its hunks.
func ahead(hunks []hunk, before int) int {
	if len(hunks) == 0 {
		return before
	}
	last := hunks[len(hunks)-1]
	return last.bEnd - last.aEnd
}

// stretch writes one group of changes.
func (m *merging) stretch(base, ours, theirs Range, inOurs, inTheirs bool) {
	oursText := m.ours[ours.Start:ours.End]
	theirsText := m.theirs[theirs.Start:theirs.End]
	switch {
	case !inOurs:
		m.copy(theirsText)
	case !inTheirs, same(oursText, theirsText):
		m.copy(oursText)
	default:
		start := m.outLines
		m.copy(oursText)
		m.conflicts = append(m.conflicts, Conflict{
			Base: base, Ours: ours, Theirs: theirs, Merged: Range{start, m.outLines},
			BaseText:   bytes.Join(m.base[base.Start:base.End], nil),
			OursText:   bytes.Join(oursText, nil),
			TheirsText: bytes.Join(theirsText, nil),
		})
	}
}

func (m *merging) copy(text [][]byte) {
	for _, line := range text {
		m.out = append(m.out, line...)
	}
	m.outLines += len(text)
}

func same(a, b [][]byte) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !bytes.Equal(a[i], b[i]) {
			return false
		}
	}
	return true
}
