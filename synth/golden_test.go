package synth

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/vault"
)

// The whole of what the passes make of a small vault stands in a file that a
// review can read. go test ./synth -run TestGolden -update writes it anew.
func TestGolden(t *testing.T) {
	chats := readChats(t, "testdata/ana.txtar")
	got := goldenVault(t, chats)
	const file = "testdata/ana.golden"
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("the pages changed (-golden +now):\n%s", d)
	}
	if again := goldenVault(t, chats); string(again) != string(got) {
		t.Error("the same chats gave other bytes in a second vault")
	}
}

func goldenVault(t *testing.T, chats []chat) []byte {
	l := newLab(t)
	l.cfg.Me = []string{"ana roth"}
	l.add(chats...)
	l.run()
	return archive(l.pages())
}

func TestSecondRunWritesNothing(t *testing.T) {
	l := newLab(t)
	l.add(readChats(t, "testdata/ana.txtar")...)
	l.run()
	before, pages := l.commits(), l.pages()
	for _, fresh := range []bool{false, true} {
		if fresh { // a machine that has the vault and none of the state
			l.state = t.TempDir()
			l.cfg.State = l.state
		}
		for _, r := range l.run() {
			if len(r.Written) > 0 || r.Commit != "" || len(r.Skipped) > 0 {
				t.Errorf("with fresh state %v the pass %s wrote %v and skipped %v", fresh, r.Pass, r.Written, r.Skipped)
			}
		}
	}
	if n := l.commits(); n != before {
		t.Errorf("%d commits after a run over nothing new, want %d", n, before)
	}
	if d := cmp.Diff(pages, l.pages()); d != "" {
		t.Errorf("pages changed:\n%s", d)
	}
}

func TestDryRunWritesNothing(t *testing.T) {
	l := newLab(t)
	l.add(readChats(t, "testdata/ana.txtar")...)
	before := l.commits()
	l.cfg.DryRun = true
	diff := ""
	for _, r := range l.run() {
		diff += r.Diff
	}
	for _, want := range []string{"+++ b/profile.md", "+++ b/MEMORY.md", "+- Allergic to sesame"} {
		if !strings.Contains(diff, want) {
			t.Errorf("the diff has no %q:\n%s", want, diff)
		}
	}
	if len(l.pages()) != 0 || l.commits() != before {
		t.Errorf("a dry run left %v and %d commits more", l.pages(), l.commits()-before)
	}
}

// Nothing that another speaker said, that a program put into a turn, or that
// stands on an abandoned branch becomes the person's.
func TestWhoseWords(t *testing.T) {
	l := newLab(t)
	l.cfg.Me = []string{"Ana Roth"}
	l.add(readChats(t, "testdata/ana.txtar")...)
	l.run()
	all := string(archive(l.pages()))
	for _, never := range []string{"Vienna", "give up baking", "none of Ana's words", "bring my own rope", "name a variable"} {
		if strings.Contains(all, never) {
			t.Errorf("%q was learned", never)
		}
	}
	for _, always := range []string{"Allergic to sesame", "Booked the hut for July 11", "Never push to main without running the tests first"} {
		if !strings.Contains(all, always) {
			t.Errorf("%q was not learned", always)
		}
	}
}

func TestChatOfUnknownPeople(t *testing.T) {
	l := newLab(t)
	chats := readChats(t, "testdata/ana.txtar")
	for i := range chats {
		if chats[i].source == "whatsapp" {
			chats[i].title = "Hut weekend" // which names neither of them
		}
	}
	l.add(chats...)
	l.run()
	all := archive(l.pages())
	if strings.Contains(string(all), "Booked the hut for July 11") {
		t.Error("a fact was learned from a chat in which nobody is known to be the person")
	}
	i := slices.IndexFunc(l.paths("sessions"), func(p vault.Path) bool { return strings.Contains(string(p), "hut-weekend") })
	if i < 0 {
		t.Fatal("the chat has no session")
	}
	if page := l.read(l.paths("sessions")[i]); !strings.Contains(page, "Lena and Ana Roth, 3 messages") {
		t.Errorf("the session does not say who spoke:\n%s", page)
	}
}
