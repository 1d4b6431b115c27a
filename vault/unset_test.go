package vault

import (
	"errors"
	"testing"
)

func TestUnset(t *testing.T) {
	for before, want := range map[string]string{
		"---\nid: a\npin: user\ntags:\n  - b\n---\n\nText.\n":     "---\nid: a\ntags:\n  - b\n---\n\nText.\n",
		"---\nid: a # mine\npin: user # why\n# a comment\n---\nx": "---\nid: a # mine\n# a comment\n---\nx",
		"---\r\npin:\r\n  - a\r\n  - b\r\nid: a\r\n---\r\nx\r\n":  "---\r\nid: a\r\n---\r\nx\r\n",
		"---\nid: a\n---\nx": "---\nid: a\n---\nx",
		"no front matter\n":  "no front matter\n",
	} {
		n := Parse("a.md", []byte(before))
		if err := n.Unset("pin"); err != nil || string(n.Bytes()) != want {
			t.Errorf("%q: %q, %v", before, n.Bytes(), err)
		}
	}
	n := Parse("a.md", []byte("---\n{id: a, pin: user}\n---\nx"))
	if err := n.Unset("pin"); !errors.Is(err, ErrEdit) || string(n.Bytes()) != "---\n{id: a, pin: user}\n---\nx" {
		t.Errorf("%q, %v", n.Bytes(), err)
	}
}
