package history

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/memsync/memsync/vault"
)

func TestCommit(t *testing.T) {
	b := newBox(t, Config{})
	one := b.write("facts/health/sleep.md", "- Sleeps badly.\n")
	two := b.write("profile.md", "Ana.\n")
	b.write("mine.md", "not memsync's\n")

	c := b.commit("facts: 2 facts about sleep", one, two)
	if len(c.Parents) != 0 {
		t.Errorf("the first commit has parents: %v", c.Parents)
	}
	b.wantStatus("?? mine.md")
	if diff := cmp.Diff("facts/health/sleep.md\nprofile.md", b.git("ls-tree", "-r", "--name-only", "HEAD")); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	want := "memsync|memsync@localhost|2025-03-01 12:00:00 +0000|facts: 2 facts about sleep\n\nMemsync-Run: r1\nMemsync-Pass: facts"
	if diff := cmp.Diff(want, strings.TrimSpace(b.git("log", "-1", "--format=%an|%ae|%ai|%B"))); diff != "" {
		t.Errorf("commit (-want +got):\n%s", diff)
	}
	if got := b.git("log", "-1", "--format=%(trailers:key=Memsync-Pass,valueonly)"); strings.TrimSpace(got) != "facts" {
		t.Errorf("git reads the trailer as %q", got)
	}

	next := b.commit("facts: one more", b.write("facts/health/sleep.md", "- Sleeps well.\n"), b.remove("profile.md"))
	if diff := cmp.Diff([]ID{c.ID}, next.Parents); diff != "" {
		t.Errorf("parents (-want +got):\n%s", diff)
	}
	b.wantStatus("?? mine.md")
	if diff := cmp.Diff("facts: one more\nfacts: 2 facts about sleep", b.git("log", "--format=%s")); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff("commit: facts: one more\ncommit (initial): facts: 2 facts about sleep", b.git("reflog", "--format=%gs", "main")); diff != "" {
		t.Errorf("reflog (-want +got):\n%s", diff)
	}
	b.whole()
}

func TestNothingToCommit(t *testing.T) {
	b := newBox(t, Config{})
	f := b.write("a.md", "a\n")
	first := b.commit("notes: a", f)
	for _, files := range [][]File{nil, {f}, {f, {"never.md", vault.NoFile}}, {{"a.md", OnDisk}}} {
		result, err := b.Commit(t.Context(), machine("notes: again", files...))
		if err != nil || result.Made() {
			t.Errorf("%v made the commit %s: %v", files, result.Commit.ID, err)
		}
	}
	if _, at, err := b.Head(); err != nil || at != first.ID {
		t.Errorf("HEAD is at %s: %v", at, err)
	}
}

// A person's work in the same repository, dirty or staged, stays theirs.
func TestHumanWorkIsNotSwept(t *testing.T) {
	b := newBox(t, Config{})
	b.commit("notes: start", b.write("a.md", "a\n"), b.write("b.md", "b\n"), b.write("c.md", "c\n"), b.write("d/e.md", "e\n"))
	b.write("a.md", "a, edited\n")
	b.write("b.md", "b, staged\n")
	b.git("add", "b.md")
	b.write("b.md", "b, staged and edited\n")
	b.write("new.md", "staged, new\n")
	b.git("add", "new.md")
	b.git("rm", "-q", "d/e.md")
	b.write("later.md", "to be added\n")
	b.git("add", "-N", "later.md")
	before := b.status()

	c := b.commit("facts: one", b.write("c.md", "c, by memsync\n"), b.write("f.md", "f\n"))
	if got := b.git("show", "--format=", "--name-only", c.ID.String()); got != "c.md\nf.md" {
		t.Errorf("the commit holds %q", got)
	}
	b.wantStatus(before)
	if got := b.git("show", ":b.md"); got != "b, staged" {
		t.Errorf("the staged b.md is now %q", got)
	}
	b.whole()
}

func TestLeftOut(t *testing.T) {
	b := newBox(t, Config{})
	b.write(".gitignore", "*.tmp\n/private/\n")
	b.write(".gitattributes", "*.gpg.md filter=crypt\n")
	b.git("config", "filter.crypt.clean", "cat")
	b.write("was-file", "x\n")
	b.git("add", ".")
	b.git("commit", "-qm", "start")
	os.Remove(filepath.Join(b.dir, "was-file"))

	saved := b.write("saved.md", "memsync's\n")
	b.write("saved.md", "memsync's, and the person's\n")
	gone := b.write("gone.md", "x")
	b.remove("gone.md")
	back := File{"back.md", vault.NoFile}
	b.write("back.md", "back again\n")
	if err := os.Symlink("saved.md", filepath.Join(b.dir, "link.md")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	if err := os.Symlink("private", filepath.Join(b.dir, "door")); err != nil {
		t.Fatal(err)
	}
	b.git("init", "-q", "other")
	tests := map[string]struct {
		file File
		why  Reason
	}{
		"saved":    {saved, Changed},
		"gone":     {gone, Gone},
		"back":     {back, Reappeared},
		"ignored":  {b.write("x.tmp", "x"), Ignored},
		"folder":   {b.write("private/x.md", "x"), Ignored},
		"link":     {File{"link.md", OnDisk}, NotRegular},
		"door":     {File{"door/x.md", OnDisk}, NotRegular},
		"nested":   {b.write("other/x.md", "x"), InSubmodule},
		"filter":   {b.write("x.gpg.md", "x"), NeedsFilter},
		"blocked":  {b.write("was-file/x.md", "x"), InTheWay},
		"unharmed": {b.write("fine.md", "fine\n"), ""},
	}
	var files []File
	want := map[vault.Path]Reason{}
	for _, test := range tests {
		files = append(files, test.file)
		if test.why != "" {
			want[test.file.Path] = test.why
		}
	}
	result, err := b.Commit(t.Context(), machine("notes: some", files...))
	if err != nil {
		t.Fatal(err)
	}
	got := map[vault.Path]Reason{}
	for _, l := range result.LeftOut {
		got[l.Path] = l.Why
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("left out (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]vault.Path{"fine.md"}, result.Files); diff != "" {
		t.Errorf("committed (-want +got):\n%s", diff)
	}
	b.whole()
}

// A tracked file is committed although a rule would ignore it, as git does.
func TestIgnoredButTracked(t *testing.T) {
	b := newBox(t, Config{})
	b.write("log.tmp", "1\n")
	b.git("add", "log.tmp")
	b.git("commit", "-qm", "start")
	b.write(".gitignore", "*.tmp\n")
	b.commit("notes: log", b.write("log.tmp", "2\n"))
	b.wantStatus("?? .gitignore")
}

func TestFolderAndFileTradePlaces(t *testing.T) {
	b := newBox(t, Config{})
	b.commit("notes: start", b.write("a", "file\n"), b.write("b/c.md", "c\n"), b.write("z.md", "z\n"))
	gone := []File{b.remove("a"), b.remove("b/c.md")}
	os.Remove(filepath.Join(b.dir, "b"))
	b.commit("notes: trade", append(gone, b.write("a/new.md", "new\n"), b.write("b", "file now\n"))...)
	b.wantStatus("")
	if got := b.git("ls-files"); got != "a/new.md\nb\nz.md" {
		t.Errorf("files: %q", got)
	}
	b.commit("notes: nothing left", b.remove("a/new.md"), b.remove("b"), b.remove("z.md"))
	b.wantStatus("")
	b.whole()
}

func TestManyFiles(t *testing.T) {
	b := newBox(t, Config{})
	var files []File
	for i := range 3 * packAbove {
		files = append(files, b.write(filepath.ToSlash(filepath.Join("t", string(rune('a'+i%26)), "n"+strings.Repeat("x", i)+".md")), strings.Repeat("line\n", i)))
	}
	b.commit("import: many", files...)
	b.wantStatus("")
	b.whole()
	if got := b.git("count-objects", "-v"); !strings.Contains(got, "packs: 1") || !strings.Contains(got, "garbage: 0") {
		t.Errorf("objects: %s", got)
	}
	b.git("gc", "-q")
	b.commit("notes: after gc", b.write("t/a/n.md", "changed\n"))
	b.wantStatus("")
	b.whole()
}

func TestBadChange(t *testing.T) {
	b := newBox(t, Config{})
	tests := map[string]Change{
		"no author":  {Files: []File{{"a.md", OnDisk}}, Subject: "x"},
		"no subject": {Files: []File{{"a.md", OnDisk}}, Author: ana},
		"out":        machine("x", File{"../a.md", OnDisk}),
		"absolute":   machine("x", File{"/a.md", OnDisk}),
		"git's own":  machine("x", File{"sub/.GIT/config", OnDisk}),
		"twice":      machine("x", File{"a.md", OnDisk}, File{"a.md", vault.NoFile}),
	}
	for name, change := range tests {
		if _, err := b.Commit(t.Context(), change); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// A commit that somebody makes while ours is being built becomes its parent.
func TestBranchMoves(t *testing.T) {
	b := newBox(t, Config{})
	b.commit("notes: start", b.write("a.md", "a\n"), b.write("b.md", "b\n"))
	b.write("b.md", "theirs\n")
	b.git("add", "b.md")
	tree := b.git("write-tree")
	moves := 0
	b.cfg.Step = func(s Step) error {
		if s == StepJournal && moves < 2 {
			moves++
			theirs := b.git("commit-tree", "-p", "HEAD", "-m", "theirs", tree)
			b.git("update-ref", "refs/heads/main", theirs)
		}
		return nil
	}
	b.commit("facts: a", b.write("a.md", "ours\n"))
	if got := b.git("log", "--format=%s"); got != "facts: a\ntheirs\ntheirs\nnotes: start" {
		t.Errorf("log: %q", got)
	}
	if got := b.git("show", "HEAD:b.md"); got != "theirs" {
		t.Errorf("b.md in our commit is %q", got)
	}
	b.wantStatus("")
}
