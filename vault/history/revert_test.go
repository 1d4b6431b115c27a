package history

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/memsync/memsync/vault"
)

// apply writes a plan as a caller does, through the file system, and commits it.
func (b *box) apply(plan Reversal) Commit {
	b.t.Helper()
	var files []File
	for _, f := range plan.Files {
		if !f.Changes() {
			continue
		}
		if f.Delete {
			files = append(files, b.remove(string(f.Path)))
		} else {
			files = append(files, b.write(string(f.Path), string(f.Content)))
		}
	}
	c := machine(plan.Subject, files...)
	c.Trailers = plan.Trailers
	result, err := b.Commit(b.t.Context(), c)
	if err != nil || len(result.LeftOut) > 0 {
		b.t.Fatal(err, result.LeftOut)
	}
	return result.Commit
}

func (b *box) read(name string) string {
	b.t.Helper()
	text, err := os.ReadFile(filepath.Join(b.dir, filepath.FromSlash(name)))
	if errors.Is(err, os.ErrNotExist) {
		return "(none)"
	}
	if err != nil {
		b.t.Fatal(err)
	}
	return string(text)
}

const tenLines = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"

func TestRevertKeepsLaterEdits(t *testing.T) {
	b := newBox(t, Config{})
	b.commit("notes: start", b.write("edited.md", tenLines), b.write("clash.md", "1\n2\n3\n"), b.write("gone.md", "was here\n"), b.write("lost.md", "l\n"))
	c := b.commit("facts: change",
		b.write("edited.md", "1\nTWO\n3\n4\n5\n6\n7\n8\n9\n10\n"),
		b.write("clash.md", "1\nTWO\n3\n"),
		b.remove("gone.md"),
		b.write("lost.md", "L\n"),
		b.write("new.md", "new\n"),
		b.write("new, edited.md", "new\n"))
	b.write("edited.md", "1\nTWO\n3\n4\n5\n6\n7\n8\nnine, mine\n10\n")
	b.write("clash.md", "1\ntwo, mine\n3\n")
	b.write("new, edited.md", "new\nmine\n")
	b.remove("lost.md")

	plan, err := b.Revert(t.Context(), c.ID.String())
	if err != nil {
		t.Fatal(err)
	}
	if plan.Conflicts() != 3 {
		t.Errorf("%d conflicts, want 3: %+v", plan.Conflicts(), plan.Files)
	}
	done := b.apply(plan)
	if diff := cmp.Diff([]string{c.ID.String()}, done.Trailers.Reverts); diff != "" {
		t.Errorf("trailers (-want +got):\n%s", diff)
	}
	for name, want := range map[string]string{
		"edited.md":      "1\n2\n3\n4\n5\n6\n7\n8\nnine, mine\n10\n",
		"clash.md":       "1\ntwo, mine\n3\n",
		"gone.md":        "was here\n",
		"new.md":         "(none)",
		"new, edited.md": "new\nmine\n",
		"lost.md":        "(none)",
	} {
		if diff := cmp.Diff(want, b.read(name)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	b.whole()
}

// Of a ledger that a commit made, its claims go and the person's lines stay, however
// near they stand to each other.
func TestRevertTheMakingOfALedger(t *testing.T) {
	const head = "---\ntype: facts\ntitle: Tea\n---\n\n"
	one, two := "- Drinks tea. (kind:: preference) ^f-1\n", "- Drinks it black. (kind:: preference) ^f-2\n"
	b := newBox(t, Config{})
	b.commit("notes: start", b.write("a.md", "a\n"))
	c := b.commit("facts: two ledgers", b.write("facts/tea.md", head+one+two), b.write("facts/cup.md", head+one))
	b.commit("edit: mine",
		b.write("facts/tea.md", head+one+"- A line of mine.\n- Drinks it black, mostly. (kind:: preference) ^f-2\n"),
		b.write("facts/cup.md", head+"\n"+one))
	plan, err := b.Revert(t.Context(), c.ID.String())
	if err != nil {
		t.Fatal(err)
	}
	if plan.Conflicts() != 1 {
		t.Errorf("%+v", plan.Files)
	}
	b.apply(plan)
	for name, want := range map[string]string{
		"facts/tea.md": head + "- A line of mine.\n- Drinks it black, mostly. (kind:: preference) ^f-2\n",
		"facts/cup.md": "(none)",
	} {
		if diff := cmp.Diff(want, b.read(name)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	b.whole()
}

func TestRevertARun(t *testing.T) {
	b := newBox(t, Config{})
	run := func(id, subject string, files ...File) Commit {
		c := machine(subject, files...)
		c.Trailers.Run = id
		result, err := b.Commit(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		return result.Commit
	}
	run("r0", "notes: start", b.write("a.md", tenLines))
	first := run("r1", "facts: one", b.write("a.md", "one\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"), b.write("b.md", "b\n"))
	run("r2", "topics: other", b.write("c.md", "c\n"))
	second := run("r1", "boot: two", b.write("a.md", "one\n2\n3\n4\n5\n6\nseven\n8\n9\n10\n"), b.write("b.md", "b\nb\n"))
	b.write("a.md", "one\n2\n3\nfour, mine\n5\n6\nseven\n8\n9\n10\n")
	b.git("commit", "-qam", "mine")

	plan, err := b.Revert(t.Context(), "r1")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(second.ID.String()+"\n"+first.ID.String(), ids(plan.Commits)); diff != "" {
		t.Errorf("commits (-want +got):\n%s", diff)
	}
	b.apply(plan)
	if diff := cmp.Diff("1\n2\n3\nfour, mine\n5\n6\n7\n8\n9\n10\n", b.read("a.md")); diff != "" {
		t.Errorf("a.md (-want +got):\n%s", diff)
	}
	if b.read("b.md") != "(none)" || b.read("c.md") != "c\n" {
		t.Errorf("b.md %q, c.md %q", b.read("b.md"), b.read("c.md"))
	}
	b.wantStatus("")

	again, err := b.Revert(t.Context(), "r1")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range again.Files {
		if f.Changes() && f.Path == "a.md" {
			t.Errorf("reverting twice changes %s to %q", f.Path, f.Content)
		}
	}
	back, err := b.Revert(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	b.apply(back)
	if diff := cmp.Diff("one\n2\n3\nfour, mine\n5\n6\nseven\n8\n9\n10\n", b.read("a.md")); diff != "" {
		t.Errorf("reverting the revert (-want +got):\n%s", diff)
	}
}

func TestRevertRefuses(t *testing.T) {
	b := branchy(t)
	merge := b.git("rev-list", "--merges", "-1", "HEAD")
	for _, rev := range []string{"no-such-run", "", "2025-03-01", merge} {
		plan, err := b.Revert(t.Context(), rev)
		if err == nil {
			t.Errorf("%q: a plan of %d files", rev, len(plan.Files))
		}
	}
}

func TestRevertWithForeignLineEnds(t *testing.T) {
	needGit(t)
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	git(t, dir, "config", "core.autocrlf", "true")
	b := adopt(t, dir, Config{})
	b.commit("notes: start", b.write("a.md", "1\r\n2\r\n3\r\n4\r\n5\r\n"))
	c := b.commit("notes: change", b.write("a.md", "1\r\nTWO\r\n3\r\n4\r\n5\r\n"))
	b.write("a.md", "1\r\nTWO\r\n3\r\n4\r\nfive, mine\r\n")
	plan, err := b.Revert(t.Context(), c.ID.String())
	if err != nil {
		t.Fatal(err)
	}
	want := []Rewrite{{Path: "a.md", Old: vault.HashOf([]byte(b.read("a.md"))), Content: []byte("1\r\n2\r\n3\r\n4\r\nfive, mine\r\n")}}
	if diff := cmp.Diff(want, plan.Files); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
}
