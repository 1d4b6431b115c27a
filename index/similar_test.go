package index

import (
	"errors"
	"fmt"
	"testing"

	"github.com/memsync/memsync/index/embed"
)

func sessionNote(i int, title, text string) string {
	return fmt.Sprintf("---\nid: s-%d\ntype: session\ntitle: %s\n---\n\n%s\n", i, title, text)
}

func TestSimilar(t *testing.T) {
	src := newTree(map[string]string{
		"sessions/1.md": sessionNote(1, "Cabin", "They booked a cabin near Abisko for the last week of February."),
		"sessions/2.md": sessionNote(2, "Rent", "The landlord will raise the rent by six percent in January."),
		"sessions/3.md": sessionNote(3, "Backup", "The backup job failed for three nights because the disk was full."),
		"notes/1.md":    "They booked a cabin near Abisko for the last week of February.",
	})
	x := openIndex(t, t.TempDir(), builtinModel(t))
	sync1(t, x, src)
	find := func(title, text string) []Match {
		t.Helper()
		m, err := x.Similar(t.Context(), title, text, []string{"session"}, 2)
		if err != nil || len(m) != 2 {
			t.Fatalf("%v, %v", m, err)
		}
		return m
	}
	if m := find("Cabin", "They booked a cabin near Abisko for the last week of February.")[0]; m.NoteID != "s-1" || m.Similarity < embed.DuplicateAt {
		t.Errorf("the same text: %+v", m)
	}
	if m := find("", "A cabin close to Abisko is booked for the last week in February.")[0]; m.NoteID != "s-1" || m.Similarity < embed.OverlapAt {
		t.Errorf("the same said otherwise: %+v", m)
	}
	if m := find("", "She runs ten kilometres every Saturday morning along the canal.")[0]; m.Similarity >= embed.OverlapAt {
		t.Errorf("another matter: %+v", m)
	}
	src.write("sessions/4.md", sessionNote(4, "Run", "She runs ten kilometres every Saturday morning along the canal."))
	sync1(t, x, src)
	if m := find("", "She runs ten kilometres every Saturday morning along the canal.")[0]; m.NoteID != "s-4" {
		t.Errorf("a new note is not found: %+v", m)
	}
	down := newWords("words/1", 8)
	down.down.Store(true)
	y := openIndex(t, t.TempDir(), down)
	if _, err := y.Similar(t.Context(), "", "text", nil, 3); !errors.Is(err, ErrNoVectors) {
		t.Errorf("a model that is down: %v", err)
	}
}
