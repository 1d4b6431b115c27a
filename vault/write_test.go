//go:build unix

package vault

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func open(t *testing.T, dir string, c Config) *Vault {
	t.Helper()
	v, err := Open(dir, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	return v
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	v := open(t, dir, Config{})
	if err := v.Write("facts/work/a.md", NoFile, []byte("one\n")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "facts/work/a.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := v.Write("facts/work/a.md", HashOf([]byte("one\n")), []byte("two\n")); err != nil {
		t.Fatal(err)
	}
	info, err := v.Stat("facts/work/a.md")
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, err %v: the mode bits were not kept", info.Mode(), err)
	}
	if raw, _ := v.Read("facts/work/a.md"); string(raw) != "two\n" {
		t.Errorf("read %q", raw)
	}
	for name, old := range map[string]Hash{"stale": HashOf([]byte("one\n")), "unknown": NoFile} {
		if err := v.Write("facts/work/a.md", old, []byte("three\n")); !errors.Is(err, ErrChanged) {
			t.Errorf("%s: err %v, want ErrChanged", name, err)
		}
	}
	if err := v.Remove("facts/work/a.md", HashOf([]byte("one\n"))); !errors.Is(err, ErrChanged) {
		t.Errorf("removing a changed file: %v", err)
	}
	if err := v.Remove("facts/work/a.md", HashOf([]byte("two\n"))); err != nil || v.Exists("facts/work/a.md") {
		t.Errorf("remove: %v", err)
	}
}

func TestWriteStaysInside(t *testing.T) {
	outside := t.TempDir()
	dir := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "out")); err != nil {
		t.Skip("no symbolic links here")
	}
	target := filepath.Join(outside, "secret.md")
	if err := os.WriteFile(target, []byte("mine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, filepath.Join(dir, "link.md")); err != nil {
		t.Fatal(err)
	}
	v := open(t, dir, Config{})
	for _, p := range []Path{"out/new.md", "out/secret.md", "link.md", "../x.md"} {
		if err := v.Write(p, NoFile, []byte("x")); err == nil {
			t.Errorf("%s: written through", p)
		}
		if err := v.Write(p, HashOf([]byte("mine\n")), []byte("x")); err == nil {
			t.Errorf("%s: written over", p)
		}
	}
	if raw, err := v.Read("out/secret.md"); err == nil {
		t.Errorf("read %q from outside", raw)
	}
	if raw, _ := os.ReadFile(target); string(raw) != "mine\n" {
		t.Errorf("the file outside is %q", raw)
	}
	if list, _ := os.ReadDir(outside); len(list) != 1 {
		t.Errorf("files were left outside: %v", list)
	}
}

// TestSaveAtTheLastMoment saves the file between the look at it and the
// exchange: the person's text must stay.
func TestSaveAtTheLastMoment(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.md")
	if err := os.WriteFile(file, []byte("old\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	v := open(t, dir, Config{Fault: func(s Step, p Path) error {
		if s == StepRename {
			return os.WriteFile(file, []byte("the person's\n"), 0o644)
		}
		return nil
	}})
	err := v.Write("a.md", HashOf([]byte("old\n")), []byte("machine\n"))
	raw, _ := os.ReadFile(file)
	if string(raw) == "machine\n" {
		t.Skip("this system cannot exchange two files; the window stays open")
	}
	if !errors.Is(err, ErrChanged) || string(raw) != "the person's\n" {
		t.Errorf("err %v, file %q", err, raw)
	}
	leftovers(t, dir, "a.md")
}

// TestRemovalAtTheLastMoment removes the file between the look at it and the
// exchange: what the person deleted must stay deleted.
func TestRemovalAtTheLastMoment(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.md")
	if err := os.WriteFile(file, []byte("old\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	v := open(t, dir, Config{Fault: func(s Step, p Path) error {
		if s == StepRename {
			return os.Remove(file)
		}
		return nil
	}})
	err := v.Write("a.md", HashOf([]byte("old\n")), []byte("machine\n"))
	if raw, _ := os.ReadFile(file); string(raw) == "machine\n" {
		t.Skip("this system cannot exchange two files; the window stays open")
	}
	if !errors.Is(err, ErrChanged) {
		t.Errorf("err %v, want that the file was removed", err)
	}
	leftovers(t, dir)
}

// A save that comes after the last look at a file which is to be removed stays.
func TestSaveAtTheLastMomentOfARemoval(t *testing.T) {
	for name, save := range map[string]func(file string) error{
		"in place": func(file string) error { return os.WriteFile(file, []byte("saved\n"), 0o644) },
		"atomic": func(file string) error {
			return errors.Join(os.WriteFile(file+".new", []byte("saved\n"), 0o644), os.Rename(file+".new", file))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "a.md")
			if err := os.WriteFile(file, []byte("old\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			v := open(t, dir, Config{Fault: func(s Step, p Path) error {
				if s == StepRemove {
					return save(file)
				}
				return nil
			}})
			if err := v.Remove("a.md", HashOf([]byte("old\n"))); !errors.Is(err, ErrChanged) {
				t.Errorf("err %v, want that the file was changed", err)
			}
			if raw, _ := os.ReadFile(file); string(raw) != "saved\n" {
				t.Errorf("the file is %q", raw)
			}
			leftovers(t, dir, "a.md")
		})
	}
}

func leftovers(t *testing.T, dir string, want ...string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	if strings.Join(names, " ") != strings.Join(want, " ") {
		t.Errorf("the folder holds %v, want %v", names, want)
	}
}

// TestEveryStepFails fails step 1, 2, 3, ... of a write until none is left.
func TestEveryStepFails(t *testing.T) {
	for _, c := range []struct {
		name string
		old  string
	}{{"new", ""}, {"replace", "old\n"}} {
		t.Run(c.name, func(t *testing.T) {
			for n := 1; ; n++ {
				dir := t.TempDir()
				old := NoFile
				if c.old != "" {
					if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte(c.old), 0o644); err != nil {
						t.Fatal(err)
					}
					old = HashOf([]byte(c.old))
				}
				step := 0
				v := open(t, dir, Config{Fault: func(s Step, p Path) error {
					if step++; step == n {
						return syscall.ENOSPC
					}
					return nil
				}})
				err := v.Write("a.md", old, []byte("new\n"))
				if err == nil {
					if step >= n {
						t.Fatalf("step %d failed and the write did not", n)
					}
					if n < 6 {
						t.Fatalf("only %d steps", n-1)
					}
					return
				}
				if !errors.Is(err, syscall.ENOSPC) || !strings.HasPrefix(err.Error(), "a.md: ") {
					t.Errorf("step %d: err %q", n, err)
				}
				raw, readErr := os.ReadFile(filepath.Join(dir, "a.md"))
				switch {
				case errors.Is(readErr, fs.ErrNotExist) && c.old == "":
					leftovers(t, dir)
				case readErr == nil && (string(raw) == c.old || string(raw) == "new\n"):
					leftovers(t, dir, "a.md")
				default:
					t.Errorf("step %d: file %q, err %v", n, raw, readErr)
				}
			}
		})
	}
}

// TestDyingAtEveryStep kills a child at step 1, 2, 3, ... of a write.
func TestDyingAtEveryStep(t *testing.T) {
	if dir := os.Getenv("VAULT_DIE_IN"); dir != "" {
		var n int
		fmt.Sscan(os.Getenv("VAULT_DIE_AT"), &n)
		step := 0
		v, err := Open(dir, Config{Fault: func(Step, Path) error {
			if step++; step == n {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			}
			return nil
		}})
		if err == nil {
			err = v.Write("a.md", HashOf([]byte("old\n")), bytes.Repeat([]byte("new\n"), 50_000))
		}
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	for n := 1; n <= 6; n++ {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("old\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		child := exec.Command(os.Args[0], "-test.run=^TestDyingAtEveryStep$")
		child.Env = append(os.Environ(), "VAULT_DIE_IN="+dir, fmt.Sprintf("VAULT_DIE_AT=%d", n))
		if err := child.Run(); err == nil {
			t.Fatalf("the child survived step %d", n)
		}
		raw, err := os.ReadFile(filepath.Join(dir, "a.md"))
		if err != nil || string(raw) != "old\n" && len(raw) != 200_000 {
			t.Errorf("step %d: %d bytes, err %v", n, len(raw), err)
		}
		v := open(t, dir, Config{})
		if err := v.Sweep(); err != nil {
			t.Fatal(err)
		}
		leftovers(t, dir, "a.md")
	}
}

func TestParsePath(t *testing.T) {
	for in, want := range map[string]string{
		"a.md": "a.md", "./a/../b.md": "b.md", `sub\b.md`: "sub/b.md", "日本/ノート.md": "日本/ノート.md",
		"": "", "..": "", "../a": "", "a/../../b": "", "/etc/passwd": "", `C:\x`: "", "a\x00b": "", ".git/config": "", ".GIT/x": "", "a\nb": "", "\xff.md": "",
	} {
		p, err := ParsePath(in)
		if (err == nil) != (want != "") || string(p) != want {
			t.Errorf("ParsePath(%q) = %q, %v, want %q", in, p, err, want)
		}
		if err != nil && !errors.Is(err, ErrPath) {
			t.Errorf("ParsePath(%q): %v does not wrap ErrPath", in, err)
		}
	}
}
