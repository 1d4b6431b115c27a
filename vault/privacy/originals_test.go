package privacy

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func open(t testing.TB, dir string) *Originals {
	t.Helper()
	o, err := OpenOriginals(dir, bytes.NewReader(bytes.Repeat([]byte{7}, 64)))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestOriginals(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "originals")
	o := open(t, dir)
	seen := time.Date(2025, 8, 12, 16, 2, 0, 0, time.UTC)
	a := Original{ID: "aaaaaaaaaa", Class: OTP, Text: "482913", Where: "one", Seen: seen}
	b := Original{ID: "bbbbbbbbbb", Class: Password, Text: "Mango#55\n<&>", Where: "two"}
	if err := o.Put(a, b, a); err != nil {
		t.Fatal(err)
	}
	if err := o.Put(Original{ID: a.ID, Class: OTP, Text: a.Text, Where: "three"}); err != nil {
		t.Fatal(err)
	}
	again := open(t, dir)
	if !bytes.Equal(again.Key(), o.Key()) || len(o.Key()) != 32 {
		t.Error("the key changed")
	}
	got, err := again.Get(a.ID)
	if want := (Original{ID: a.ID, Class: OTP, Text: "482913", Where: "one\nthree", Seen: seen}); err != nil || cmp.Diff(want, got) != "" {
		t.Errorf("Get: %v %s", err, cmp.Diff(want, got))
	}
	if list, err := again.List(); err != nil || len(list) != 3 {
		t.Errorf("List: %v %v", list, err)
	}
	if err := again.Put(Original{ID: a.ID, Class: OTP, Text: "other"}); err == nil {
		t.Error("one id stands for two secrets")
	}
	if err := again.Put(Original{ID: "c", Class: "nonsense"}); err == nil {
		t.Error("an unknown class was kept")
	}
	if err := again.Forget(a.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := o.Get(a.ID); !errors.Is(err, ErrUnknown) {
		t.Errorf("another process still knows what was forgotten: %v", err)
	}
	if err := again.Forget(a.ID); !errors.Is(err, ErrUnknown) {
		t.Errorf("forgotten twice: %v", err)
	}
	if b, _ := os.ReadFile(filepath.Join(dir, originalsFile)); bytes.Contains(b, []byte("482913")) {
		t.Error("the forgotten secret is still on the disk")
	}
	if got, err := o.Get(b.ID); err != nil || got.Text != b.Text {
		t.Errorf("Get: %+v %v", got, err)
	}
}

func TestOriginalsAreTheirOwnersAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no permission bits")
	}
	dir := filepath.Join(t.TempDir(), "originals")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	o := open(t, dir)
	if err := o.Put(Original{ID: "aaaaaaaaaa", Class: OTP, Text: "1"}); err != nil {
		t.Fatal(err)
	}
	if err := o.Put(Original{ID: "bbbbbbbbbb", Class: OTP, Text: "2"}); err != nil {
		t.Fatal(err)
	}
	if err := o.Forget("aaaaaaaaaa"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{".": 0o700, originalsFile: 0o600, keyFile: 0o600, lockFile: 0o600} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v, want %v", name, info.Mode().Perm(), err, want)
		}
	}
}

func TestOriginalsSurviveATornLine(t *testing.T) {
	dir := t.TempDir()
	o := open(t, dir)
	if err := o.Put(Original{ID: "aaaaaaaaaa", Class: OTP, Text: "1"}); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(filepath.Join(dir, originalsFile), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(`{"id":"bbbbbbbbbb","cla`) // a crash
	f.Close()
	o = open(t, dir)
	if err := o.Put(Original{ID: "cccccccccc", Class: OTP, Text: "3"}); err != nil {
		t.Fatal(err)
	}
	list, err := open(t, dir).List()
	if err != nil || len(list) != 2 || list[1].ID != "cccccccccc" {
		t.Errorf("%+v %v", list, err)
	}
}

func TestAShortKeyIsAnError(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, keyFile), []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenOriginals(dir, nil); err == nil || !strings.Contains(err.Error(), "not 32") {
		t.Errorf("got %v", err)
	}
}

// Several processes write at once; each is this test binary again.
func TestOriginalsOfManyProcesses(t *testing.T) {
	const each = 20
	if dir := os.Getenv("PRIVACY_TEST_CHILD"); dir != "" {
		o := open(t, dir)
		for i := range each {
			id := fmt.Sprintf("%s%05d", os.Getenv("PRIVACY_TEST_NAME"), i)
			if err := o.Put(Original{ID: id, Class: OTP, Text: id}); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	dir := t.TempDir()
	open(t, dir)
	var children sync.WaitGroup
	for _, name := range []string{"a", "b", "c"} {
		children.Go(func() {
			cmd := exec.Command(os.Args[0], "-test.run", "^TestOriginalsOfManyProcesses$")
			cmd.Env = append(os.Environ(), "PRIVACY_TEST_CHILD="+dir, "PRIVACY_TEST_NAME="+name)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	children.Wait()
	list, err := open(t, dir).List()
	if err != nil || len(list) != 3*each {
		t.Errorf("%d originals, want %d: %v", len(list), 3*each, err)
	}
}
