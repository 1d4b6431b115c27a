package merge

import (
	"bytes"
	"fmt"
)

// context is the number of unchanged lines shown around a change, as git and
// diff show them.
const context = 3

// Unified returns the difference between two texts as a unified diff, in the
// form that patch and git apply read, or nil when the texts are equal. A nameless
// side is written as /dev/null: a text that is created or deleted.
func Unified(a, b []byte, nameA, nameB string) []byte {
	if bytes.Equal(a, b) {
		return nil
	}
	x, y := lines(a), lines(b)
	hunks := compare(x, y)
	var out bytes.Buffer
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", side(nameA), side(nameB))
	for len(hunks) > 0 {
		n := together(hunks)
		show(&out, x, y, hunks[:n])
		hunks = hunks[n:]
	}
	return out.Bytes()
}

// Stat counts the lines that are in b alone and in a alone.
func Stat(a, b []byte) (added, removed int) {
	for _, h := range compare(lines(a), lines(b)) {
		added += h.bEnd - h.bStart
		removed += h.aEnd - h.aStart
	}
	return added, removed
}

func side(name string) string {
	if name == "" {
		return "/dev/null"
	}
	return name
}

// together counts the hunks at the front whose contexts meet.
func together(hunks []hunk) int {
	n := 1
	for n < len(hunks) && hunks[n].aStart-hunks[n-1].aEnd <= 2*context {
		n++
	}
	return n
}

func show(out *bytes.Buffer, a, b [][]byte, hunks []hunk) {
	first, last := hunks[0], hunks[len(hunks)-1]
	before := min(context, first.aStart)
	after := min(context, len(a)-last.aEnd)
	fmt.Fprintf(out, "@@ -%s +%s @@\n",
		span(first.aStart-before, last.aEnd+after), span(first.bStart-before, last.bEnd+after))
	at := first.aStart - before
	for _, h := range hunks {
		put(out, ' ', a[at:h.aStart])
		put(out, '-', a[h.aStart:h.aEnd])
		put(out, '+', b[h.bStart:h.bEnd])
		at = h.aEnd
	}
	put(out, ' ', a[at:last.aEnd+after])
}

// span writes lines [start, end) as a unified diff numbers them: from 1, with
// the line before an empty span, and without a count of one.
func span(start, end int) string {
	switch end - start {
	case 0:
		return fmt.Sprintf("%d,0", start)
	case 1:
		return fmt.Sprint(start + 1)
	}
	return fmt.Sprintf("%d,%d", start+1, end-start)
}

func put(out *bytes.Buffer, mark byte, text [][]byte) {
	for _, line := range text {
		out.WriteByte(mark)
		out.Write(line)
		if !bytes.HasSuffix(line, []byte{'\n'}) {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}
