package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Nothing outside the vault is read, whatever is asked for: parents, absolute paths,
// links to files and folders, git's own files, and another vault that the index of
// this one has never seen.
func TestNothingOutsideTheVaultIsRead(t *testing.T) {
	const outside = "the heron stands on one leg"
	home := t.TempDir()
	dir, other := filepath.Join(home, "vault"), filepath.Join(home, "other")
	for _, v := range []string{dir, other} {
		a, stdout, stderr := testApp(t, home, home)
		if status := a.run(t.Context(), []string{"init", v}); status != exitDone {
			t.Fatal(stdout, stderr)
		}
	}
	write := func(name, text string) error {
		return errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600))
	}
	if err := errors.Join(
		write(filepath.Join(home, "outside.md"), outside+"\n"),
		write(filepath.Join(home, "folder", "deep.md"), outside+"\n"),
		write(filepath.Join(other, "notes", "theirs.md"), "---\nid: n-theirs\n---\n\n"+outside+"\n"),
		write(filepath.Join(other, "facts", "home", "f.md"), "---\nid: fa-home\ntype: facts\n---\n\n- Says that "+outside+". ^f-theirs\n"),
		write(filepath.Join(dir, "notes", "own.md"), "The pond is green.\n"),
	); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{
		filepath.Join(dir, "notes", "link.md"):  filepath.Join(home, "outside.md"),
		filepath.Join(dir, "notes", "rel.md"):   filepath.Join("..", "..", "outside.md"),
		filepath.Join(dir, "linked"):            filepath.Join(home, "folder"),
		filepath.Join(dir, "facts"):             filepath.Join(other, "facts"),
		filepath.Join(dir, "profile.md"):        filepath.Join(home, "outside.md"),
		filepath.Join(dir, "MEMORY.md"):         filepath.Join(home, "outside.md"),
		filepath.Join(dir, "sessions"):          filepath.Join(home, "folder"),
		filepath.Join(dir, "notes", "loops.md"): filepath.Join(dir, "notes", "loops.md"),
	} {
		if err := errors.Join(os.RemoveAll(from), os.Symlink(to, from)); err != nil {
			t.Skip("a system without symbolic links: ", err)
		}
	}
	ask := func(args ...string) string {
		t.Helper()
		a, stdout, stderr := testApp(t, home, dir)
		a.run(t.Context(), args)
		if all := stdout.String() + stderr.String(); strings.Contains(all, outside) {
			t.Errorf("%q reads what is outside: %s", args, all)
		}
		return stdout.String()
	}
	if got := ask("get", "notes/own.md"); !strings.Contains(got, "green") {
		t.Fatalf("a note of the vault: %q", got)
	}
	for _, id := range []string{
		"../outside.md", "../outside", "notes/../../outside.md", "notes/link.md", "notes/link", "notes/rel.md", "notes/loops.md", "linked/deep.md",
		"linked/deep", filepath.Join(home, "outside.md"), "/etc/passwd", "file:///etc/passwd", "~/outside.md", "../other/notes/theirs.md",
		filepath.Join(other, "notes", "theirs.md"), "n-theirs", "f-theirs", "fa-home", "fa-home#^f-theirs", "facts/home/f.md", "facts/home/f.md:5",
		".git/config", ".git/HEAD", ".memoryrc", "profile.md", "MEMORY.md", "..\\outside.md", "C:\\outside.md", "\x00", "outside.md\x00.md", "....//outside.md",
		"%2e%2e/outside.md", ".", "..", "/", "",
	} {
		for _, command := range []string{"get", "inspect"} {
			if got := ask(command, "--", id); got != "" {
				t.Errorf("%s %q: %s", command, id, got)
			}
		}
	}
	ask("index")
	ask("search", "heron", "leg")
	ask("search", "--mode", "keyword", outside)
	ask("context", "--preset", "large", "what stands on one leg?")
	ask("ask", "what stands on one leg?")
	ask("boot")
	ask("stats")
	ask("hook", "session-start")
	ask("export", "profile")
}
