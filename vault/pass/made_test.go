package pass

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memsync/memsync/vault"
)

// A page that the person renamed is the same page: it goes on under its new name with
// their edits, whether the rename is committed, alone or with edits, or not at all, and
// whether memsync had merged edits of theirs before.
func TestARenamedPageGoesOn(t *testing.T) {
	const older, newer vault.Path = "memory/flask.md", "memory/apps/budget-app.md"
	page := func(lines ...string) string {
		return "---\nid: to-flask\ntitle: Flask\ngenerated: true\n---\n\n" + strings.Join(lines, "\n\n") + "\n"
	}
	move := func(f fixture, text string) {
		t.Helper()
		f.save(newer, text)
		if err := os.Remove(filepath.Join(f.v.Dir(), string(older))); err != nil {
			t.Fatal(err)
		}
	}
	retitled := func(text string) string { return strings.Replace(text, "title: Flask", "title: Budget app", 1) }
	renames := map[string]func(f fixture, text string){
		"committed": func(f fixture, text string) {
			move(f, text)
			f.git("add", "-A")
			f.git("commit", "-qm", "rename")
		},
		"committed with an edit": func(f fixture, text string) {
			move(f, retitled(text))
			f.git("add", "-A")
			f.git("commit", "-qm", "rename and edit")
		},
		"not committed":             move,
		"not committed, and edited": func(f fixture, text string) { move(f, retitled(text)) },
	}
	for name, rename := range renames {
		for _, merged := range []bool{false, true} {
			t.Run(name+map[bool]string{true: ", after a merge"}[merged], func(t *testing.T) {
				f := newFixture(t)
				f.generate(older, page("one", "two", "three"))
				if merged {
					f.save(older, page("ONE", "two", "three"))
					if o := f.generate(older, page("one", "two", "three", "four")); o != Merged {
						t.Fatalf("the edit: %v", o)
					}
				}
				rename(f, f.read(older))
				before := f.read(newer)
				if o := f.generate(newer, page("one", "two", "three", "four", "five")); o != Written && o != Merged {
					t.Fatalf("outcome %v", o)
				}
				got := f.read(newer)
				want := strings.Replace(before, "three\n\nfour", "three", 1)
				want = strings.Replace(want, "three\n", "three\n\nfour\n\nfive\n", 1)
				if got != want {
					t.Errorf("the page:\n%s\nwant:\n%s", got, want)
				}
				if f.v.Exists(older) || f.v.Exists(f.v.Layout().Base(older)) {
					t.Error("something is left below the older name")
				}
				if status := f.git("status", "--porcelain"); status != "" {
					t.Errorf("left to commit:\n%s", status)
				}
				if who := f.git("log", "--format=%ae", "--diff-filter=D", "-1", "--", string(older)); strings.HasPrefix(who, "memsync@") {
					t.Errorf("the rename is a commit of %s", who)
				}
				// And on from there.
				if o := f.generate(newer, page("one", "two", "three", "four", "five", "six")); o != Written && o != Merged {
					t.Fatalf("outcome %v", o)
				}
				if got := f.read(newer); !strings.HasSuffix(got, "five\n\nsix\n") || merged != strings.Contains(got, "ONE") {
					t.Errorf("after that:\n%s", got)
				}
			})
		}
	}
}

// A copy of a page is the person's own: the page goes on where it was.
func TestACopyIsNoRename(t *testing.T) {
	f := newFixture(t)
	const text = "---\nid: to-flask\n---\n\none\n"
	f.generate("memory/flask.md", text)
	f.save("memory/copy.md", text)
	if o := f.generate("memory/copy.md", text+"two\n"); o != Foreign {
		t.Errorf("outcome %v", o)
	}
}

// What memsync made is changed as the page was, and no line of the person's becomes
// memsync's, wherever the two meet.
func TestChangedAlike(t *testing.T) {
	for name, tc := range map[string]struct{ made, before, after, want string }{
		"apart":                      {"a b c d e f", "A b c d e f", "A b c d e g", "a b c d e g"},
		"a line goes beside theirs":  {"a b c", "a B c", "a B", "a b"},
		"a line comes beside theirs": {"a b c", "a B c", "a B x c", "a b x c"},
		"their own line goes":        {"a b", "a b M", "a b", "a b"},
		"their line is replaced":     {"a b c", "a B c", "a x c", "a b x c"},
		"unedited":                   {"a b", "a b", "a c", "a c"},
		"all goes":                   {"a b", "a B", "", "b"},
		"the same line twice":        {"a a b", "a a B", "a B", "a b"},
	} {
		lines := func(s string) []byte { return []byte(strings.ReplaceAll(s+" ", " ", "\n")) }
		if got := changedAlike(lines(tc.made), lines(tc.before), lines(tc.after)); strings.TrimSpace(strings.ReplaceAll(string(got), "\n", " ")) != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}

// Where the new text says nothing that the renamed page does not say, what memsync made
// of it still goes with it to its new name.
func TestTheBaseOfARenamedPageGoesAlong(t *testing.T) {
	const older, newer vault.Path = "memory/flask.md", "memory/budget-app.md"
	f := newFixture(t)
	f.generate(older, "---\nid: to-flask\n---\n\none\n\ntwo\n")
	f.save(older, "---\nid: to-flask\n---\n\nONE\n\ntwo\n")
	f.generate(older, "---\nid: to-flask\n---\n\none\n\ntwo\n\nthree\n")
	f.save(newer, f.read(older)+"\nfour\n")
	if err := os.Remove(filepath.Join(f.v.Dir(), string(older))); err != nil {
		t.Fatal(err)
	}
	before := f.read(newer)
	if o := f.generate(newer, "---\nid: to-flask\n---\n\none\n\ntwo\n\nthree\n\nfour\n"); o != Same || f.read(newer) != before {
		t.Errorf("outcome %v:\n%s", o, f.read(newer))
	}
	if l := f.v.Layout(); f.v.Exists(l.Base(older)) || !f.v.Exists(l.Base(newer)) {
		t.Error("the base did not go along")
	}
}
