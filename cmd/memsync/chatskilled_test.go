package main

import (
	"context"
	goflag "flag"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The long form: -chat-tokens 500000 -chat-kills 20, some ten minutes on two cores.
var (
	chatTokens = goflag.Int("chat-tokens", 3000, "the tokens of each of the ten chats of TestChatsKilledAnywhere")
	chatKills  = goflag.Int("chat-kills", 2, "how often TestChatsKilledAnywhere kills the import")
)

// An import of ten chats with all that follows it is killed at random points, begun
// again each time, and at last let run to its end. Its transcripts, sessions, facts
// and proposals are then those of an import which nobody disturbed, and the same
// import once more adds nothing. Which sessions share a topic's page may differ: one
// that got its topic before the kill keeps it, as it does when a chat grows.
func TestChatsKilledAnywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("imports ten chats several times")
	}
	program, err := exec.LookPath("memsync") // the test's own binary
	if err != nil {
		t.Fatal(err)
	}
	base := t.TempDir()
	folder, tokens, _, err := writeChats(filepath.Join(base, "chats"), 3, *chatTokens)
	if err != nil {
		t.Fatal(err)
	}
	memsync := func(ctx context.Context, home string, args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Dir = home
		cmd.Env = append(os.Environ(), "HOME="+home, "USERPROFILE="+home, "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=", "XDG_STATE_HOME=", "XDG_DATA_HOME=", "MEMSYNC_VAULT=", "GORACE=atexit_sleep_ms=0")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	start := func(name string) (home string) {
		t.Helper()
		home = filepath.Join(base, name)
		if err := os.Mkdir(home, 0o700); err != nil {
			t.Fatal(err)
		}
		if out, err := memsync(t.Context(), home, "init", "vault"); err != nil {
			t.Fatal(out)
		}
		// The share of each tier is bounded, so that what is left of a run that was
		// killed is no smaller backlog to which other bounds apply.
		settings := "version: 1\nme: [" + benchMe + "]\nsynth:\n  whole: 10\n"
		if err := os.WriteFile(filepath.Join(home, "vault", ".memoryrc"), []byte(settings), 0o600); err != nil {
			t.Fatal(err)
		}
		return home
	}

	quiet := start("quiet")
	began := time.Now()
	if out, err := memsync(t.Context(), quiet, "import", folder, "--vault", "vault"); err != nil {
		t.Fatal(out)
	}
	whole := time.Since(began)
	want := notesOf(t, filepath.Join(quiet, "vault"))
	t.Logf("%d tokens, %d notes, %s", tokens, len(want), whole.Round(time.Millisecond))

	stormy := start("stormy")
	chance := rand.New(rand.NewPCG(uint64(began.UnixNano()), 1))
	killed := 0
	for range *chatKills {
		// On the average all runs together take as long as the whole.
		ctx, stop := context.WithTimeout(t.Context(), time.Duration(chance.Int64N(2*int64(whole)/int64(*chatKills))))
		out, err := memsync(ctx, stormy, "import", folder, "--vault", "vault")
		switch {
		case ctx.Err() != nil:
			killed++
		case err != nil:
			t.Errorf("it went on with an error: %s", out)
		}
		stop()
	}
	out, err := memsync(t.Context(), stormy, "import", folder, "--vault", "vault")
	if err != nil {
		t.Fatalf("after %d kills: %s", killed, out)
	}
	t.Logf("killed %d times", killed)
	compareNotes(t, want, notesOf(t, filepath.Join(stormy, "vault")))
	for _, home := range []string{quiet, stormy} {
		vault := filepath.Join(home, "vault")
		head := git(t, vault, "rev-parse", "HEAD")
		if out, err := memsync(t.Context(), home, "import", folder, "--vault", "vault"); err != nil || !strings.Contains(out, "Nothing new.") {
			t.Errorf("the same once more: %v\n%s", err, out)
		}
		if git(t, vault, "rev-parse", "HEAD") != head || git(t, vault, "status", "--porcelain") != "M .memoryrc" {
			t.Errorf("the same once more left %q and made\n%s", git(t, vault, "status", "--porcelain"), git(t, vault, "log", "--stat", head+".."))
		}
		if out, err := memsync(t.Context(), home, "status", "--json", "--vault", "vault"); err != nil || !strings.Contains(out, `"fresh":true`) {
			t.Errorf("the index is not in step: %s", out)
		}
	}
}

// compareNotes names the notes that differ, and shows how the first of them does.
func compareNotes(t *testing.T, want, got map[string]string) {
	t.Helper()
	var names []string
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got[name] != want[name] {
			names = append(names, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[name]; !ok {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		diff := cmp.Diff(want[names[0]], got[names[0]])
		t.Errorf("%d of %d notes differ: %s\n%s (-nobody disturbed it +killed):\n%s", len(names), len(want), strings.Join(names, "\n  "), names[0], diff[:min(len(diff), 3000)])
	}
}

// changing are the one time in notes that is the clock's, and a session's topic.
var changing = regexp.MustCompile(`(?m)^(?:merged_at|topic): .*\n`)

// notesOf are the notes of a vault that do not depend on how topics came about.
func notesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	notes := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if d != nil && d.Name() == ".git" {
				return filepath.SkipDir
			}
			return err
		}
		raw, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		switch top, _, _ := strings.Cut(filepath.ToSlash(rel), "/"); top {
		case "transcripts", "sessions", "archive", "facts", "schema", "review":
			notes[rel] = changing.ReplaceAllString(string(raw), "")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return notes
}
