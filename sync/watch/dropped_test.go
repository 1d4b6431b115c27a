package watch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/vault"
)

// Three claims in three commits of memsync's; then the person rewrites history.
func threeClaims(t *testing.T) *bench {
	t.Helper()
	b := newBench(t)
	b.write("facts/life/tea.md", without(without(ledger, "Porto"), "green tea"))
	b.machine("facts: a ledger")
	b.write("facts/life/tea.md", without(ledger, "Porto"))
	b.machine("facts: tea")
	b.write("facts/life/home.md", "---\nid: f-2\ntype: facts\n---\n\n# Home\n\n- Lives in Porto. (kind:: identity) (from:: [[s#^t2|\"I moved to Porto\"]]) ^f-1b\n")
	b.machine("facts: home")
	b.write("notes.md", "mine\n")
	b.commit()
	return b
}

func TestDroppedCommitsAreForgotten(t *testing.T) {
	amend := func(b *bench) {
		b.remove("facts/life/home.md")
		b.git("add", "-A")
		b.git("commit", "-q", "--amend", "--no-edit")
	}
	for name, test := range map[string]struct {
		take      func(b *bench)
		tea, home bool // is forgotten
	}{
		"a rebase that drops a commit in the middle": {
			func(b *bench) { b.git("rebase", "-q", "--onto", "HEAD~3", "HEAD~2") }, true, false,
		},
		"an interactive rebase that drops a commit": {
			func(b *bench) {
				b.t.Setenv("GIT_SEQUENCE_EDITOR", "sed -i.bak '/facts: home/d'")
				b.git("rebase", "-q", "-i", "HEAD~3")
			}, false, true,
		},
		"a rebase that drops nothing":                          {func(b *bench) { b.git("rebase", "-q", "--force-rebase", "HEAD~3") }, false, false},
		"an amend of the person's commit that removes a claim": {amend, false, true},
		"an amend of memsync's commit that removes a claim": {
			func(b *bench) {
				b.git("reset", "-q", "--hard", "HEAD~1")
				b.commit()
				b.write("facts/life/tea.md", without(without(ledger, "Porto"), "green tea"))
				b.git("commit", "-q", "-a", "--amend", "--no-edit")
			}, true, false,
		},
		"a reset, and another commit on top": {
			func(b *bench) {
				b.git("reset", "-q", "--hard", "HEAD~2")
				b.write("other.md", "x\n")
				b.git("add", "-A")
				b.git("commit", "-q", "-m", "another way")
			}, false, true,
		},
		"a branch put elsewhere": {
			func(b *bench) {
				b.git("branch", "old", "HEAD~3")
				b.git("checkout", "-q", "-B", "main", "old")
			}, true, true,
		},
		"a reset that is taken back at once": {
			func(b *bench) {
				b.git("reset", "-q", "--hard", "HEAD~2")
				b.git("reset", "-q", "--hard", "ORIG_HEAD")
			}, false, false,
		},
		"a squash of all": {
			func(b *bench) {
				b.git("reset", "-q", "--soft", "HEAD~3")
				b.git("commit", "-q", "-m", "all in one")
			}, false, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := threeClaims(t)
			test.take(b)
			b.commit()
			if b.forgotten("Drinks green tea.") != test.tea || b.forgotten("I drink green tea") != test.tea {
				t.Errorf("tea is forgotten: %v", !test.tea)
			}
			if b.forgotten("Lives in Porto.") != test.home || b.forgotten("I moved to Porto") != test.home {
				t.Errorf("home is forgotten: %v", !test.home)
			}
			if _, err := os.Stat(filepath.Join(b.dir, "facts/life/home.md")); (err != nil) != test.home {
				t.Errorf("what the person dropped, or kept, is otherwise: %v", err)
			}
			head := b.git("rev-parse", "HEAD")
			if b.commit(); b.git("rev-parse", "HEAD") != head {
				t.Error("the second look commits again")
			}
		})
	}
}

// Commits of another machine come in by a rebase: what its passes took away was
// not the person's doing.
func TestAPullForgetsNothingOfAnotherMachinesPasses(t *testing.T) {
	b := threeClaims(t)
	b.git("branch", "upstream", "HEAD~1")
	b.git("checkout", "-q", "upstream")
	b.write("facts/life/tea.md", strings.Replace(without(ledger, "Porto"), "Drinks green tea.", "Drinks sencha.", 1))
	b.machine("facts: reworded")
	b.git("checkout", "-q", "main")
	b.git("rebase", "-q", "upstream")
	if o := b.commit(); o.Forgotten != 0 || b.forgotten("Drinks green tea.") {
		t.Errorf("%+v", o)
	}
}

// What the person reset stays so, also where they commit something else before
// anybody looks, and after.
func TestAResetAndACommitOfSomethingElse(t *testing.T) {
	for name, look := range map[string]func(b *bench){
		"nobody looks in between": func(*bench) {},
		"a look in between":       func(b *bench) { b.commit() },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.write("a.md", "1\n")
			b.write("b.md", "1\n")
			b.commit()
			b.write("a.md", "2\n")
			b.write("b.md", "2\n")
			b.commit()
			b.git("reset", "-q", "HEAD~1")
			look(b)
			b.git("add", "a.md")
			b.git("commit", "-q", "-m", "only this one")
			for range 3 {
				if o := b.commit(); o.Commit != "" || len(o.Held) != 1 || o.Held[0].Path != "b.md" {
					t.Fatalf("the reset was undone: %+v", o)
				}
			}
			// They ask for it: then it is theirs to commit.
			b.edits.cfg.Asked = true
			if o := b.commit(); !cmp.Equal(o.Files, []vault.Path{"b.md"}) {
				t.Errorf("%+v", o)
			}
			b.edits.cfg.Asked = false
			b.write("b.md", "3\n")
			b.commit()
			b.write("b.md", "2\n") // and by now it is a text like any other
			if o := b.commit(); !cmp.Equal(o.Files, []vault.Path{"b.md"}) {
				t.Errorf("held for ever: %+v", o)
			}
		})
	}
}

// Follow learns and commits no edit: `commit: off` and `manual`.
func TestFollowLearnsAndCommitsNoEdit(t *testing.T) {
	b := threeClaims(t)
	b.write("notes.md", "mine, longer\n")
	b.git("rm", "-q", "facts/life/home.md")
	b.git("commit", "-q", "-m", "not so")
	o, err := b.edits.Follow(t.Context())
	if err != nil || o.Forgotten != 2 || !b.forgotten("Lives in Porto.") {
		t.Errorf("%+v %v", o, err)
	}
	if got := b.git("status", "--porcelain"); got != "M notes.md" {
		t.Errorf("status: %s", got)
	}
}
