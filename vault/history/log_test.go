package history

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/memsync/memsync/vault"
)

// branchy makes a history with merges, a commit an hour, by git alone.
func branchy(t *testing.T) *box {
	t.Helper()
	needGit(t)
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	r := rand.New(rand.NewPCG(3, 4))
	when := noon
	run := func(args ...string) error {
		when = when.Add(time.Hour)
		cmd := gitCommand(dir, args...)
		cmd.Env = append(cmd.Env, "GIT_AUTHOR_DATE="+when.Format(time.RFC3339), "GIT_COMMITTER_DATE="+when.Format(time.RFC3339))
		return cmd.Run()
	}
	for i := range 40 {
		name := fmt.Sprintf("d%d/n%d.md", r.IntN(2), r.IntN(3))
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(fmt.Sprintln(i)), 0o666); err != nil {
			t.Fatal(err)
		}
		git(t, dir, "add", ".")
		if err := run("commit", "-qm", fmt.Sprintf("notes: step %d\n\nMemsync-Run: run%d", i, i%7)); err != nil {
			t.Fatal(err)
		}
		switch i % 10 {
		case 3:
			git(t, dir, "checkout", "-q", "-b", fmt.Sprint("side", i), "HEAD~2")
		case 7:
			git(t, dir, "checkout", "-q", "main")
			if run("merge", "-q", "-X", "ours", "-m", "merge", fmt.Sprint("side", i-4)) != nil {
				git(t, dir, "checkout", "-q", "--ours", ".")
				git(t, dir, "add", ".")
				if err := run("commit", "-qm", "merge, resolved"); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	git(t, dir, "checkout", "-q", "main")
	git(t, dir, "tag", "-a", "-m", "tag", "v1", "HEAD~3")
	return adopt(t, dir, Config{})
}

func ids(commits []Commit) string {
	var out []string
	for _, c := range commits {
		out = append(out, c.ID.String())
	}
	return strings.Join(out, "\n")
}

func TestLogAgainstGit(t *testing.T) {
	b := branchy(t)
	tests := map[string]struct {
		options LogOptions
		git     []string
	}{
		"all":       {LogOptions{}, nil},
		"packed":    {LogOptions{}, nil},
		"a file":    {LogOptions{Path: "d0/n1.md"}, []string{"--", "d0/n1.md"}},
		"a folder":  {LogOptions{Path: "d1"}, []string{"--", "d1"}},
		"a run":     {LogOptions{Run: "run3"}, []string{"--grep=^Memsync-Run: run3$"}},
		"no author": {LogOptions{Author: MachineEmail}, []string{"--author=" + MachineEmail}},
		"from":      {LogOptions{From: "HEAD~4", Limit: 5}, []string{"HEAD~4", "-5"}},
		"since":     {LogOptions{Since: noon.Add(40 * time.Hour)}, []string{"--since=" + noon.Add(40*time.Hour).Format(time.RFC3339)}},
		"until":     {LogOptions{Until: noon.Add(40 * time.Hour)}, []string{"--until=" + noon.Add(40*time.Hour).Format(time.RFC3339)}},
	}
	for name, test := range tests {
		if name == "packed" {
			b.git("gc", "-q")
			b.git("pack-refs", "--all")
		}
		got, err := b.Log(t.Context(), test.options)
		if err != nil {
			t.Fatal(err)
		}
		want := b.git(append([]string{"log", "--format=%H"}, test.git...)...)
		if diff := cmp.Diff(want, ids(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestResolve(t *testing.T) {
	b := branchy(t)
	head := b.git("rev-parse", "HEAD")
	for _, rev := range []string{"HEAD", "@", "main", "refs/heads/main", "heads/main", "side3", "v1", "HEAD~2", "HEAD^", "HEAD~3^2~1", "v1^0", "main~5", head, head[:7], head[:8] + "^", "tags/v1"} {
		want := gitOut(b, "rev-parse", rev+"^{commit}")
		got, err := b.Resolve(t.Context(), rev)
		if want == "" && errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil || got.String() != want {
			t.Errorf("%s is %s (%v), want %s", rev, got, err, want)
		}
	}
	for _, rev := range []string{"nowhere", "HEAD~1000", "abcd", "HEAD^7", "", "../config", "config", strings.Repeat("0", 40)} {
		if got, err := b.Resolve(t.Context(), rev); rev != "" && !errors.Is(err, ErrNotFound) {
			t.Errorf("%q is %s, %v; want not found", rev, got, err)
		}
	}
}

func gitOut(b *box, args ...string) string {
	out, err := gitCommand(b.dir, args...).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

func TestResolveDate(t *testing.T) {
	b := newBox(t, Config{Zone: time.FixedZone("", 3*3600)})
	var made []Commit
	for i := range 3 {
		c := machine("notes: day", b.write("a.md", fmt.Sprintln(i)))
		c.Author.When = noon.AddDate(0, 0, 2*i)
		result, err := b.Commit(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, result.Commit)
	}
	for rev, want := range map[string]int{
		"2025-03-01": 0, "2025-03-02": 0, "2025-03-03": 1, "2030-01-01": 2,
		"2025-03-03 14:59": 0, "2025-03-03 15:00": 1, "2025-03-03T12:00:00Z": 1, "2025-03-03T11:59:59Z": 0,
	} {
		got, err := b.Resolve(t.Context(), rev)
		if err != nil || got != made[want].ID {
			t.Errorf("%s is %s (%v), want commit %d", rev, got, err, want)
		}
	}
	if _, err := b.Resolve(t.Context(), "2025-02-28"); !errors.Is(err, ErrNotFound) {
		t.Errorf("before the first commit: %v", err)
	}
}

func TestViewAndVersions(t *testing.T) {
	b := newBox(t, Config{})
	ctx := t.Context()
	if commits, err := b.Log(ctx, LogOptions{}); err != nil || len(commits) != 0 {
		t.Errorf("an empty history has %v, %v", commits, err)
	}
	first := b.commit("facts: a", b.write("facts/a.md", "one\n"), b.write("b.md", "b\n"))
	b.write("facts/a.md", "one\nand mine\n")
	b.git("commit", "-qam", "edit")
	b.git("mv", "facts/a.md", "facts/renamed.md")
	b.git("commit", "-qm", "rename")
	b.commit("facts: gone", b.remove("b.md"))

	v, err := b.At(ctx, "HEAD~3")
	if err != nil {
		t.Fatal(err)
	}
	files, err := v.Files(ctx)
	if err != nil {
		t.Fatal(err)
	}
	want := []Blob{
		{"b.md", idOf(kindBlob, []byte("b\n")), 2},
		{"facts/a.md", idOf(kindBlob, []byte("one\n")), 4},
	}
	if diff := cmp.Diff(want, files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if text, err := v.Read("facts/a.md"); err != nil || string(text) != "one\n" {
		t.Errorf("read %q, %v", text, err)
	}
	if _, err := v.Read("facts"); !errors.Is(err, ErrNotFound) {
		t.Errorf("a folder reads: %v", err)
	}

	versions, err := b.Versions(ctx, "facts/renamed.md")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range versions {
		got = append(got, v.Commit.Subject+" "+string(v.Path))
	}
	wantVersions := []string{"rename facts/renamed.md", "edit facts/a.md", "facts: a facts/a.md"}
	if diff := cmp.Diff(wantVersions, got); diff != "" {
		t.Errorf("versions (-want +got):\n%s", diff)
	}
	text, was, err := b.LastBy(ctx, "facts/renamed.md", MachineEmail)
	if err != nil || string(text) != "one\n" || was.Commit.ID != first.ID || was.Path != "facts/a.md" {
		t.Errorf("memsync last wrote %q as %s in %s: %v", text, was.Path, was.Commit.ID, err)
	}
	for _, p := range []vault.Path{"b.md", "never.md"} {
		if _, _, err := b.LastBy(ctx, p, MachineEmail); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: %v", p, err)
		}
	}
}

// A note that is renamed and edited in one commit is followed by its id.
func TestVersionsOfARenamedNote(t *testing.T) {
	b := newBox(t, Config{})
	b.commit("topics: one", b.write("memory/flask.md", "---\nid: to-flask\ntitle: Flask\n---\n\n- One.\n"), b.write("memory/other.md", "---\nid: to-other\n---\n"))
	b.git("mv", "memory/flask.md", "memory/budget-app.md")
	b.git("rm", "-q", "memory/other.md")
	b.write("memory/budget-app.md", "---\nid: to-flask\ntitle: Budget app\n---\n\n- One.\n- Mine.\n")
	b.write("memory/fresh.md", "---\nid: to-fresh\n---\n")
	b.git("add", "-A")
	b.git("commit", "-qm", "rename and edit")
	text, was, err := b.LastBy(t.Context(), "memory/budget-app.md", MachineEmail)
	if err != nil || !strings.Contains(string(text), "title: Flask") || was.Path != "memory/flask.md" {
		t.Errorf("memsync last wrote %q as %s: %v", text, was.Path, err)
	}
	if _, _, err := b.LastBy(t.Context(), "memory/fresh.md", MachineEmail); !errors.Is(err, ErrNotFound) {
		t.Errorf("a new note was something before: %v", err)
	}
}

// What Diff says of any two commits turns the one into the other.
func TestDiffApplies(t *testing.T) {
	b := newBox(t, Config{})
	b.commit("notes: start", b.write("a.md", "1\n2\n3\n4\n5\n"), b.write("gone.md", "x"), b.write("with space.md", "a\n"), b.write("é \"q\".md", "q"))
	b.commit("notes: next", b.write("a.md", "1\n2\nthree\n4\n5"), b.remove("gone.md"), b.write("with space.md", "b\n"),
		b.write("é \"q\".md", "Q\r\n"), b.write("new/x.md", "new\n"), b.write("empty.md", ""))
	files, err := b.Diff(t.Context(), "HEAD~1", "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	var patch strings.Builder
	for _, f := range files {
		patch.WriteString(f.Patch)
	}
	b.git("checkout", "-q", "HEAD~1")
	cmd := gitCommand(b.dir, "apply", "--index", "--whitespace=nowarn", "-")
	cmd.Stdin = strings.NewReader(patch.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git apply: %v\n%s\n%s", err, out, patch.String())
	}
	if got := b.git("diff", "--cached", "main"); got != "" {
		t.Errorf("after applying:\n%s\n%s", got, patch.String())
	}
	_, shown, err := b.Show(t.Context(), "main", "new", "a.md")
	if err != nil {
		t.Fatal(err)
	}
	got := map[vault.Path][2]int{}
	for _, f := range shown {
		got[f.Path] = [2]int{f.Added, f.Removed}
	}
	if diff := cmp.Diff(map[vault.Path][2]int{"a.md": {2, 2}, "new/x.md": {1, 0}}, got); diff != "" {
		t.Errorf("shown (-want +got):\n%s", diff)
	}
}

func TestDiffAgainstDisk(t *testing.T) {
	b := newBox(t, Config{})
	b.commit("notes: start", b.write("a.md", "1\n2\n"), b.write("gone.md", "x\n"), b.write("same.md", "s\n"))
	b.commit("notes: next", b.write("a.md", "1\n2\n3\n"), b.write("back.md", "b\n"))
	b.remove("gone.md")
	b.remove("back.md")
	b.write("a.md", "1\n2\n3\nmine\n")
	b.write("new.md", "n\n")
	files, err := b.Diff(t.Context(), "HEAD~1", "")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range files {
		got = append(got, fmt.Sprintf("%s %s +%d -%d", f.Path, f.Status, f.Added, f.Removed))
	}
	want := []string{"a.md modified +2 -0", "gone.md deleted +0 -1", "new.md added +1 -0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestVaultInAFolder(t *testing.T) {
	needGit(t)
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	whole := adopt(t, dir, Config{})
	whole.write("code.go", "package main\n")
	whole.write("notes/ai/x.md", "x\n")
	whole.git("add", ".")
	whole.git("commit", "-qm", "start")
	part := adopt(t, filepath.Join(dir, "notes", "ai"), Config{})
	part.commit("facts: y", part.write("facts/y.md", "y\n"))
	whole.write("code.go", "package main // changed\n")
	whole.git("commit", "-qam", "code")
	if got := whole.git("ls-files"); got != "code.go\nnotes/ai/facts/y.md\nnotes/ai/x.md" {
		t.Errorf("files: %q", got)
	}
	commits, err := part.Log(t.Context(), LogOptions{Files: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(commits) != 2 || commits[0].Subject != "facts: y" || len(commits[1].Files) != 1 || commits[1].Files[0].Path != "x.md" {
		t.Errorf("the vault's log: %v", commits)
	}
	v, err := part.At(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	files, err := v.Files(t.Context())
	if err != nil || len(files) != 2 || files[0].Path != "facts/y.md" {
		t.Errorf("the vault's files: %v, %v", files, err)
	}
}
