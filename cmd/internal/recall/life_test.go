package recall

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memsync/memsync/cmd/internal/answer"
	"github.com/memsync/memsync/vault"
)

// Ninety-four questions about an invented person's year, asked without a model. What
// can be answered must bring evidence; what is about nothing in memory must be
// missing; and of what is about a thing in memory of which just that was never said, a
// part is told by what the evidence lacks. The bounds leave room for a question or two
// of each kind. What was reached is in docs/packs.md.
func TestNotInMemory(t *testing.T) {
	m := life(t)
	type bounds struct{ least, most float64 }
	for set, wanted := range map[string]map[string]bounds{
		"life-questions": {"says": {0, 0}, "means": {0, 0.2}, "near": {0.4, 1}, "far": {0.9, 1}},
		"life-check":     {"says": {0, 0.1}, "means": {0, 0.4}, "near": {0.4, 1}, "far": {0.8, 1}},
	} {
		raw, err := os.ReadFile("testdata/" + set + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		asked, missing := map[string]int{}, map[string]int{}
		for line := range strings.Lines(string(raw)) {
			kind, question, ok := strings.Cut(strings.TrimSpace(line), ": ")
			if !ok || strings.HasPrefix(line, "#") {
				continue
			}
			r, err := Ask(t.Context(), m, question, Config{})
			if err != nil {
				t.Fatal(err)
			}
			asked[kind]++
			if r.Outcome != Evidence {
				missing[kind]++
			}
			if answerable := kind == "says" || kind == "means"; answerable != (r.Outcome == Evidence) {
				t.Logf("%s: %s: %q is %s: %.2f of its words, cosine %.2f", set, kind, question, r.Outcome, r.Support.Coverage, r.Support.Cosine)
			}
		}
		for kind, want := range wanted {
			share := float64(missing[kind]) / float64(max(1, asked[kind]))
			t.Logf("%s: %s: %d of %d are not in memory", set, kind, missing[kind], asked[kind])
			if share < want.least || share > want.most {
				t.Errorf("%s: %s: %.2f are not in memory, want %.2f to %.2f", set, kind, share, want.least, want.most)
			}
		}
	}
}

// life is the memory of testdata/life.txt.
func life(t *testing.T) *answer.Memory {
	t.Helper()
	f, err := os.Open("testdata/life.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var heads []string
	var turns [][]vault.Turn
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := lines.Text()
		switch who := map[string]string{"u ": "user", "a ": "assistant"}[line[:min(2, len(line))]]; {
		case who != "":
			n := len(turns) - 1
			turns[n] = append(turns[n], vault.Turn{Sender: who, Text: line[2:]})
		case line != "" && !strings.HasPrefix(line, "#"):
			heads, turns = append(heads, line), append(turns, nil)
		}
	}
	dir, state := t.TempDir(), t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "transcripts"), 0o700); err != nil {
		t.Fatal(err)
	}
	for i, h := range heads {
		date, title, _ := strings.Cut(h, " ")
		text := append(fmt.Appendf(nil, "---\nid: tr-%02d\ntype: transcript\ntitle: %s\ncreated: %s\n---\n\n", i, title, date), vault.FormatTurns(1, turns[i])...)
		if err := os.WriteFile(filepath.Join(dir, "transcripts", fmt.Sprintf("%02d.md", i)), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return over(t, dir, answer.Config{State: state, Now: func() time.Time { return time.Date(2025, 10, 1, 9, 0, 0, 0, time.UTC) }})
}
