package pack

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/index/chunk"
	"github.com/memsync/memsync/vault"
)

func TestWhatThePersonSaidStandsBeforeTheAnswer(t *testing.T) {
	turn := func(path, block, who string) index.Hit {
		return index.Hit{Path: vault.Path(path), Turn: block, Speaker: who, Kind: chunk.Turn}
	}
	got := answersLast([]index.Hit{
		turn("a.md", "t0002", "assistant"), turn("b.md", "t0001", "user"), turn("a.md", "t0006", "assistant"), turn("a.md", "t0001", "user"),
		turn("a.md", "t0009", "Jonas"), turn("a.md", "t0003", "user"), {Path: "a.md", Kind: chunk.Prose},
	})
	var order []string
	for _, h := range got {
		order = append(order, string(h.Path)+" "+h.Turn)
	}
	want := []string{"a.md t0001", "a.md t0002", "b.md t0001", "a.md t0006", "a.md t0009", "a.md t0003", "a.md "}
	if diff := cmp.Diff(want, order); diff != "" {
		t.Error(diff)
	}
}

// A turn of which only superseded claims were made is shown as what was once said.
func TestWordsThatNoLongerHoldAreMarked(t *testing.T) {
	m, v, _ := open(t)
	ask := Request{Message: "Let's ship without pagination and add it in September", Intent: Recall}
	mark := "tr-7f2k9q#^t0003; since changed)"
	if p := packOf(t, m, ask); strings.Contains(p.Text, mark) || !strings.Contains(p.Text, "tr-7f2k9q#^t0003)") {
		t.Errorf("a turn of what holds is marked or missing:\n%s", p.Text)
	}
	edit := func(path, from, to string) {
		t.Helper()
		name := filepath.Join(v.Dir(), filepath.FromSlash(path))
		raw, err := os.ReadFile(name)
		if err != nil || !strings.Contains(string(raw), from) {
			t.Fatalf("%s: %v", path, err)
		}
		if err := os.WriteFile(name, []byte(strings.ReplaceAll(string(raw), from, to)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	edit("facts/work/reflecta.md", "(seen:: 2025-08-09) (from::", "(seen:: 2025-08-09) (until:: 2025-09-01) (from::")
	if p := packOf(t, m, ask); strings.Contains(p.Text, mark) {
		t.Errorf("the turn proves policies that hold, and is marked:\n%s", p.Text)
	}
	edit("schema/policies.md", "(from:: [[transcripts/claude/2025/2025-08-09-csv-export#^t0003", "(from:: [[transcripts/claude/2025/2025-08-09-csv-export#^t0001")
	if p := packOf(t, m, ask); !strings.Contains(p.Text, mark) {
		t.Errorf("the turn is not marked:\n%s", p.Text)
	}
}

func TestTheCardBeginsWithWhatIsCritical(t *testing.T) {
	card := vault.Parse("profile.md", []byte("---\nid: profile\ntype: profile\nupdated: 2025-01-02\nname: Ines\ntimezone: Europe/Stockholm\nallergies:\n  - hazelnuts\n  - birch\ntags: [profile]\n---\n\nInes.\n"))
	if got, want := Critical(card), "name: Ines; timezone: Europe/Stockholm; allergies: hazelnuts, birch\n"; got != want {
		t.Errorf("%q", got)
	}
	if got := Critical(vault.Parse("profile.md", []byte("---\nid: profile\ntags:\n---\nInes.\n"))); got != "" {
		t.Errorf("%q", got)
	}
	m, _, _ := open(t)
	if p := packOf(t, m, Request{Message: "hello"}); !strings.Contains(p.Text, "## Profile\nname: Ines\nInes builds Reflecta") {
		t.Errorf("%s", p.Text)
	}
}
