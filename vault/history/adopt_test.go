package history

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/memsync/memsync/vault"
)

// These tests adopt repositories as people have them.

func TestOpen(t *testing.T) {
	needGit(t)
	if _, err := Open(t.TempDir(), Config{}); !errors.Is(err, ErrNoRepository) {
		t.Errorf("no repository: %v", err)
	}
	tests := map[string]struct {
		make []string
		want string
	}{
		"sha256":    {[]string{"init", "-q", "--object-format=sha256", "r"}, "SHA256"},
		"bare":      {[]string{"init", "-q", "--bare", "r/.git"}, "bare"},
		"extension": {[]string{"init", "-q", "r"}, "extension"},
		"version":   {[]string{"init", "-q", "r"}, "version"},
		"reftable":  {[]string{"init", "-q", "r"}, "reftable"},
		"partial":   {[]string{"init", "-q", "r"}, "partial clone"},
		"worktree":  {[]string{"init", "-q", "r"}, "elsewhere"},
		"gitfile":   {nil, "no repository"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if test.make != nil {
				git(t, dir, test.make...)
			} else if err := os.Mkdir(filepath.Join(dir, "r"), 0o777); err != nil {
				t.Fatal(err)
			}
			at := filepath.Join(dir, "r")
			switch name {
			case "extension":
				appendTo(t, at, ".git/config", "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tshinyNew = yes\n")
			case "version":
				appendTo(t, at, ".git/config", "[core]\n\trepositoryformatversion = 7\n")
			case "reftable":
				appendTo(t, at, ".git/config", "[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefStorage = reftable\n")
			case "partial":
				appendTo(t, at, ".git/config", "[extensions]\n\tpartialClone = origin\n")
			case "worktree":
				appendTo(t, at, ".git/config", "[core]\n\tworktree = /somewhere\n")
			case "gitfile":
				appendTo(t, at, ".git", "gitdir: ../nowhere\n")
			}
			_, err := Open(at, Config{UserFiles: []string{}})
			if _, ok := errors.AsType[*UnsupportedError](err); !ok || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want a word on %q", err, test.want)
			}
		})
	}
}

func appendTo(t *testing.T, dir, name, text string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err == nil {
		_, err = f.WriteString(text)
	}
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestInitKeepsWhatIsThere(t *testing.T) {
	b := newBox(t, Config{})
	c := b.commit("notes: a", b.write("a.md", "a\n"))
	b.write("b.md", "b\n")
	again, err := Init(b.dir, Config{UserFiles: []string{}})
	if err != nil {
		t.Fatal(err)
	}
	if branch, at, err := again.Head(); err != nil || branch != "main" || at != c.ID {
		t.Errorf("HEAD is %s at %s: %v", branch, at, err)
	}
	b.wantStatus("?? b.md")
}

// Whatever kind of index the person has, the commit leaves git status clean, and
// what was staged staged.
func TestIndexVersions(t *testing.T) {
	tests := map[string][]string{
		"version 2":       {"config", "index.version", "2"},
		"version 3":       {"config", "index.version", "3"},
		"version 4":       {"config", "index.version", "4"},
		"untracked cache": {"config", "core.untrackedCache", "true"},
		"end of entries":  {"config", "index.recordEndOfIndexEntries", "true"},
		"offset table":    {"config", "index.recordOffsetTable", "true"},
		"threads":         {"config", "index.threads", "2"},
	}
	for name, setting := range tests {
		t.Run(name, func(t *testing.T) {
			needGit(t)
			dir := t.TempDir()
			git(t, dir, "init", "-q", "-b", "main")
			git(t, dir, setting...)
			b := adopt(t, dir, Config{})
			for i := range 40 {
				b.write(fmt.Sprintf("a/b%d/c%d.md", i%3, i), fmt.Sprintln(i))
			}
			b.git("add", ".")
			b.git("commit", "-qm", "start")
			b.write("a/b1/staged.md", "staged\n")
			b.write("a/b1/later.md", "later\n")
			b.git("add", "a/b1/staged.md")
			b.git("add", "-N", "a/b1/later.md")
			b.git("update-index", "--assume-unchanged", "a/b2/c2.md")
			b.git("update-index", "--skip-worktree", "a/b2/c5.md")
			b.write("a/b0/untracked.md", "u\n")
			before, flags := b.status(), b.git("ls-files", "-v")
			for i := range 3 {
				b.commit("facts: x", b.write("a/b1/c1.md", fmt.Sprintln("x", i)), b.write(fmt.Sprintf("a/b%d/new.md", i), "n\n"))
				b.wantStatus(before)
			}
			b.commit("facts: y", b.remove("a/b1/c1.md"), b.remove("a/b2/new.md"), b.remove("a/b0/new.md"), b.remove("a/b1/new.md"), b.write("a/b0/c9.md", "9, changed\n"))
			b.wantStatus(before)
			if diff := cmp.Diff(strings.Replace(flags, "H a/b1/c1.md\n", "", 1), b.git("ls-files", "-v")); diff != "" {
				t.Errorf("flags (-before +after):\n%s", diff)
			}
			b.git("commit", "-qm", "mine")
			if got := b.git("diff", "HEAD~1", "HEAD", "--name-only"); got != "a/b1/staged.md" {
				t.Errorf("the person's commit, after ours, changes %q: its cached trees are stale", got)
			}
			b.whole()
		})
	}
}

func TestIndexThatCannotBeKept(t *testing.T) {
	tests := map[string][]string{
		"split":  {"update-index", "--split-index"},
		"sparse": {"sparse-checkout", "set", "--cone", "--sparse-index", "kept"},
	}
	for name, args := range tests {
		t.Run(name, func(t *testing.T) {
			needGit(t)
			dir := t.TempDir()
			git(t, dir, "init", "-q", "-b", "main")
			b := adopt(t, dir, Config{})
			b.write("kept/a.md", "a\n")
			b.write("other/deep/b.md", "b\n")
			b.git("add", ".")
			b.git("commit", "-qm", "start")
			b.git(args...)
			raw := b.read(".git/index")
			_, err := b.Commit(t.Context(), machine("facts: c", b.write("kept/c.md", "c\n")))
			if _, ok := errors.AsType[*UnsupportedError](err); !ok {
				t.Errorf("got %v", err)
			}
			if b.read(".git/index") != raw {
				t.Error("the index changed")
			}
			b.wantStatus("?? kept/c.md")
		})
	}
}

func TestSparseCheckout(t *testing.T) {
	needGit(t)
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	b := adopt(t, dir, Config{})
	b.write("kept/a.md", "a\n")
	b.write("other/deep/b.md", "b\n")
	b.git("add", ".")
	b.git("commit", "-qm", "start")
	b.git("sparse-checkout", "set", "--no-sparse-index", "kept")
	b = adopt(t, dir, Config{})
	b.commit("facts: c", b.write("kept/c.md", "c\n"))
	b.wantStatus("")
	if got := b.git("ls-tree", "-r", "--name-only", "HEAD"); got != "kept/a.md\nkept/c.md\nother/deep/b.md" {
		t.Errorf("files: %q", got)
	}
	if files, err := b.Dirty(t.Context()); err != nil || len(files) > 0 {
		t.Errorf("dirty: %v, %v", files, err)
	}
}

func TestWhereHeadIs(t *testing.T) {
	needGit(t)
	start := func(t *testing.T) *box {
		dir := t.TempDir()
		git(t, dir, "init", "-q", "-b", "deep/branch")
		b := adopt(t, dir, Config{})
		b.write("a.md", "a\n")
		b.git("add", ".")
		b.git("commit", "-qm", "start")
		b.git("commit", "-qm", "second", "--allow-empty")
		return b
	}
	t.Run("packed references", func(t *testing.T) {
		b := start(t)
		b.git("pack-refs", "--all")
		b.git("gc", "-q")
		b.commit("facts: b", b.write("b.md", "b\n"))
		b.wantStatus("")
		b.whole()
		if got := b.git("rev-list", "--count", "deep/branch"); got != "3" {
			t.Errorf("%s commits", got)
		}
	})
	t.Run("detached", func(t *testing.T) {
		b := start(t)
		b.git("checkout", "-q", "--detach", "HEAD~1")
		b.commit("facts: b", b.write("b.md", "b\n"))
		b.wantStatus("")
		if branch, _, err := b.Head(); err != nil || branch != "" {
			t.Errorf("on %q: %v", branch, err)
		}
		if got := b.git("log", "--format=%s", "HEAD"); got != "facts: b\nstart" {
			t.Errorf("log %q", got)
		}
		if got := b.git("rev-list", "--count", "deep/branch"); got != "2" {
			t.Errorf("the branch has %s commits", got)
		}
	})
	t.Run("unborn", func(t *testing.T) {
		b := start(t)
		b.git("checkout", "-q", "--orphan", "other")
		b.commit("facts: b", b.write("b.md", "b\n"))
		b.wantStatus("A  a.md")
		b.whole()
	})
	t.Run("linked work tree", func(t *testing.T) {
		b := start(t)
		linked := filepath.Join(t.TempDir(), "linked")
		b.git("worktree", "add", "-q", "-b", "side", linked)
		w := adopt(t, linked, Config{})
		w.commit("facts: b", w.write("b.md", "b\n"))
		w.wantStatus("")
		b.wantStatus("")
		b.whole()
		if got := b.git("log", "--format=%s", "side"); got != "facts: b\nsecond\nstart" {
			t.Errorf("log %q", got)
		}
		if got := w.git("reflog", "-1", "--format=%gs"); got != "commit: facts: b" {
			t.Errorf("reflog %q", got)
		}
	})
	t.Run("submodule", func(t *testing.T) {
		inner := start(t)
		outer := start(t)
		outer.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", inner.dir, "mod")
		outer.git("commit", "-qm", "module")
		m := adopt(t, filepath.Join(outer.dir, "mod"), Config{})
		m.commit("facts: in the module", m.write("b.md", "b\n"))
		m.wantStatus("")
		m.whole()
		result, err := outer.Commit(t.Context(), machine("facts: out", File{"mod/b.md", OnDisk}, File{"mod", OnDisk}, outer.write("c.md", "c\n")))
		if err != nil {
			t.Fatal(err)
		}
		want := []LeftOut{{"mod", InSubmodule}, {"mod/b.md", InSubmodule}}
		if diff := cmp.Diff(want, result.LeftOut); diff != "" {
			t.Errorf("left out (-want +got):\n%s", diff)
		}
		if got := outer.git("ls-files", "-s", "mod"); !strings.HasPrefix(got, "160000") {
			t.Errorf("the module is now %q", got)
		}
	})
	t.Run("shallow", func(t *testing.T) {
		b := start(t)
		clone := filepath.Join(t.TempDir(), "clone")
		git(t, b.dir, "clone", "-q", "--depth", "1", "file://"+b.dir, clone)
		c := adopt(t, clone, Config{})
		c.commit("facts: b", c.write("b.md", "b\n"))
		commits, err := c.Log(t.Context(), LogOptions{Files: true})
		if err != nil || len(commits) != 2 {
			t.Errorf("log: %v, %v", commits, err)
		}
		if _, err := c.Resolve(t.Context(), "HEAD~2"); !errors.Is(err, ErrNotFound) {
			t.Errorf("beyond the end: %v", err)
		}
	})
	t.Run("borrowed objects", func(t *testing.T) {
		b := start(t)
		clone := filepath.Join(t.TempDir(), "clone")
		git(t, b.dir, "clone", "-q", "--shared", b.dir, clone)
		c := adopt(t, clone, Config{})
		c.commit("facts: b", c.write("b.md", "b\n"))
		c.wantStatus("")
		c.whole()
	})
}

func TestBusy(t *testing.T) {
	needGit(t)
	start := func(t *testing.T) *box {
		dir := t.TempDir()
		git(t, dir, "init", "-q", "-b", "main")
		b := adopt(t, dir, Config{})
		commit := func(text string) {
			b.write("a.md", text)
			b.git("add", ".")
			b.git("commit", "-qm", text)
		}
		commit("start")
		b.git("checkout", "-q", "-b", "side")
		commit("side")
		b.git("checkout", "-q", "main")
		commit("main")
		return b
	}
	for name, args := range map[string][]string{
		"merge":          {"merge", "side"},
		"rebase":         {"rebase", "side"},
		"cherry-pick":    {"cherry-pick", "side"},
		"revert":         {"revert", "--no-edit", "HEAD~1"},
		"bisect":         {"bisect", "start"},
		"unmerged files": {"checkout", "-m", "side"},
	} {
		t.Run(name, func(t *testing.T) {
			b := start(t)
			if name == "unmerged files" {
				b.write("a.md", "dirty")
			}
			gitOut(b, args...)
			raw := b.read(".git/index")
			_, err := b.Commit(t.Context(), machine("facts: b", b.write("b.md", "b\n")))
			busy, ok := errors.AsType[*BusyError](err)
			if !ok || busy.Operation != name {
				t.Errorf("got %v, want a *BusyError of a %s", err, name)
			}
			if b.read(".git/index") != raw || b.read(".git/index.lock") != "(none)" {
				t.Error("the index was touched")
			}
		})
	}
}

func TestLocked(t *testing.T) {
	for _, name := range []string{"index.lock", "HEAD.lock", "refs/heads/main.lock"} {
		t.Run(name, func(t *testing.T) {
			b := newBox(t, Config{LockWait: 20 * time.Millisecond})
			b.commit("notes: a", b.write("a.md", "a\n"))
			lock := b.write(".git/"+name, "git's\n")
			raw := b.read(".git/index")
			change := machine("notes: b", b.write("b.md", "b\n"))
			_, err := b.Commit(t.Context(), change)
			locked, ok := errors.AsType[*LockedError](err)
			if !ok || locked.Path != filepath.Join(b.dir, string(lock.Path)) || locked.Since.IsZero() {
				t.Fatalf("got %v", err)
			}
			if b.read(string(lock.Path)) != "git's\n" || b.read(".git/index") != raw {
				t.Error("something was touched")
			}
			b.remove(".git/" + name)
			b.wantStatus("?? b.md")
			if _, err := b.Commit(t.Context(), change); err != nil {
				t.Error(err)
			}
			b.wantStatus("")
		})
	}
	t.Run("until it is released", func(t *testing.T) {
		b := newBox(t, Config{})
		b.commit("notes: a", b.write("a.md", "a\n"))
		b.write(".git/index.lock", "git's\n")
		released := time.AfterFunc(30*time.Millisecond, func() { os.Remove(filepath.Join(b.dir, ".git/index.lock")) })
		defer released.Stop()
		b.commit("notes: b", b.write("b.md", "b\n"))
	})
	t.Run("until it is cancelled", func(t *testing.T) {
		b := newBox(t, Config{})
		b.write(".git/index.lock", "git's\n")
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		if _, err := b.Commit(ctx, machine("notes: b", b.write("b.md", "b\n"))); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
}

// Whatever a person told git about line ends, git status is clean after a commit
// and the blob is what git add would have stored.
func TestLineEnds(t *testing.T) {
	texts := map[string]string{
		"lf.md": "a\nb\n", "crlf.md": "a\r\nb\r\n", "mixed.md": "a\r\nb\n", "cr.md": "a\rb\r\n", "binary.bin": "\x00\r\n\x01", "id.md": "$Id: x $\r\n", "none.md": "a\r\nb",
	}
	for _, autocrlf := range []string{"", "true", "input"} {
		for i, attributes := range []string{
			"", "*.md -text", "* text=auto", "*.md text", "*.md text eol=crlf", "*.md eol=lf", "*.md crlf", "*.md binary",
			"* text=auto\n*.md -text\ncrlf.md text=auto", "*.md ident", "[attr]note text eol=lf\n*.md note", "sub/*.md text", "*.md text=auto eol=crlf", "*.md -crlf",
		} {
			if autocrlf == "input" && i > 3 {
				break // "input" differs from "true" on checking out alone
			}
			t.Run(autocrlf+"/"+attributes, func(t *testing.T) {
				t.Parallel()
				needGit(t)
				dirs := []string{t.TempDir(), t.TempDir()}
				var boxes []*box
				for _, dir := range dirs {
					git(t, dir, "init", "-q", "-b", "main")
					b := adopt(t, dir, Config{})
					b.write("stored.md", texts["crlf.md"])
					b.git("-c", "core.autocrlf=false", "add", ".")
					if autocrlf != "" {
						git(t, dir, "config", "core.autocrlf", autocrlf)
					}
					b.write(".gitattributes", attributes+"\n")
					b.git("add", ".")
					b.git("commit", "-qm", "start")
					boxes = append(boxes, b)
				}
				ours, theirs := boxes[0], boxes[1]
				for round := range 2 {
					var files []File
					files = append(files, ours.write("stored.md", strings.Repeat("x\r\n", round+1)))
					theirs.write("stored.md", strings.Repeat("x\r\n", round+1))
					for name, text := range texts {
						text = strings.Repeat(text, round+1)
						for _, folder := range []string{"", "sub/"} {
							files = append(files, ours.write(folder+name, text))
							theirs.write(folder+name, text)
						}
					}
					ours.commit("notes: all", files...)
					ours.wantStatus("")
					theirs.git("add", ".")
					theirs.git("commit", "-qm", "notes: all")
					if diff := cmp.Diff(theirs.git("ls-tree", "-r", "HEAD"), ours.git("ls-tree", "-r", "HEAD")); diff != "" {
						t.Errorf("round %d: git's (-) and our (+) blobs differ:\n%s", round, diff)
					}
					// Let git look at every file's bytes.
					ours.git("update-index", "--really-refresh")
					os.Chtimes(filepath.Join(ours.dir, "crlf.md"), noon, noon)
					ours.wantStatus("")
					if got, err := ours.Dirty(t.Context()); err != nil || len(got) > 0 {
						t.Errorf("dirty: %v, %v", got, err)
					}
				}
			})
		}
	}
}

// The rules of .gitignore and .gitattributes are those of git itself.
func TestRulesAgainstGit(t *testing.T) {
	needGit(t)
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	b := adopt(t, dir, Config{})
	b.write(".gitignore", strings.Join([]string{
		"# a comment", "*.log", "!important.log", "/top.md", "build/", "**/cache", "docs/**/draft.md", "a/*/c.md", `\#sharp.md`, `\!bang.md`,
		"trailing.md   ", `space\ `, "[a-c]x.md", "[!a-c]y.md", "?.txt", "foo**bar.md", "deep/**", "!deep/keep.md", "[[:digit:]]n.md", "\t", "x[]]y.md", "un[closed", "/**/odd/", "*/mid",
	}, "\n"))
	b.write("sub/.gitignore", "!*.log\nlocal.md\n/only.md\n")
	b.write(".git/info/exclude", "excluded.md\n")
	b.write(".gitattributes", "*.md a=1\nsub/** b\nsub/*.md -a\n/top.md c\n\"quo ted.md\" d=x\n*.md !e\n[attr]m f g=2\nx*.md m\nx2.md -f\ndir/ h\n**/deep.md i\n")
	b.write("sub/.gitattributes", "*.log a\nlocal.md a=sub\n")
	var paths []string
	for _, folder := range []string{"", "sub/", "a/b/", "docs/x/y/", "docs/", "build/", "sub/build/", "deep/", "deep/er/", "cache/", "p/cache/", "odd/", "k/odd/", "k/", "k/mid/"} {
		for _, name := range []string{
			"x.log", "important.log", "top.md", "build", "cache", "draft.md", "c.md", "#sharp.md", "!bang.md", "trailing.md", "space ", "ax.md", "dx.md", "ay.md", "dy.md",
			"a.txt", "ab.txt", "fooXbar.md", "keep.md", "1n.md", "local.md", "only.md", "excluded.md", "x]y.md", "un[closed", "mid", "quo ted.md", "x1.md", "x2.md", "deep.md", "ünï.md",
		} {
			paths = append(paths, folder+name)
		}
	}
	rules := b.rules()
	var got, want strings.Builder
	in := strings.Join(paths, "\x00") + "\x00"
	check := gitCommand(dir, "check-ignore", "--no-index", "-v", "-n", "--stdin", "-z")
	check.Stdin = strings.NewReader(in)
	out, _ := check.Output()
	fields := strings.Split(string(out), "\x00")
	for i := 0; i+3 < len(fields); i += 4 {
		ignored := fields[i+2] != "" && !strings.HasPrefix(fields[i+2], "!")
		fmt.Fprintln(&want, fields[i+3], ignored)
	}
	for _, path := range paths {
		fmt.Fprintln(&got, path, rules.ignored(path))
	}
	if diff := cmp.Diff(want.String(), got.String()); diff != "" {
		t.Errorf("ignored (-git +got):\n%s", diff)
	}

	got.Reset()
	want.Reset()
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "m"}
	check = gitCommand(dir, append(append([]string{"check-attr", "--stdin", "-z"}, names...), "--")[:len(names)+3]...)
	check.Stdin = strings.NewReader(in)
	out, err := check.Output()
	if err != nil {
		t.Fatal(err)
	}
	fields = strings.Split(string(out), "\x00")
	for i := 0; i+2 < len(fields); i += 3 {
		fmt.Fprintln(&want, fields[i], fields[i+1], fields[i+2])
	}
	for _, path := range paths {
		attributes := rules.attributesOf(path)
		for _, name := range names {
			state := attributes[name]
			if state == "" {
				state = "unspecified"
			}
			fmt.Fprintln(&got, path, name, state)
		}
	}
	if diff := cmp.Diff(want.String(), got.String()); diff != "" {
		t.Errorf("attributes (-git +got):\n%s", diff)
	}
}

func TestModes(t *testing.T) {
	b := newBox(t, Config{})
	b.write("run.md", "x\n")
	if err := os.Chmod(filepath.Join(b.dir, "run.md"), 0o755); err != nil {
		t.Fatal(err)
	}
	b.commit("notes: run", File{"run.md", vault.HashOf([]byte("x\n"))})
	b.wantStatus("")
	b.git("config", "core.fileMode", "false")
	if err := os.Chmod(filepath.Join(b.dir, "run.md"), 0o644); err != nil {
		t.Fatal(err)
	}
	b.commit("notes: run", b.write("run.md", "y\n"))
	b.wantStatus("")
	if got := b.git("ls-tree", "HEAD", "run.md"); !strings.HasPrefix(got, "100755") {
		t.Errorf("the mode is now %q", got)
	}
}

// An edit that git can only find by its racy-index rule is still found after a
// commit of ours made the index younger.
func TestRacyEdit(t *testing.T) {
	b := newBox(t, Config{})
	b.git("config", "core.trustctime", "false")
	b.git("config", "core.checkStat", "minimal")
	stamp := func(names ...string) {
		for _, name := range names {
			if err := os.Chtimes(filepath.Join(b.dir, name), noon, noon); err != nil {
				t.Fatal(err)
			}
		}
	}
	b.write("edited.md", "aaaa\n")
	b.write("clean.md", "aaaa\n")
	stamp("edited.md", "clean.md")
	b.git("add", ".")
	b.git("commit", "-qm", "start")
	b.write("edited.md", "bbbb\n")
	stamp("edited.md", ".git/index")
	if files, err := b.Dirty(t.Context()); err != nil || len(files) != 1 {
		t.Errorf("dirty: %v, %v", files, err)
	}
	b.commit("facts: x", b.write("x.md", "x\n"))
	b.wantStatus(" M edited.md")
}
