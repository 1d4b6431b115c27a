package merge

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestThree(t *testing.T) {
	tests := []struct {
		name               string
		base, ours, theirs string
		want               string
		conflicts          int
	}{
		{"nothing at all", "", "", "", "", 0},
		{"only ours", "a\nb\nc\n", "a\nB\nc\n", "a\nb\nc\n", "a\nB\nc\n", 0},
		{"only theirs", "a\nb\nc\n", "a\nb\nc\n", "a\nB\nc\n", "a\nB\nc\n", 0},
		{"apart", "a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n", 0},
		{"alike", "a\nb\nc\n", "a\nX\nc\n", "a\nX\nc\n", "a\nX\nc\n", 0},
		{"the same line", "a\nb\nc\n", "a\nX\nc\n", "a\nY\nc\n", "a\nX\nc\n", 1},
		{"neighbouring lines", "a\nb\nc\nd\n", "a\nX\nc\nd\n", "a\nb\nY\nd\n", "a\nX\nc\nd\n", 1},
		{"both add at the end", "a\n", "a\nx\n", "a\ny\n", "a\nx\n", 1},
		{"both create", "", "x\n", "y\n", "x\n", 1},
		{"theirs deletes what ours edits", "a\nb\nc\n", "a\nB\nc\n", "", "a\nB\nc\n", 1},
		{"carriage returns are part of the line", "a\r\nb\r\nc\r\n", "a\r\nB\r\nc\r\n", "a\r\nb\r\nc\r\nd\r\n", "a\r\nB\r\nc\r\nd\r\n", 0},
		{"no final newline", "a\nb\nc", "A\nb\nc", "a\nb\nc\n", "A\nb\nc\n", 0},
		{"bytes that are no text", "\xff\n\x00\n\xfe", "\xff\nx\n\x00\n\xfe", "\xff\n\x00\n\xfd", "\xff\nx\n\x00\n\xfd", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, conflicts := Three([]byte(test.base), []byte(test.ours), []byte(test.theirs))
			if diff := cmp.Diff(test.want, string(got)); diff != "" {
				t.Errorf("merged (-want +got):\n%s", diff)
			}
			if len(conflicts) != test.conflicts {
				t.Errorf("%d conflicts, want %d: %v", len(conflicts), test.conflicts, conflicts)
			}
		})
	}
}

func TestConflictSaysWhere(t *testing.T) {
	base := "one\ntwo\nthree\nfour\nfive\n"
	ours := "zero\none\ntwo\nTHREE\nfour\nfive\n"
	theirs := "one\ntwo\nthree, but longer\nand more\nfour\nfive\n"
	merged, conflicts := Three([]byte(base), []byte(ours), []byte(theirs))
	want := []Conflict{{
		Base: Range{2, 3}, Ours: Range{3, 4}, Theirs: Range{2, 4}, Merged: Range{3, 4},
		BaseText:   []byte("three\n"),
		OursText:   []byte("THREE\n"),
		TheirsText: []byte("three, but longer\nand more\n"),
	}}
	if diff := cmp.Diff(want, conflicts); diff != "" {
		t.Errorf("conflicts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(ours, string(merged)); diff != "" {
		t.Errorf("merged (-want +got):\n%s", diff)
	}
}

// FuzzThree holds what is true of every merge, whatever the texts.
func FuzzThree(f *testing.F) {
	f.Add([]byte("a\nb\n"), []byte("a\nB\n"), []byte("a\nb\nc"))
	f.Add([]byte("a\r\n\r\nb"), []byte("\r\n"), []byte(""))
	f.Add([]byte("x\nx\ny\nx\n"), []byte("x\ny\nx\nx\n"), []byte("y\nx\nx\nx\n"))
	f.Fuzz(func(t *testing.T, base, ours, theirs []byte) {
		merged, conflicts := Three(base, ours, theirs)
		if got, c := Three(base, ours, base); !bytes.Equal(got, ours) || len(c) > 0 {
			t.Errorf("nothing changed on their side: %q", got)
		}
		if got, c := Three(base, base, theirs); !bytes.Equal(got, theirs) || len(c) > 0 {
			t.Errorf("nothing changed on our side: %q", got)
		}
		if got, c := Three(base, ours, ours); !bytes.Equal(got, ours) || len(c) > 0 {
			t.Errorf("both made the same change: %q", got)
		}
		swapped, back := Three(base, theirs, ours)
		if len(back) != len(conflicts) {
			t.Errorf("%d conflicts one way, %d the other", len(conflicts), len(back))
		}
		if len(conflicts) == 0 && !bytes.Equal(merged, swapped) {
			t.Errorf("a clean merge depends on the order: %q, %q", merged, swapped)
		}
		check(t, base, ours, theirs, merged, conflicts)
	})
}

// check holds each conflict's ranges against its texts.
func check(t *testing.T, base, ours, theirs, merged []byte, conflicts []Conflict) {
	t.Helper()
	cut := func(text []byte, r Range) string {
		return string(bytes.Join(lines(text)[r.Start:r.End], nil))
	}
	for _, c := range conflicts {
		want := []string{cut(base, c.Base), cut(ours, c.Ours), cut(theirs, c.Theirs), cut(merged, c.Merged)}
		got := []string{string(c.BaseText), string(c.OursText), string(c.TheirsText), string(c.OursText)}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("a conflict's ranges and texts differ (-ranges +texts):\n%s", diff)
		}
	}
}
