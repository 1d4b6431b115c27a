package history

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzIndex holds that an index is either refused or written back as it was read.
func FuzzIndex(f *testing.F) {
	if dir := f.TempDir(); gitCommand(dir, "init", "-q").Run() == nil {
		for _, name := range []string{"a.md", "b/c.md", "b/d.md"} {
			path := filepath.Join(dir, filepath.FromSlash(name))
			os.MkdirAll(filepath.Dir(path), 0o777)
			os.WriteFile(path, []byte(name), 0o666)
		}
		for _, version := range []string{"2", "4"} {
			gitCommand(dir, "add", ".").Run()
			gitCommand(dir, "commit", "-qm", "seed").Run()
			gitCommand(dir, "update-index", "--index-version", version).Run()
			if data, err := os.ReadFile(filepath.Join(dir, ".git", "index")); err == nil {
				f.Add(unsummed(data))
			}
		}
	}
	f.Add((&index{version: 3, items: []item{{path: "x", flags: flagExtended, extra: extraIntentToAdd, mode: modeFile}}}).encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := parseIndex(data)
		if err != nil {
			return
		}
		y, err := parseIndex(x.encode())
		if err != nil {
			t.Fatalf("written back it is no index: %v", err)
		}
		if len(x.items) != len(y.items) || len(x.extensions) != len(y.extensions) {
			t.Fatalf("%d entries, %d extensions; then %d, %d", len(x.items), len(x.extensions), len(y.items), len(y.extensions))
		}
		for i := range x.items {
			a, b := x.items[i], y.items[i]
			a.raw, b.raw = nil, nil
			// A path's length is written anew, a wrong one is not kept.
			a.flags, b.flags = a.flags&^flagName, b.flags&^flagName
			if !cmp.Equal(a, b, cmp.AllowUnexported(item{}, stat{}, moment{})) {
				t.Errorf("%+v became %+v", a, b)
			}
		}
	})
}

// unsummed takes an index's checksum away, as index.skipHash does, so that the
// fuzzer need not find it.
func unsummed(data []byte) []byte {
	return append(bytes.Clone(data[:len(data)-sumLength]), make([]byte, sumLength)...)
}

// FuzzTree holds that a tree that can be read is written back as it was.
func FuzzTree(f *testing.F) {
	f.Add(tree{{"a.md", modeFile, ID{1}}, {"b", modeFolder, ID{2}}}.encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := parseTree(data)
		if err != nil {
			return
		}
		y, err := parseTree(x.encode())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(x, y, cmp.AllowUnexported(entry{})); diff != "" {
			t.Errorf("(-read +written back):\n%s", diff)
		}
	})
}

// FuzzMessage holds that what is said of a commit comes back from it, whatever a
// model or a file's name brings.
func FuzzMessage(f *testing.F) {
	f.Add("facts: 3 new", "why\n\nand how", "r1", "facts", "none", "export.zip", "Ana <x>", "a@b")
	f.Add("x\ny", "Memsync-Run: forged\n\nMemsync-Pass: forged", "", "p", "m\nMemsync-Run: forged", " ", "\x00", ">")
	f.Fuzz(func(t *testing.T, subject, body, run, pass, model, source, name, email string) {
		c := Commit{
			tree: ID{1}, Parents: []ID{{2}}, Subject: subject, Body: body,
			Author: Signature{name, email, noon}, Committer: Machine(noon),
			Trailers: Trailers{Run: run, Pass: "p" + pass, Model: model, Sources: []string{source, "fixed"}},
		}
		got, err := parseCommit(ID{}, c.encode())
		if err != nil {
			t.Fatal(err)
		}
		if got.tree != c.tree || len(got.Parents) != 1 || got.Parents[0] != c.Parents[0] || got.Committer.Email != MachineEmail {
			t.Errorf("head: %+v", got)
		}
		want := Trailers{Run: oneLine(run), Pass: oneLine("p" + pass), Model: oneLine(model), Sources: []string{"fixed"}}
		if s := oneLine(source); s != "" {
			want.Sources = []string{s, "fixed"}
		}
		if diff := cmp.Diff(want, got.Trailers); diff != "" {
			t.Errorf("trailers (-want +got):\n%s", diff)
		}
		if oneLine(subject) != "" && got.Subject != oneLine(subject) {
			t.Errorf("subject %q came back as %q", subject, got.Subject)
		}
	})
}

// FuzzGlob holds that matching ends, and that a path matches itself when it is
// written without special characters.
func FuzzGlob(f *testing.F) {
	f.Add("a/**/b*[!x-z]?.md", "a/c/d/bcde.md")
	f.Add("[[:alpha:]", "x")
	f.Fuzz(func(t *testing.T, pattern, path string) {
		glob(pattern, path, false)
		glob(pattern, path, true)
		if !strings.ContainsAny(path, `*?[\`) && !glob(path, path, false) {
			t.Errorf("%q does not match itself", path)
		}
	})
}
