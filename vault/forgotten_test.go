package vault

import (
	"strings"
	"testing"
)

// Undoing a change of the file takes back what it added and took off, whatever
// else became of the file since; another salt's file says nothing.
func TestUndoForgotten(t *testing.T) {
	set := func(salt string, texts ...string) *Forgotten {
		f, err := NewForgotten(strings.NewReader(strings.Repeat(salt, 16)))
		if err != nil {
			t.Fatal(err)
		}
		f.Add(texts...)
		return f
	}
	nothing := ParseForgotten(nil)
	for name, test := range map[string]struct {
		now, before, after *Forgotten
		want               *Forgotten
		changed            bool
	}{
		"added":             {set("a", "tea", "rain"), set("a"), set("a", "tea"), set("a", "rain"), true},
		"added to no file":  {set("a", "tea", "rain"), nothing, set("a", "tea"), set("a", "rain"), true},
		"taken off":         {set("a", "rain"), set("a", "tea"), set("a"), set("a", "rain", "tea"), true},
		"the one and other": {set("a", "rain", "sun"), set("a", "tea", "sun"), set("a", "rain", "sun"), set("a", "tea", "sun"), true},
		"undone since":      {set("a", "rain"), set("a"), set("a", "tea"), set("a", "rain"), false},
		"another salt":      {set("b", "tea"), set("a"), set("a", "tea"), set("b", "tea"), false},
		"nothing":           {set("a", "tea"), set("a", "tea"), set("a", "tea"), set("a", "tea"), false},
	} {
		t.Run(name, func(t *testing.T) {
			if changed := test.now.Undo(test.before, test.after); changed != test.changed {
				t.Errorf("changed %v", changed)
			}
			if got, want := string(test.now.Bytes()), string(test.want.Bytes()); got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
}
