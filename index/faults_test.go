package index

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memsync/memsync/index/rank"
	"github.com/memsync/memsync/vault"
)

// TestChild is not a test: it is the process that TestKilled kills.
func TestChild(t *testing.T) {
	dir := os.Getenv("MEMSYNC_TEST_CHILD")
	if dir == "" {
		t.Skip("runs as the child of TestKilled")
	}
	x := openIndex(t, dir, newWords("words/1", 64))
	fmt.Println("open")
	for i := 0; ; i++ {
		src := newTree(pairs(i))
		if _, err := x.Sync(t.Context(), src); err != nil {
			t.Fatal(err)
		}
		fmt.Println("synced")
	}
}

// pairs are notes of which each version names itself in all of them.
func pairs(version int) map[string]string {
	files := make(map[string]string)
	for i := range 30 {
		files[fmt.Sprintf("n%d.md", i)] = fmt.Sprintf("version%d of note%d\n\n%s", version, i, strings.Repeat("words that take room ", 40+version%7))
	}
	return files
}

// A process that dies at any moment leaves an index that opens, agrees with
// itself, answers, and is brought in step.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	for round := range 8 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestChild$")
		cmd.Env = append(os.Environ(), "MEMSYNC_TEST_CHILD="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for range round + 1 { // dies a little later each time
			if !lines.Scan() {
				break
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()

		x := openIndex(t, dir, newWords("words/1", 64))
		if err := x.Check(t.Context()); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		if s, err := x.Status(t.Context()); err != nil || len(s.Remarks) > 0 || s.Notes != 0 && s.Notes != 30 {
			t.Fatalf("round %d: %+v, %v", round, s, err)
		}
		sync1(t, x, newTree(pairs(1000+round)))
		r := search(t, x, fmt.Sprintf("version%d note7", 1000+round))
		if len(r.Hits) == 0 || r.Hits[0].Path != "n7.md" {
			t.Fatalf("round %d: %v", round, paths(r))
		}
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// Damage that shows only while the index is in use: it is moved aside, said, and
// repaired by the next sync.
func TestDamagedWhileOpen(t *testing.T) {
	dir, src := t.TempDir(), talk()
	e := newWords("words/1", 64)
	x := openIndex(t, dir, e)
	sync1(t, x, src)
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "index-1.db")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 16384; i < len(raw); i++ {
		raw[i] ^= 0x5a
	}
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	y := openIndex(t, dir, e)
	_, err = y.Search(t.Context(), Query{Text: "tomatoes"})
	if err == nil {
		// Open noticed by itself; then the answer is empty and says why.
		r := search(t, y, "tomatoes")
		if len(r.Hits) != 0 || len(r.Notes) == 0 {
			t.Fatalf("a damaged index answered %+v", r)
		}
	} else if !errors.Is(err, ErrDamaged) {
		t.Fatalf("a damaged index: %v", err)
	}
	report := sync1(t, y, src)
	if report.Added != 4 || report.Embedded != 0 {
		t.Errorf("the repair: %+v", report)
	}
	if r := search(t, y, "tomatoes"); len(r.Hits) == 0 || r.Hits[0].Path != "garden.md" {
		t.Errorf("after the repair: %+v", r)
	}
	if moved, _ := filepath.Glob(path + ".damaged-*"); len(moved) != 1 {
		t.Errorf("moved aside: %v", moved)
	}
}

// Searches answer while notes change and the index is rebuilt under them, in
// this process and in another one.
func TestSearchDuringUpdates(t *testing.T) {
	dir, e := t.TempDir(), newWords("words/1", 64)
	src := newTree(pairs(0))
	x := openIndex(t, dir, e)
	sync1(t, x, src)
	other := openIndex(t, dir, e) // as another process has it
	ctx, cancel := context.WithCancel(t.Context())
	var searching sync.WaitGroup
	for _, y := range []*Index{x, other, x} {
		searching.Go(func() {
			for ctx.Err() == nil {
				r, err := y.Search(t.Context(), Query{Text: "note7 words", Now: clock})
				if err != nil {
					t.Error(err)
					return
				}
				if len(r.Hits) == 0 || r.Chunks < 30 {
					t.Errorf("an empty answer in the middle of an update: %+v", r)
					return
				}
			}
		})
	}
	for version := 1; version <= 6; version++ {
		for path, text := range pairs(version) {
			src.write(path, text)
		}
		if version%3 == 0 {
			if _, err := x.Rebuild(t.Context(), src); err != nil {
				t.Error(err)
			}
		} else {
			sync1(t, x, src)
		}
	}
	cancel()
	searching.Wait()
	r := search(t, other, "version6 note3")
	if len(r.Hits) == 0 || !strings.Contains(r.Hits[0].Text, "version6") {
		t.Errorf("the other process sees %+v", r.Hits)
	}
	if found, _ := filepath.Glob(filepath.Join(dir, "index-*.db")); len(found) != 1 {
		t.Errorf("files of replaced indexes are left: %v", found)
	}
}

// Two processes that update at once disturb nothing.
func TestTwoWriters(t *testing.T) {
	dir, e := t.TempDir(), newWords("words/1", 64)
	var writing sync.WaitGroup
	for range 2 {
		x := openIndex(t, dir, e)
		writing.Go(func() {
			for version := range 4 {
				if _, err := x.Sync(t.Context(), newTree(pairs(version))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writing.Wait()
	x := openIndex(t, dir, e)
	if err := x.Check(t.Context()); err != nil {
		t.Error(err)
	}
	if s, err := x.Status(t.Context()); err != nil || s.Notes != 30 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestBadNotes(t *testing.T) {
	huge := 50 << 20
	if testing.Short() {
		huge = 5 << 20
	}
	line := "a line of a note that is far too long for anybody to read, about quicksilver. "
	src := newTree(map[string]string{
		"huge.md":                            strings.Repeat(line+"\n", huge/len(line)) + "the end holds a narwhal\n",
		"one-line.md":                        strings.Repeat(line, 20_000) + "with an okapi",
		"no-spaces.md":                       strings.Repeat("x", 2_000_000),
		"empty.md":                           "",
		"only-front.md":                      "---\ntitle: Aardvark\n---\n",
		"binary.md":                          strings.Repeat("\x00\x01\xff\xfe", 100_000),
		"invalid.md":                         "caf\xe9 with a \xff\xfe lemur",
		"broken.md":                          "---\n: : [\n---\nwombat in the body",
		"unclosed.md":                        "---\ntitle: x\nno end, a tapir",
		"日記/昨日.md":                           "猫が窓から逃げた。",
		"Ελληνικά/σημείωση.md":               "Η γάτα έφυγε από το παράθυρο.",
		"עברית/הערה.md":                      "החתול ברח מהחלון.",
		"emoji 🎉/party.md":                   "The ocelot 🎉 came to the party.",
		"combining.md":                       "Cafe\u0301 au lait",
		strings.Repeat("d/", 60) + "deep.md": "A quokka lives deep down.",
	})
	x := openIndex(t, t.TempDir(), newWords("words/1", 16))
	r := sync1(t, x, src)
	if r.Added != len(src.files) {
		t.Errorf("%+v", r)
	}
	status, err := x.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	named := make(map[string]string)
	for _, p := range status.Problems {
		named[p.Path] = p.Text
	}
	if len(named) != 2 || named["binary.md"] != "it holds no text; its name is searched" || !strings.HasPrefix(named["broken.md"], "front matter: ") {
		t.Errorf("problems %q", named)
	}
	for query, want := range map[string]string{
		"binary": "binary.md", "empty": "empty.md",
		"narwhal": "huge.md", "okapi": "one-line.md", "aardvark": "only-front.md", "lemur": "invalid.md", "wombat": "broken.md",
		"tapir": "unclosed.md", "窓から": "日記/昨日.md", "γάτα": "Ελληνικά/σημείωση.md", "החתול": "עברית/הערה.md", "ocelot": "emoji 🎉/party.md",
		"café lait": "combining.md", "quokka": strings.Repeat("d/", 60) + "deep.md",
	} {
		got, err := x.Search(t.Context(), Query{Text: query, Mode: rank.Keyword, Now: clock})
		if err != nil || len(got.Hits) == 0 || string(got.Hits[0].Path) != want {
			t.Errorf("%s: %v, %v", query, paths(got), err)
		}
	}
	if err := x.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestBadQueries(t *testing.T) {
	x := openIndex(t, t.TempDir(), newWords("words/1", 64))
	sync1(t, x, talk())
	for name, text := range map[string]string{
		"words":     strings.Repeat("tomatoes and other words of a long question ", 1500),
		"operators": `tomatoes AND (NOT "OR NEAR( * ^ title: -x`,
		"quotes":    `"tomatoes" 'wall' ""`,
		"sql":       `tomatoes'; DROP TABLE notes; --`,
		"nul":       "tomatoes\x00wall",
		"invalid":   "tomatoes \xff\xfe",
		"stop":      "the and of tomatoes",
	} {
		r, err := x.Search(t.Context(), Query{Text: text, Now: clock})
		if err != nil || len(r.Hits) == 0 || r.Hits[0].Path != "garden.md" {
			t.Errorf("%s: %v, %v", name, paths(r), err)
		}
	}
	for _, text := range []string{"qwxz", "Καλημέρα", "漢字", "שלום עולם", "مرحبا", "สวัสดี", "🎉", "!?", "the", "AND OR NOT", `"" ()`, "\x00", "\xff", "\u202e\u200b"} {
		for mode := range 3 {
			r, err := x.Search(t.Context(), Query{Text: text, Now: clock, Mode: rankMode(mode)})
			if err != nil || len(r.Hits) == 0 && len(r.Notes) == 0 {
				t.Errorf("%q in mode %d: an empty answer without a reason, %v", text, mode, err)
			}
		}
	}
	for _, text := range []string{"", " \n\t"} {
		if _, err := x.Search(t.Context(), Query{Text: text}); !errors.Is(err, ErrEmptyQuery) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// An index of nothing says that it is one.
func TestEmptyIndexSaysSo(t *testing.T) {
	x := openIndex(t, t.TempDir(), newWords("words/1", 64))
	if r := search(t, x, "anything"); len(r.Hits) != 0 || len(r.Notes) != 1 || r.Hits == nil {
		t.Errorf("%+v", r)
	}
}

// A note that cannot be read is named and stops no other.
func TestUnreadableNote(t *testing.T) {
	x := openIndex(t, t.TempDir(), nil)
	r, err := x.Update(t.Context(), func(yield func(Change) bool) {
		_ = yield(Change{Path: "bad.md", Read: func() ([]byte, error) { return nil, os.ErrPermission }}) &&
			yield(Change{Path: "good.md", Read: func() ([]byte, error) { return []byte("a platypus"), nil }})
	})
	if err != nil || r.Added != 1 || len(r.Problems) != 1 || r.Problems[0].Path != "bad.md" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestCancelled(t *testing.T) {
	x := openIndex(t, t.TempDir(), newWords("words/1", 64))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Sync(ctx, talk()); !errors.Is(err, context.Canceled) {
		t.Errorf("sync: %v", err)
	}
	if _, err := x.Search(ctx, Query{Text: "x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("search: %v", err)
	}
	if err := x.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// Secrets that the caller's Redact takes out are neither found nor shown.
func TestRedacted(t *testing.T) {
	cfg := testConfig()
	cfg.Redact = func(s string) string { return strings.ReplaceAll(s, "hunter2", "[password]") }
	e := newWords("words/1", 64)
	x, err := Open(t.Context(), t.TempDir(), e, cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	sync1(t, x, newTree(map[string]string{"a.md": "# Login hunter2\n\nThe password is hunter2, do not tell."}))
	r, err := x.Search(t.Context(), Query{Text: "password", Now: clock})
	if err != nil || len(r.Hits) != 1 || strings.Contains(fmt.Sprint(r.Hits), "hunter2") {
		t.Errorf("%+v, %v", r, err)
	}
	if r, _ := x.Search(t.Context(), Query{Text: "hunter2", Mode: rank.Keyword}); len(r.Hits) != 0 {
		t.Error("the secret finds its note")
	}
	e.seen.Range(func(text, _ any) bool {
		if strings.Contains(text.(string), "hunter2") {
			t.Error("the secret was sent to the model")
		}
		return true
	})
}

// What an agent put into a message is not indexed, so that memory does not feed
// on itself.
func TestInjectedContextIsLeftOut(t *testing.T) {
	text := "<memsync-context>\n" + strings.Repeat("Ines likes zeppelins very much indeed. ", 120) + "\n</memsync-context>\nWhat is for lunch, ravioli?"
	note := "---\ntype: transcript\n---\n\n" + string(vault.FormatTurns(1, []vault.Turn{{Sender: "user", Text: text, Time: vault.Stamp{Time: clock.Add(-time.Hour)}}}))
	x := openIndex(t, t.TempDir(), newWords("words/1", 64))
	sync1(t, x, newTree(map[string]string{"t.md": note}))
	for query, found := range map[string]bool{"ravioli": true, "zeppelins": false} {
		r, err := x.Search(t.Context(), Query{Text: query, Mode: rank.Keyword, Now: clock})
		if err != nil || (len(r.Hits) > 0) != found {
			t.Errorf("%s: %v, %v", query, r.Hits, err)
		}
	}
}
