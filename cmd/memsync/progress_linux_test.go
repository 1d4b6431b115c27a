package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// terminal opens a pseudo-terminal. What is written to the one end is read from the
// function, which closes it.
func terminal(t *testing.T) (tty *os.File, drawn func() string) {
	t.Helper()
	main, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("there are no terminals here: ", err)
	}
	if err := unix.IoctlSetPointerInt(int(main.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Skip("a terminal cannot be unlocked: ", err)
	}
	n, err := unix.IoctlGetInt(int(main.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("the terminal cannot be opened: ", err)
	}
	var all bytes.Buffer
	read := make(chan error, 1)
	go func() {
		_, err := io.Copy(&all, main)
		read <- err
	}()
	return tty, func() string {
		_ = tty.Close()
		if err := <-read; err != nil && !errors.Is(err, syscall.EIO) { // which is its end
			t.Error(err)
		}
		_ = main.Close()
		return all.String()
	}
}

// Commands whose work may take longer than a second show that they are at it, on a
// terminal and nowhere else; the answer is never mixed with it.
func TestLongWorkIsShownOnATerminalOnly(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "vault")
	a, stdout, stderr := testApp(t, home, home)
	if status := a.run(t.Context(), []string{"init", dir}); status != exitDone {
		t.Fatal(stdout, stderr)
	}
	for i := range 20 {
		name := filepath.Join(dir, "notes", fmt.Sprintf("kiln-%d.md", i))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, fmt.Appendf(nil, "# Kiln %d\n\nThe kiln reaches %d degrees.\n", i, 1000+i), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	exports, err := filepath.Abs(filepath.Join("testdata", "exports"))
	if err != nil {
		t.Fatal(err)
	}
	session := filepath.Join(home, "session.md")
	if err := os.WriteFile(session, []byte("## User\n\nI moved the kiln to the shed.\n\n## Assistant\n\nGood.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	scenarios := filepath.Join(home, "scenarios")
	if err := errors.Join(os.MkdirAll(scenarios, 0o700), os.WriteFile(filepath.Join(scenarios, "a.yaml"), []byte(
		"name: n\nnow: 2025-06-01T09:00:00Z\nconversations: [{at: 2025-05-01T09:00:00Z, title: t, turns: [\"user: The kiln is red.\"]}]\nquestions: [{ask: Which colour is the kiln?, kind: recall, want: [red]}]\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ args, shows string }{
		"search":         {"search kiln", "reading what changed"},
		"context":        {"context how hot is the kiln", "reading what changed"},
		"ask":            {"ask how hot is the kiln", "asking"},
		"get":            {"get notes/kiln-1.md", "reading what changed"},
		"inspect":        {"inspect notes/kiln-1.md", "reading what changed"},
		"index":          {"index", "indexing"},
		"rebuild":        {"index --rebuild", "building the index"},
		"import":         {"import " + filepath.Join(exports, "first.json"), "indexing"},
		"synth":          {"synth", "distilling"},
		"remember":       {"remember --session " + session, "distilling"},
		"stats":          {"stats", "counting"},
		"doctor":         {"doctor", "looking around"},
		"eval scenarios": {"eval scenarios " + scenarios, "scenarios"},
	} {
		t.Run(name, func(t *testing.T) {
			tty, drawn := terminal(t)
			a, stdout, _ := testApp(t, home, dir)
			a.stderr = tty
			a.run(t.Context(), strings.Fields(c.args))
			if text := drawn(); !strings.Contains(text, c.shows) || !strings.Contains(text, "\r") {
				t.Errorf("on a terminal %q", text)
			}
			if strings.Contains(stdout.String(), "\r") {
				t.Errorf("a bar is in the answer: %q", stdout)
			}
			a, stdout, stderr := testApp(t, home, dir)
			a.run(t.Context(), strings.Fields(c.args))
			if all := stdout.String() + stderr.String(); strings.Contains(all, "\r") {
				t.Errorf("without a terminal %q", all)
			}
		})
	}
}

// What is over at once is not drawn.
func TestShortWorkIsNotShown(t *testing.T) {
	home := t.TempDir()
	a, stdout, stderr := testApp(t, home, home)
	if status := a.run(t.Context(), []string{"init", filepath.Join(home, "vault")}); status != exitDone {
		t.Fatal(stdout, stderr)
	}
	tty, drawn := terminal(t)
	a, _, _ = testApp(t, home, filepath.Join(home, "vault"))
	a.stderr, a.patience = tty, 1<<40 // nanoseconds, some minutes
	if status := a.run(t.Context(), []string{"search", "kiln"}); status != exitDone {
		t.Errorf("exits %d", status)
	}
	if text := drawn(); strings.Contains(text, "reading what changed") {
		t.Errorf("drawn: %q", text)
	}
}
