// Package importertest has what the tests of every format need: inputs from
// memory, a collector for what a format emits, and the laws that hold for all.
package importertest

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/memsync/memsync/sync/importer"
)

// Input is a file that exists in memory only.
func Input(name string, data []byte) importer.Input {
	return importer.Input{Name: name, Size: int64(len(data)), Open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(data)), nil
	}}
}

// Result is all that a format made of a file.
type Result struct {
	Conversations []importer.Conversation
	Warnings      []importer.Warning
	Err           error
}

// Read runs a format over a file.
func Read(t testing.TB, f importer.Format, in importer.Input) Result {
	t.Helper()
	var r Result
	r.Err = f.Read(t.Context(), in, func(c importer.Conversation) error {
		r.Conversations = append(r.Conversations, c)
		return nil
	}, func(w importer.Warning) { r.Warnings = append(r.Warnings, w) })
	return r
}

// Shared returns the path of the project's shared test data below dir, which
// lies beside the repository, or skips the test where it is absent.
func Shared(t testing.TB, dir string) string {
	t.Helper()
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		up := filepath.Dir(root)
		if up == root {
			t.Fatal("there is no go.mod above this test")
		}
		root = up
	}
	path := filepath.Join(root, "..", "shared", "data", dir)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the shared test data is not here: %v", err)
	}
	return path
}

// Check fails the test where a result breaks a law that every format keeps.
func Check(t testing.TB, name string, r Result) {
	t.Helper()
	for _, w := range r.Warnings {
		if w.File != name {
			t.Errorf("the warning %v does not name its file %s", w, name)
		}
		if w.Text == "" || strings.Contains(w.Text, "%!") {
			t.Errorf("a bad warning: %q", w.Text)
		}
	}
	if r.Err != nil && !strings.Contains(r.Err.Error(), name) {
		t.Errorf("the error %q does not name its file %s", r.Err, name)
	}
	for _, c := range r.Conversations {
		checkConversation(t, c)
	}
}

func checkConversation(t testing.TB, c importer.Conversation) {
	t.Helper()
	if c.Source == "" || c.ID == "" {
		t.Errorf("a conversation has source %q and id %q", c.Source, c.ID)
	}
	seen := map[string]bool{"": true, importer.NoParent: true}
	branches := false
	last := ""
	for i, turn := range c.Turns {
		if strings.TrimSpace(turn.Text) == "" && len(turn.Attachments) == 0 {
			t.Errorf("%s: turn %d is empty", c.ID, i)
		}
		if !utf8.ValidString(turn.Text) {
			t.Errorf("%s: turn %d is not UTF-8", c.ID, i)
		}
		if !seen[turn.Parent] {
			t.Errorf("%s: turn %d answers %q, which does not stand before it", c.ID, i, turn.Parent)
		}
		if turn.MessageID != "" && seen[turn.MessageID] && turn.MessageID != importer.NoParent {
			t.Errorf("%s: the message id %s comes twice", c.ID, turn.MessageID)
		}
		seen[turn.MessageID] = true
		if branches && !turn.Branch {
			t.Errorf("%s: turn %d is on the active path but stands behind a branch", c.ID, i)
		}
		branches = turn.Branch
		if !turn.Branch {
			last = turn.MessageID
		}
	}
	if c.Current != "" && c.Current != last {
		t.Errorf("%s: current is %q, the active path ends at %q", c.ID, c.Current, last)
	}
}
