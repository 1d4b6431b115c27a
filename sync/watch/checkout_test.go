package watch

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
)

// branches makes two branches with other claims and notes, main checked out.
func branches(b *bench) {
	b.t.Helper()
	b.write(teaPath, ledger)
	b.write("a.md", "main\n")
	b.git("add", "-A")
	b.git("commit", "-q", "-m", "main")
	b.commit()
	b.git("checkout", "-q", "-b", "other")
	b.write(teaPath, without(ledger, "Porto"))
	b.write("a.md", "other\n")
	b.git("commit", "-q", "-am", "other")
	b.git("checkout", "-q", "main")
	b.commit()
}

// In the middle of git checkout the vault's files are those of the other branch,
// and HEAD is not there yet. At each moment of it nothing is committed and nothing
// forgotten: when the lock is held, when it is given back before HEAD moves, and
// when the whole of it happens while the edits are looked at.
func TestAMomentOfACheckout(t *testing.T) {
	files := func(b *bench) {
		b.write(teaPath, without(ledger, "Porto"))
		b.write("a.md", "other\n")
	}
	for name, moment := range map[string]func(b *bench){
		"files written, lock held": func(b *bench) {
			files(b)
			b.write(".git/index.lock", "")
		},
		"index written, HEAD not": func(b *bench) {
			b.git("read-tree", "-u", "--reset", "other")
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			branches(b)
			before := b.git("rev-parse", "main", "other")
			moment(b)
			if o := b.commit(); o.Commit != "" || o.Forgotten != 0 || o.Waits == "" {
				t.Errorf("%+v", o)
			}
			_ = os.Remove(filepath.Join(b.dir, ".git", "index.lock"))
			b.git("checkout", "-q", "-f", "other")
			if o := b.commit(); o.Commit != "" || o.Forgotten != 0 || o.Waits != "" {
				t.Errorf("afterwards: %+v", o)
			}
			if after := b.git("rev-parse", "main", "other"); after != before || b.forgotten("Lives in Porto.") {
				t.Errorf("the branches were at %s and are at %s", before, after)
			}
		})
	}
	// The whole checkout falls between the look and each step of the commit.
	for _, at := range []string{"the secret is looked for", "the commit's lock"} {
		t.Run(at, func(t *testing.T) {
			b := newBench(t)
			branches(b)
			b.write("mine.md", "an edit\n")
			other := b.git("rev-parse", "other")
			done := false
			checkout := func(when string) {
				if when == at && !done {
					done = true
					b.git("checkout", "-q", "other")
				}
			}
			v, err := vault.Open(b.dir, vault.Config{})
			if err != nil {
				t.Fatal(err)
			}
			defer v.Close()
			repo, err := history.Open(b.dir, history.Config{LockWait: 20 * time.Millisecond, Step: func(s history.Step) error {
				if s == history.StepLock {
					checkout("the commit's lock")
				}
				return nil
			}})
			if err != nil {
				t.Fatal(err)
			}
			edits := NewEdits(v, repo, EditsConfig{State: b.state, Now: func() time.Time { return b.now }, Secret: func(string) string {
				checkout("the secret is looked for")
				return ""
			}})
			main := b.git("rev-parse", "main")
			o, err := edits.Commit(context.Background())
			if err != nil || !done {
				t.Fatalf("%+v, %v, checked out %v", o, err, done)
			}
			if now := b.git("rev-parse", "main"); now != main {
				t.Errorf("main got a commit: %s", b.git("show", "--stat", "main"))
			}
			// The edit itself goes to the branch that is checked out by now.
			if got := strings.Fields(b.git("diff", "--name-only", other, "other")); len(got) != 1 || got[0] != "mine.md" {
				t.Errorf("the other branch got %v", got)
			}
			if b.forgotten("Lives in Porto.") {
				t.Error("a checkout forgets a claim")
			}
		})
	}
}
