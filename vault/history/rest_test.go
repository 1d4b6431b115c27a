package history

import "testing"

// A repository that gave its memory back answers as before.
func TestRest(t *testing.T) {
	b := newBox(t, Config{})
	b.commit("facts: one", b.write("profile.md", "Ana.\n"))
	before, err := b.Get(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if len(b.objects.trees.by) == 0 {
		t.Fatal("nothing is kept: this test shows nothing")
	}
	b.Rest()
	if n := len(b.objects.trees.by); n != 0 {
		t.Errorf("%d trees are kept", n)
	}
	if after, err := b.Get(t.Context(), "HEAD"); err != nil || after.ID != before.ID {
		t.Errorf("%+v, %v", after, err)
	}
}
