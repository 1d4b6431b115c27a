package watch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/vault"
)

const teaPath = "facts/life/tea.md"

// A save that empties the file before it writes is seen half done: nothing of what
// is missing then is forgotten or committed, until the person says so.
func TestASaveThatBrokeOffForgetsNothing(t *testing.T) {
	for name, half := range map[string]string{
		"empty":                       "",
		"zeros":                       strings.Repeat("\x00", len(ledger)),
		"a part of the properties":    ledger[:10],
		"a line that breaks off":      ledger[:strings.Index(ledger, "Porto")],
		"the last line, but its end ": ledger[:len(ledger)-3],
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.write(teaPath, ledger)
			b.machine("facts: 2 claims")
			b.commit()
			head := b.git("rev-parse", "HEAD")
			b.write(teaPath, half)
			b.write("mine.md", "tea\n")
			o := b.commit()
			if len(o.Held) != 1 || o.Held[0].Path != teaPath || !cmp.Equal(o.Files, []vault.Path{"mine.md"}) {
				t.Errorf("%+v", o)
			}
			if b.forgotten("Lives in Porto.") || b.git("diff", "--name-only", head, "HEAD") != "mine.md" {
				t.Error("a save that broke off became history")
			}
			b.write(teaPath, ledger+"- Likes rain.\n") // the save comes through
			if o := b.commit(); !cmp.Equal(o.Files, []vault.Path{teaPath}) || o.Forgotten != 0 {
				t.Errorf("%+v", o)
			}
		})
	}
}

// A ledger that has lost its last lines a moment ago may be in the middle of a save
// that writes line by line: only what is still so afterwards was deleted.
func TestLinesThatWentAMomentAgoAreNotForgotten(t *testing.T) {
	cut := ledger[:strings.Index(ledger, "- Lives")]
	setup := func(t *testing.T) *bench {
		b := newBench(t)
		b.now = time.Now() // files are as old as they are
		b.write(teaPath, ledger)
		b.machine("facts: 2 claims")
		b.commit()
		b.write(teaPath, cut)
		return b
	}
	age := func(b *bench, by time.Duration) {
		b.t.Helper()
		at := b.now.Add(-by)
		if err := os.Chtimes(filepath.Join(b.dir, filepath.FromSlash(teaPath)), at, at); err != nil {
			b.t.Fatal(err)
		}
	}
	t.Run("the rest comes", func(t *testing.T) {
		b := setup(t)
		age(b, 0)
		if o := b.commit(); len(o.Held) != 1 || !o.Soon || o.Commit != "" || b.forgotten("Lives in Porto.") {
			t.Errorf("%+v", o)
		}
		b.write(teaPath, ledger)
		if o := b.commit(); o.Commit != "" || o.Forgotten+o.Withdrawn+len(o.Held) != 0 {
			t.Errorf("%+v", o)
		}
	})
	for name, by := range map[string]time.Duration{
		"it stays so": unsettled + time.Second,
		"it was saved by a machine whose clock is ahead": -time.Hour,
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			age(b, by)
			if o := b.commit(); o.Forgotten != 2 || o.Soon || len(o.Held) != 0 || !b.forgotten("Lives in Porto.") {
				t.Errorf("%+v", o)
			}
		})
	}
	t.Run("with another edit", func(t *testing.T) {
		b := setup(t)
		b.write(teaPath, strings.Replace(cut, "facts", "facts\nmine: yes", 1))
		age(b, 0)
		if o := b.commit(); o.Forgotten != 2 || o.Soon {
			t.Errorf("%+v", o)
		}
	})
	t.Run("asked for", func(t *testing.T) {
		b := setup(t)
		age(b, 0)
		b.edits.cfg.Asked = true
		if o := b.commit(); o.Forgotten != 2 || o.Commit == "" {
			t.Errorf("%+v", o)
		}
	})
}

// An empty ledger that the person asks to have committed is what they want.
func TestAnEmptiedLedgerIsForgottenWhereAskedFor(t *testing.T) {
	b := newBench(t)
	b.write(teaPath, ledger)
	b.machine("facts: 2 claims")
	b.commit()
	b.write(teaPath, "")
	b.edits.cfg.Asked = true
	if o := b.commit(); o.Commit == "" || o.Forgotten != 4 || !b.forgotten("Lives in Porto.") {
		t.Errorf("%+v", o)
	}
}

// What was forgotten and stands again, in the same words, is forgotten no longer,
// however it came back: a save that was seen cut between two lines, an undo, git.
func TestALineThatIsBackIsNotForgotten(t *testing.T) {
	for name, test := range map[string]struct {
		back      func(b *bench)
		withdrawn bool
	}{
		"the save comes through": {func(b *bench) { b.write(teaPath, ledger) }, true},
		"with another edit":      {func(b *bench) { b.write(teaPath, ledger+"\nMine.\n") }, true},
		"in another ledger": {func(b *bench) {
			b.write("facts/life/home.md", "---\ntype: facts\n---\n\n"+ledger[strings.Index(ledger, "- Lives"):])
		}, true},
		"git revert":                 {func(b *bench) { b.git("revert", "--no-edit", "HEAD") }, true},
		"a commit of theirs":         {func(b *bench) { b.write(teaPath, ledger); b.git("commit", "-q", "-am", "back") }, true},
		"in other words":             {func(b *bench) { b.write(teaPath, strings.Replace(ledger, "in Porto", "by the sea", 1)) }, false},
		"a commit of a pass's":       {func(b *bench) { b.write(teaPath, ledger); b.machine("facts: 1") }, false},
		"a note of theirs quotes it": {func(b *bench) { b.write("mine.md", "- Lives in Porto.\n") }, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.write(teaPath, ledger)
			b.machine("facts: 2 claims")
			b.commit()
			b.write(teaPath, ledger[:strings.Index(ledger, "- Lives")]) // cut between two lines
			if o := b.commit(); o.Forgotten != 2 || !b.forgotten("Lives in Porto.") {
				t.Fatalf("%+v", o)
			}
			test.back(b)
			o := b.commit()
			if test.withdrawn != (o.Withdrawn == 2) || test.withdrawn == b.forgotten("Lives in Porto.") || test.withdrawn == b.forgotten("I moved to Porto") {
				t.Errorf("withdrawn %v: %+v", test.withdrawn, o)
			}
			if test.withdrawn && !strings.Contains(b.git("log", "-2", "--format=%an: %s"), "memsync: forget: 2 put back by hand") {
				t.Error(b.git("log", "--format=%an: %s"))
			}
			if out := b.git("status", "--porcelain"); out != "" {
				t.Errorf("not committed:\n%s", out)
			}
			if o := b.commit(); o.Commit != "" || o.Withdrawn+o.Forgotten != 0 {
				t.Errorf("the second look does something: %+v", o)
			}
		})
	}
}

// A transcript that is empty for a moment is not a conversation to forget.
func TestATranscriptThatIsEmptyForAMoment(t *testing.T) {
	b := newBench(t)
	const path = "transcripts/chatgpt/2025/2025-01-01-a.md"
	const text = "---\ntype: transcript\nsource: chatgpt\nconversation: c1\n---\n\nx\n"
	b.write(path, text)
	b.machine("import: 1")
	b.commit()
	b.write(path, "")
	if o := b.commit(); len(o.Held) != 1 || b.forgotten(ConversationKey("chatgpt", "c1")) {
		t.Errorf("%+v", o)
	}
	b.remove(path)
	if b.commit(); !b.forgotten(ConversationKey("chatgpt", "c1")) {
		t.Error("a transcript that was deleted is not forgotten")
	}
	b.write(path, text) // out of the trash again
	if b.commit(); b.forgotten(ConversationKey("chatgpt", "c1")) {
		t.Error("a transcript that is back is still forgotten")
	}
}
