package history

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/memsync/memsync/vault"
)

// Committing what Dirty lists leaves nothing for git status, after any series of
// edits, staged or not.
func TestDirtyIsWhatGitWouldAdd(t *testing.T) {
	b := newBox(t, Config{})
	b.commit("notes: rules", b.write(".gitignore", "*.log\n/build/\n!keep.log\n"))
	r := rand.New(rand.NewPCG(5, 6))
	for round := range 12 {
		for range 8 {
			name := fmt.Sprintf("%s/n%d.%s", []string{"a", "a/b", "build", "c"}[r.IntN(4)], r.IntN(4), []string{"md", "log"}[r.IntN(2)])
			switch r.IntN(4) {
			case 0:
				os.Remove(filepath.Join(b.dir, filepath.FromSlash(name)))
			case 1:
				b.write(name, fmt.Sprintln(round, r.IntN(100)))
				gitOut(b, "add", "-f", name)
			default:
				b.write(name, fmt.Sprintln(round, r.IntN(100)))
			}
		}
		files, err := b.Dirty(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		change := Change{Author: ana, Subject: fmt.Sprint("edit ", round)}
		for _, f := range files {
			got = append(got, string(f.Status)[:1]+" "+string(f.Path))
			change.Files = append(change.Files, File{f.Path, OnDisk})
		}
		// Ask git by way of another index, so as not to touch the real one.
		other := filepath.Join(t.TempDir(), "index")
		for _, args := range [][]string{{"read-tree", "HEAD"}, {"add", "-A"}} {
			cmd := gitCommand(b.dir, args...)
			cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+other)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("git %v: %v\n%s", args, err, out)
			}
		}
		cmd := gitCommand(b.dir, "diff", "--cached", "--name-status", "--no-renames", "HEAD")
		cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+other)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for line := range strings.SplitSeq(strings.TrimSpace(string(out)), "\n") {
			if line != "" {
				want = append(want, strings.ToLower(line[:1])+" "+line[2:])
			}
		}
		// Ignored files that the person added by force are theirs to commit.
		for _, f := range files {
			if line := string(f.Status)[:1] + " " + string(f.Path); f.Staged && !slices.Contains(want, line) {
				want = append(want, line)
			}
		}
		slices.SortFunc(want, func(a, b string) int { return strings.Compare(a[2:], b[2:]) })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("round %d (-git +got):\n%s", round, diff)
		}
		if _, err := b.Commit(t.Context(), change); err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(b.status(), "\n") {
			// What was staged and is not on disk any more stays staged
			// where HEAD never had it.
			if line != "" && !strings.HasPrefix(line, "AD ") {
				t.Fatalf("round %d: git status says %q", round, line)
			}
		}
		b.whole()
	}
}

func TestDirtyBelow(t *testing.T) {
	b := newBox(t, Config{})
	b.commit("notes: start", b.write("a/x.md", "x"), b.write("a/y.md", "y"), b.write("b/z.md", "z"))
	b.write("a/x.md", "xx")
	b.write("b/z.md", "zz")
	b.write("b/deep/new.md", "n")
	b.remove("a/y.md")
	for _, test := range []struct {
		paths []vault.Path
		want  []DirtyFile
	}{
		{[]vault.Path{"a/x.md"}, []DirtyFile{{Path: "a/x.md", Status: Modified}}},
		{[]vault.Path{"b/deep"}, []DirtyFile{{Path: "b/deep/new.md", Status: Added, Untracked: true}}},
		{[]vault.Path{"a", "b/z.md"}, []DirtyFile{{Path: "a/x.md", Status: Modified}, {Path: "a/y.md", Status: Deleted}, {Path: "b/z.md", Status: Modified}}},
	} {
		got, err := b.Dirty(t.Context(), test.paths...)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", test.paths, diff)
		}
	}
}

func TestPerson(t *testing.T) {
	b := newBox(t, Config{})
	if _, ok := b.Person(noon); ok {
		t.Error("git knows nobody here")
	}
	b.git("config", "user.name", "Ana")
	b.write("included", "[user]\n\temail = ana@example.org\n")
	b.git("config", "include.path", "../included")
	if _, err := b.Dirty(t.Context()); err != nil { // reads the settings again
		t.Fatal(err)
	}
	got, ok := b.Person(noon)
	if diff := cmp.Diff(ana, got); diff != "" || !ok {
		t.Errorf("%v (-want +got):\n%s", ok, diff)
	}
}
