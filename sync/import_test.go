package sync

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/vault"
)

// directly writes to a vault without a commit.
type directly struct{ v *vault.Vault }

func (d directly) Write(_ context.Context, p vault.Path, old vault.Hash, data []byte) error {
	return d.v.Write(p, old, data)
}

// list is a format that emits the conversations that it is made of.
type list []importer.Conversation

func (list) Source() string            { return "chatgpt" }
func (list) Sniff(string, []byte) bool { return true }
func (l list) Read(ctx context.Context, in importer.Input, emit func(importer.Conversation) error, warn func(importer.Warning)) error {
	for _, c := range l {
		turns := append([]vault.Turn{}, c.Turns...)
		c.Turns = turns
		if err := emit(c); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func at(minute int) vault.Stamp {
	return vault.Stamp{Time: time.Date(2025, 8, 9, 19, minute, 4, 500_000_000, time.UTC)}
}

func turn(id, sender, text string, minute int) vault.Turn {
	return vault.Turn{MessageID: id, Sender: sender, Text: text, Time: at(minute)}
}

func talk(n int, turns ...vault.Turn) importer.Conversation {
	c := importer.Conversation{Source: "chatgpt", ID: fmt.Sprintf("conv-%d", n), Title: "CSV export", Created: at(0), Turns: turns}
	if len(turns) > 0 {
		c.Updated = turns[len(turns)-1].Time
	}
	return c
}

func openVault(t *testing.T, dir string, fault func(vault.Step, vault.Path) error) *vault.Vault {
	t.Helper()
	v, err := vault.Open(dir, vault.Config{Fault: fault})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	return v
}

func importAll(t *testing.T, v *vault.Vault, state string, l list) Run {
	t.Helper()
	im := NewImporter(v, directly{v}, ImportConfig{State: state})
	run, err := im.Import(t.Context(), importer.Input{Name: "conversations.json"}, l)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := im.Finish(); err != nil {
		t.Fatal(err)
	}
	run.Warnings = nil
	return run
}

// read lists the files of a vault and their content.
func read(t *testing.T, v *vault.Vault) map[string]string {
	t.Helper()
	entries, _, err := v.Walk(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		raw, err := v.Read(e.Path)
		if err != nil {
			t.Fatal(err)
		}
		files[string(e.Path)] = string(raw)
	}
	return files
}

func active(t *testing.T, raw string) []string {
	t.Helper()
	var texts []string
	for _, p := range vault.ParseTranscript(vault.Parse("t.md", []byte(raw))).Active() {
		texts = append(texts, p.Text)
	}
	return texts
}

func TestImportGrows(t *testing.T) {
	v, state := openVault(t, t.TempDir(), nil), t.TempDir()
	first := talk(1, turn("a", "user", "Hello", 1), turn("b", "assistant", "Hi", 2))
	other := talk(2, turn("x", "user", "A second talk of the same name and day", 3))
	if got, want := importAll(t, v, state, list{first, other}), (Run{Source: "chatgpt", File: "conversations.json", ConversationsNew: 2, MessagesNew: 3}); !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
	before := read(t, v)
	if len(before) != 2 {
		t.Fatalf("files: %v", before)
	}
	if got := importAll(t, v, state, list{first, other}); got.Changed() || got.ConversationsSkipped != 2 {
		t.Errorf("the second time: %+v", got)
	}
	if diff := cmp.Diff(before, read(t, v)); diff != "" {
		t.Errorf("the second time changed the vault:\n%s", diff)
	}

	// An answer was regenerated: the old one is a branch by now.
	grown := talk(1, turn("a", "user", "Hello", 1), turn("c", "assistant", "Hi there", 4), turn("d", "user", "Go on", 5))
	branch := turn("b", "assistant", "Hi", 2)
	branch.Branch, branch.Parent = true, "a"
	grown.Turns = append(grown.Turns, branch)
	grown.Current = "d"
	grown.Updated = at(5)
	if got := importAll(t, v, state, list{grown}); got.ConversationsUpdated != 1 || got.MessagesNew != 2 {
		t.Errorf("grown: %+v", got)
	}
	p := "transcripts/chatgpt/2025/2025-08-09-csv-export.md"
	after := read(t, v)[p]
	if diff := cmp.Diff([]string{"Hello", "Hi there", "Go on"}, active(t, after)); diff != "" {
		t.Errorf("the active path (-want +got):\n%s\n%s", diff, after)
	}
	_, oldBody, _ := strings.Cut(before[p], "\n---\n")
	if !strings.Contains(after, oldBody) {
		t.Errorf("what stood there was rewritten:\n%s", after)
	}
}

func TestImportRespectsThePerson(t *testing.T) {
	dir, state := t.TempDir(), t.TempDir()
	v := openVault(t, dir, nil)
	c := talk(1, turn("a", "user", "Hello", 1))
	importAll(t, v, state, list{c})
	name := filepath.Join(dir, "transcripts/chatgpt/2025/2025-08-09-csv-export.md")
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	// A better title, a remark below, another name and another folder.
	edited := strings.Replace(string(raw), "title: CSV export", "title: The night of the export # mine", 1) + "\nMy remark.\n"
	moved := filepath.Join(dir, "transcripts/nights/the-night.md")
	if err := errors.Join(os.Mkdir(filepath.Dir(moved), 0o755), os.WriteFile(moved, []byte(edited), 0o644), os.Remove(name)); err != nil {
		t.Fatal(err)
	}
	c.Turns = append(c.Turns, turn("b", "assistant", "Hi", 2))
	c.Updated = at(2)
	if got := importAll(t, v, state, list{c}); got.ConversationsUpdated != 1 || got.MessagesNew != 1 {
		t.Errorf("grown: %+v", got)
	}
	files := read(t, v)
	got := files["transcripts/nights/the-night.md"]
	if len(files) != 1 || !strings.Contains(got, "title: The night of the export # mine\n") || !strings.Contains(got, "\nMy remark.\n") {
		t.Errorf("%d files; the transcript is\n%s", len(files), got)
	}
	if diff := cmp.Diff([]string{"Hello", "Hi"}, active(t, got)); diff != "" {
		t.Error(diff)
	}

	// A transcript that the person deletes does not come back.
	if err := os.Remove(moved); err != nil {
		t.Fatal(err)
	}
	if got := importAll(t, v, state, list{c}); got.Changed() || got.ConversationsRemoved != 1 {
		t.Errorf("after deleting: %+v", got)
	}
}

func TestImportIsResumable(t *testing.T) {
	var talks list
	for n := range 20 {
		talks = append(talks, talk(n, turn("a", "user", fmt.Sprintf("Talk %d", n), 1), turn("b", "assistant", "```\nopen", 2)))
	}
	whole := openVault(t, t.TempDir(), nil)
	importAll(t, whole, "", talks)
	want := read(t, whole)

	// The disk is full at the n-th step of writing; then there is room again.
	for n := 1; n < 120; n += 17 {
		dir := t.TempDir()
		steps := make(chan int, 1)
		steps <- 0
		full := openVault(t, dir, func(vault.Step, vault.Path) error {
			step := <-steps + 1
			steps <- step
			if step >= n {
				return syscall.ENOSPC
			}
			return nil
		})
		state := t.TempDir() // where there is room all the while
		im := NewImporter(full, directly{full}, ImportConfig{State: state})
		if _, err := im.Import(t.Context(), importer.Input{Name: "conversations.json"}, talks); !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("step %d: err %v", n, err)
		}
		if gone, err := im.Finish(); err != nil || len(gone) != 0 {
			t.Fatalf("step %d: %v are taken for removed, %v", n, gone, err)
		}
		for p, text := range read(t, full) {
			if want[p] != text {
				t.Errorf("step %d: %s is half written or has another name", n, p)
			}
		}
		again := openVault(t, dir, nil)
		importAll(t, again, state, talks)
		if diff := cmp.Diff(want, read(t, again)); diff != "" {
			t.Errorf("step %d: after going on (-want +got):\n%s", n, diff)
		}
	}
}

func TestImportStops(t *testing.T) {
	v := openVault(t, t.TempDir(), nil)
	ctx, stop := context.WithCancel(t.Context())
	im := NewImporter(v, directly{v}, ImportConfig{Progress: func(n int) {
		if n == 3 {
			stop()
		}
	}})
	var talks list
	for n := range 10 {
		talks = append(talks, talk(n, turn("a", "user", "Hello", 1)))
	}
	run, err := im.Import(ctx, importer.Input{Name: "conversations.json"}, talks)
	if !errors.Is(err, context.Canceled) || run.ConversationsNew > 3 {
		t.Errorf("run %+v, err %v", run, err)
	}
	if files := read(t, v); len(files) != run.ConversationsNew {
		t.Errorf("%d files for %d conversations", len(files), run.ConversationsNew)
	}
}
