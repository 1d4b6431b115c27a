package watch

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// What comes into a folder is hinted at, what becomes of the folder's own mode is
// nothing, and a folder that goes is said to be gone.
func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "queue")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	hints, ended := make(chan struct{}, 1), make(chan error, 1)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go func() { ended <- Folder(ctx, dir, hints) }()
	wait := func(what string) {
		t.Helper()
		select {
		case <-hints:
		case err := <-ended:
			t.Fatalf("%s: %v", what, err)
		}
	}
	wait("what came before")
	if err := os.WriteFile(filepath.Join(dir, "a.json"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	wait("a file")
	if err := os.Chmod(dir, 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "b.json"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	wait("another file")
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err == nil {
		t.Error("a folder that is gone is watched on")
	}
	if err := Folder(ctx, dir, hints); err == nil {
		t.Error("a folder that is not there is watched")
	}
}

// It ends when it is told to.
func TestFolderEnds(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	hints := make(chan struct{}, 1)
	ended, dir := make(chan error, 1), t.TempDir()
	go func() { ended <- Folder(ctx, dir, hints) }()
	<-hints
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
