package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/vault"
)

// A shelf is what looks at a vault have found: every note, to the byte. It believes
// nothing but the paths that a look names, as an index does.
type shelf struct {
	v *vault.Vault

	mu      sync.Mutex
	notes   map[string]string
	skipped map[string]bool
}

func (s *shelf) look(ctx context.Context, what Look) error {
	entries, skipped, err := s.v.Walk(ctx)
	if err != nil {
		return err
	}
	found := map[string]string{}
	for _, e := range entries {
		raw, err := s.v.Read(e.Path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		found[string(e.Path)] = string(raw)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.skipped = map[string]bool{}
	for _, k := range skipped {
		s.skipped[string(k.Path)] = true
	}
	if what.All {
		s.notes = found
		return nil
	}
	for _, p := range what.Paths {
		delete(s.notes, string(p))
		if text, ok := found[string(p)]; ok {
			s.notes[string(p)] = text
		}
	}
	return nil
}

// comesTo waits until looks have found these notes and no others.
func (s *shelf) comesTo(t *testing.T, want map[string]string) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(10 * time.Second); ; <-tick.C {
		s.mu.Lock()
		got := maps.Clone(s.notes)
		s.mu.Unlock()
		diff := cmp.Diff(want, got)
		if diff == "" {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("after 10 s:\n%s", diff)
		}
	}
}

func (s *shelf) skips(p string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.skipped[p]
}

// A hand does what programs and people do to the files of a vault.
type hand struct {
	*bench
	shelf *shelf
}

func (h hand) at(name string) string { return filepath.Join(h.dir, filepath.FromSlash(name)) }

func (h hand) move(from, to string) {
	h.t.Helper()
	mkdir(h.t, filepath.Dir(h.at(to)))
	rename(h.t, h.at(from), h.at(to))
}

func (h hand) link(to, name string) {
	h.t.Helper()
	if err := os.Symlink(to, h.at(name)); err != nil {
		h.t.Skip(err)
	}
}

// chunks writes a file in place, piece by piece, each on the disk before the next.
func (h hand) chunks(name string, pieces ...string) {
	h.t.Helper()
	f, err := os.Create(h.at(name))
	if err != nil {
		h.t.Fatal(err)
	}
	defer f.Close()
	for _, p := range pieces {
		if _, err := f.WriteString(p); err != nil {
			h.t.Fatal(err)
		}
		if err := f.Sync(); err != nil {
			h.t.Fatal(err)
		}
	}
}

// TestSaves: after each way of saving, the looks that events lead to, and nothing
// else, have found every note to the byte, and a commit of the person's edits holds
// these files and no other.
func TestSaves(t *testing.T) {
	type files = map[string]string
	long := strings.Repeat("a line that is not short\n", 4000)
	for name, test := range map[string]struct {
		do    func(h hand)
		notes files // found, where each case begins with a.md: "old\n"
		also  files // committed, and no notes
	}{
		"Obsidian, in place": {func(h hand) { h.write("a.md", "new\n") }, files{"a.md": "new\n"}, nil},
		"Obsidian on a phone, in pieces": {
			func(h hand) { h.chunks("a.md", "", "ne", "w\n", long) }, files{"a.md": "new\n" + long}, nil,
		},
		"Obsidian's own files and its trash": {func(h hand) {
			h.write(".obsidian/workspace.json", "{}")
			h.write(".obsidian/plugins/x/data.md", "x")
			h.move("a.md", ".trash/a.md")
		}, files{}, nil},
		"vim, with a backup, a probe and a swap file": {func(h hand) {
			h.write(".a.md.swp", "swap")
			h.write("4913", "")
			h.remove("4913")
			h.move("a.md", "a.md~")
			h.chunks("a.md", "new\n")
			h.remove("a.md~")
			h.remove(".a.md.swp")
		}, files{"a.md": "new\n"}, nil},
		"vim that died": {func(h hand) {
			h.write("4913", "")
			h.write(".a.md.swp", "swap")
			h.write(".a.md.swo", "swap")
			h.write("a.md~", "old\n")
			h.write(".a.md.un~", "undo")
		}, files{"a.md": "old\n"}, nil},
		"VS Code, in place": {func(h hand) { h.chunks("a.md", "new\n") }, files{"a.md": "new\n"}, nil},
		"VS Code, atomic":   {func(h hand) { h.write("a.md.vsctmp", "new\n"); h.move("a.md.vsctmp", "a.md") }, files{"a.md": "new\n"}, nil},
		"VS Code that died": {func(h hand) { h.write("a.md.vsctmp", "new\n") }, files{"a.md": "old\n"}, nil},
		"TextEdit and iOS, safe save": {func(h hand) {
			h.write("a.md.sb-1f2e3d4c-Ab9xYz", "new\n")
			h.move("a.md.sb-1f2e3d4c-Ab9xYz", "a.md")
			h.write("b.md.sb-1f2e3d4c-Ab9xYz", "it died\n")
		}, files{"a.md": "new\n"}, nil},
		"Emacs, with lock, autosave and backup": {func(h hand) {
			h.link("ana@host.123:456", ".#a.md")
			h.write("#a.md#", "ne")
			h.move("a.md", "a.md~")
			h.write("a.md", "new\n")
			h.write("a.md.~1~", "older\n")
			h.remove(".#a.md")
		}, files{"a.md": "new\n"}, nil},
		"a note whose name begins with a number sign": {
			func(h hand) { h.write("#ideas.md", "one\n") }, files{"a.md": "old\n", "#ideas.md": "one\n"}, nil,
		},
		"Syncthing": {func(h hand) {
			h.write(".syncthing.a.md.tmp", "new\n")
			h.move(".syncthing.a.md.tmp", "a.md")
			h.write("~syncthing~b.md.tmp", "half")
			h.write("a.sync-conflict-20250809-101112-ABCDEFG.md", "theirs\n")
			h.write(".stversions/a~20250809-101112.md", "old\n")
		}, files{"a.md": "new\n"}, nil},
		"Dropbox": {func(h hand) {
			h.write(".dropbox.cache/x/a.md", "new\n")
			h.move(".dropbox.cache/x/a.md", "a.md")
			h.write("a (Ana's conflicted copy 2025-08-09).md", "theirs\n")
		}, files{"a.md": "new\n"}, nil},
		"iCloud takes a note off the disk and brings it back": {func(h hand) {
			h.remove("a.md")
			h.write(".a.md.icloud", "bplist")
			h.shelf.comesTo(h.t, files{})
			if !h.shelf.skips("a.md") {
				h.t.Error("the note is gone, and nobody says why")
			}
			h.write("a.md", "old\n")
			h.remove(".a.md.icloud")
		}, files{"a.md": "old\n"}, nil},
		"a hundred saves in a row": {func(h hand) {
			for i := range 100 {
				h.write("a.md", strings.Repeat("x", i))
				h.write(".t.tmp", fmt.Sprint(i, "\n"))
				h.move(".t.tmp", "b.md")
			}
		}, files{"a.md": strings.Repeat("x", 99), "b.md": "99\n"}, nil},
		"deleted and made again at once": {func(h hand) { h.remove("a.md"); h.write("a.md", "new\n") }, files{"a.md": "new\n"}, nil},
		"a note becomes a folder": {
			func(h hand) { h.remove("a.md"); h.write("a.md/b.md", "new\n") }, files{"a.md/b.md": "new\n"}, nil,
		},
		"another case":                 {func(h hand) { h.move("a.md", "A.md") }, files{"A.md": "old\n"}, nil},
		"another case, and another":    {func(h hand) { h.move("a.md", "x.tmp"); h.move("x.tmp", "A.md"); h.move("A.md", "a.md") }, files{"a.md": "old\n"}, nil},
		"folders in another case":      {func(h hand) { h.write("Tea/b.md", "1\n"); h.move("Tea", "tea") }, files{"a.md": "old\n", "tea/b.md": "1\n"}, nil},
		"moved into a folder and back": {func(h hand) { h.move("a.md", "x/a.md"); h.move("x/a.md", "a.md") }, files{"a.md": "old\n"}, nil},
		"moved out":                    {func(h hand) { rename(h.t, h.at("a.md"), filepath.Join(h.t.TempDir(), "a.md")) }, files{}, nil},
		"two notes trade places": {func(h hand) {
			h.write("b.md", "b\n")
			h.move("a.md", "t.md")
			h.move("b.md", "a.md")
			h.move("t.md", "b.md")
		}, files{"a.md": "b\n", "b.md": "old\n"}, nil},
		"links: to a file, a folder, itself, its parent, outside, nowhere": {func(h hand) {
			out := h.t.TempDir()
			write(h.t, filepath.Join(out, "secret.md"), "not of the vault\n")
			h.write("dir/b.md", "b\n")
			h.link("a.md", "to-file.md")
			h.link("dir", "to-folder")
			h.link("itself.md", "itself.md")
			h.link("..", "dir/parent")
			h.link(out, "outside")
			h.link(filepath.Join(out, "secret.md"), "outside.md")
			h.link("nowhere.md", "dangling.md")
		}, files{"a.md": "old\n", "dir/b.md": "b\n"}, nil},
		"a note turns into a link to another place": {func(h hand) {
			out := filepath.Join(h.t.TempDir(), "secret.md")
			write(h.t, out, "not of the vault\n")
			h.remove("a.md")
			h.link(out, "a.md")
		}, files{}, files{"a.md": "old\n"}},
		"files that are named to be left alone": {func(h hand) {
			h.write("drafts/x.md", "x\n")
			h.write("deep/drafts/x.md", "x\n")
			h.write("diary.private.md", "x\n")
			h.write("kept.private.md", "kept\n")
		}, files{"a.md": "old\n", "kept.private.md": "kept\n"}, nil},
		"an attachment": {func(h hand) { h.write("img/a.png", "\x89PNG") }, files{"a.md": "old\n"}, files{"img/a.png": "\x89PNG"}},
		"every kind of bytes": {func(h hand) {
			h.write("a.md", "\xef\xbb\xbfone\r\ntwo\rthree")
			h.write("b.md", "\xff\xfe\x00 not text")
			h.write("c.md", "")
			h.write("e\u0301 und \U0001f375.md", "tea\n")
		}, files{"a.md": "\xef\xbb\xbfone\r\ntwo\rthree", "b.md": "\xff\xfe\x00 not text", "c.md": "", "e\u0301 und \U0001f375.md": "tea\n"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			const ignore = "drafts/\n*.private.md\n!kept.private.md\n"
			b.write(vault.IgnoreFile, ignore)
			b.write("a.md", "old\n")
			b.git("config", "core.quotePath", "off")
			b.open() // with what is to be left alone
			b.commit()
			s := &shelf{v: b.edits.v}
			w := New(b.edits.v, Config{Tick: time.Hour, Owed: time.Hour}) // events alone make it look
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- w.Run(ctx, s.look) }()
			defer func() { stop(); <-ended }()
			s.comesTo(t, files{"a.md": "old\n"})

			test.do(hand{b, s})
			s.comesTo(t, test.notes)

			b.commit()
			want := files{vault.IgnoreFile: ignore}
			maps.Copy(want, test.notes)
			maps.Copy(want, test.also)
			got := files{}
			for p := range strings.SplitSeq(b.git("ls-tree", "-r", "-z", "--name-only", "HEAD"), "\x00") {
				if p != "" {
					got[p] = b.blob("HEAD:" + p)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("committed:\n%s", diff)
			}
		})
	}
}
