package importer

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// zipped makes an archive in memory; content that is nil is a folder.
func zipped(t testing.TB, files ...[2]string) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for _, f := range files {
		e, err := w.Create(f[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(e, f[1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func put(t testing.TB, path string, data []byte) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// open opens path and says what is in it: names and contents, and what was
// skipped.
func open(t testing.TB, path string, limits Limits) (inputs []string, skipped []string) {
	t.Helper()
	b, err := Open(path, limits)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	rel := func(name string) string {
		return strings.TrimPrefix(filepath.ToSlash(strings.TrimPrefix(name, path)), "/")
	}
	for _, in := range b.Inputs {
		for range 2 { // an input may be opened more than once
			r, err := in.Open()
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			if in.Size != int64(len(data)) {
				t.Errorf("%s: size %d, read %d", in.Name, in.Size, len(data))
			}
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
			if len(inputs) == 0 || !strings.HasPrefix(inputs[len(inputs)-1], rel(in.Name)+" = ") {
				inputs = append(inputs, rel(in.Name)+" = "+string(data))
			}
		}
	}
	for _, s := range b.Skipped {
		skipped = append(skipped, rel(s.Name)+" "+s.Reason)
	}
	return inputs, skipped
}

func TestOpenFolder(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "conversations-10.json"), []byte("10"))
	put(t, filepath.Join(dir, "conversations-2.json"), []byte("2"))
	put(t, filepath.Join(dir, "images/cat.png"), []byte("x"))
	put(t, filepath.Join(dir, "sub/a.JSONL"), []byte("a"))
	put(t, filepath.Join(dir, ".git/config.json"), []byte("x"))
	put(t, filepath.Join(dir, ".hidden.json"), []byte("x"))
	put(t, filepath.Join(dir, "more.zip"), zipped(t, [2]string{"b.json", "b"}))
	put(t, filepath.Join(dir, "bad.zip"), []byte("PK\x03\x04 and no more"))
	outside := put(t, filepath.Join(t.TempDir(), "secret.json"), []byte("secret"))
	if runtime.GOOS != "windows" {
		for link, target := range map[string]string{"link.json": outside, "linkdir": filepath.Dir(outside)} {
			if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
				t.Fatal(err)
			}
		}
	}
	inputs, skipped := open(t, dir, Limits{})
	want := []string{"conversations-2.json = 2", "conversations-10.json = 10", "more.zip/b.json = b", "sub/a.JSONL = a"}
	if diff := cmp.Diff(want, inputs); diff != "" {
		t.Error(diff)
	}
	want = []string{"bad.zip is a zip archive that is cut short or damaged: download it again", "link.json is a symbolic link; name its target to import it"}
	if diff := cmp.Diff(want, skipped); diff != "" && runtime.GOOS != "windows" {
		t.Error(diff)
	}
}

func TestOpenZip(t *testing.T) {
	inner := string(zipped(t, [2]string{"c.json", "inner"}, [2]string{"deep.zip", string(zipped(t, [2]string{"d.json", "x"}))}))
	path := put(t, filepath.Join(t.TempDir(), "export.zip"), zipped(t,
		[2]string{"conversations.json", "[]"}, [2]string{"folder/", ""}, [2]string{"photo.jpg", "x"}, [2]string{`win\dows.json`, "w"},
		[2]string{"../up.json", "x"}, [2]string{"/abs.json", "x"}, [2]string{`..\up.json`, "x"}, [2]string{"C:/x.json", "x"},
		[2]string{"__MACOSX/._conversations.json", "x"}, [2]string{"inner.zip", inner}, [2]string{"broken.zip", "PK\x03\x04"},
	))
	inputs, skipped := open(t, path, Limits{})
	want := []string{"conversations.json = []", "inner.zip/c.json = inner", `win\dows.json = w`}
	if diff := cmp.Diff(want, inputs); diff != "" {
		t.Error(diff)
	}
	want = []string{
		"../up.json has a path that leads out of its archive", "/abs.json has a path that is not inside its archive",
		`..\up.json has a path that leads out of its archive`, "C:/x.json has a path that is not inside its archive",
		"inner.zip/deep.zip is an archive in an archive in an archive: unpack it first",
		"broken.zip is a zip archive that is cut short or damaged: download it again",
	}
	if diff := cmp.Diff(want, skipped); diff != "" {
		t.Error(diff)
	}
}

func TestOpenLeavesNothingBehind(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	path := put(t, filepath.Join(t.TempDir(), "x.zip"), zipped(t, [2]string{"i.zip", string(zipped(t, [2]string{"c.json", "x"}))}))
	open(t, path, Limits{})
	left, err := os.ReadDir(tmp)
	if err != nil || len(left) > 0 {
		t.Errorf("%v is left, and %v", left, err)
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	whole := zipped(t, [2]string{"conversations.json", strings.Repeat("words ", 1000)})
	bomb := zipped(t, [2]string{"conversations.json", strings.Repeat("\x00", 40<<20)})
	encrypted := bytes.Clone(whole)
	encrypted[bytes.Index(encrypted, []byte("PK\x01\x02"))+8] |= 1
	for _, tt := range []struct {
		name   string
		path   string
		limits Limits
		want   string
	}{
		{"absent", filepath.Join(dir, "none.json"), Limits{}, "does not exist"},
		{"truncated", put(t, filepath.Join(dir, "t.zip"), whole[:len(whole)-30]), Limits{}, "is a zip archive that is cut short or damaged: download it again"},
		{"no zip", put(t, filepath.Join(dir, "n.zip"), []byte("hello")), Limits{}, "is named as a zip archive but is not one"},
		{"encrypted", put(t, filepath.Join(dir, "e.zip"), encrypted), Limits{}, "is encrypted: unpack it with its password and import the folder"},
		{"bomb", put(t, filepath.Join(dir, "b.zip"), bomb), Limits{}, fmt.Sprintf("unpacks to far more than a chat export does (conversations.json in %s): it looks like a zip bomb", bytesText(40<<10-240))},
		{"many copies", put(t, filepath.Join(dir, "m.zip"), bomb), Limits{Ratio: 2000, Unpacked: 1 << 20}, "unpacks to more than 1 MiB"},
		{"files", put(t, filepath.Join(dir, "f.zip"), zipped(t, [2]string{"a.json", ""}, [2]string{"b.json", ""})), Limits{Files: 1}, "holds more than 1 files"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b, err := Open(tt.path, tt.limits)
			if err == nil {
				b.Close()
				t.Fatal("it was opened")
			}
			got := err.Error()
			if tt.name == "bomb" { // how well it packs is the compressor's affair
				got = got[:strings.Index(got, " in ")] + tt.want[strings.Index(tt.want, " in "):]
			}
			if got != tt.path+" "+tt.want {
				t.Errorf("got  %s\nwant %s %s", got, tt.path, tt.want)
			}
		})
	}
}

// TestLyingSizes changes the size that an archive's directory says: reading stops
// where more comes out than was said.
func TestLyingSizes(t *testing.T) {
	data := zipped(t, [2]string{"conversations.json", strings.Repeat("x", 1<<20)})
	at := bytes.Index(data, []byte("PK\x01\x02")) + 24
	copy(data[at:], []byte{10, 0, 0, 0})
	b, err := Open(put(t, filepath.Join(t.TempDir(), "l.zip"), data), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	r, err := b.Inputs[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	got, err := io.ReadAll(r)
	if err == nil || !strings.Contains(err.Error(), "conversations.json is damaged in its archive") || len(got) > 10 {
		t.Errorf("%d bytes and %v", len(got), err)
	}
}

func TestDamagedEntry(t *testing.T) {
	text := strings.Repeat("some words that are packed ", 500)
	data := zipped(t, [2]string{"conversations.json", text})
	data[60] ^= 0xff
	b, err := Open(put(t, filepath.Join(t.TempDir(), "d.zip"), data), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	r, err := b.Inputs[0].Open()
	if err == nil {
		_, err = io.ReadAll(r)
	}
	if err == nil || !strings.Contains(err.Error(), "conversations.json is damaged in its archive") {
		t.Errorf("got %v", err)
	}
}

func TestUnreadable(t *testing.T) {
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("this user may read everything")
	}
	path := put(t, filepath.Join(t.TempDir(), "c.json"), []byte("[]"))
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, Limits{}); err == nil || err.Error() != path+" may not be read by this user" {
		t.Errorf("got %v", err)
	}
}

func TestNatural(t *testing.T) {
	order := []string{"a", "a1", "a2", "a2b", "a10", "a10b1", "a10b02", "a10b2", "b"}
	for i := range order {
		for j := range order {
			got, want := natural(order[i], order[j]), i-j
			if got < 0 != (want < 0) || got > 0 != (want > 0) {
				t.Errorf("natural(%q, %q) = %d", order[i], order[j], got)
			}
		}
	}
}

// FuzzOpenZip holds the law that no archive makes Open or a read panic or
// return more than it says.
func FuzzOpenZip(f *testing.F) {
	f.Add(zipped(f, [2]string{"a.json", "[]"}, [2]string{"b.zip", string(zipped(f, [2]string{"c.txt", "x"}))}))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := Open(put(t, filepath.Join(dir, "f.zip"), data), Limits{})
		if err != nil {
			return
		}
		defer b.Close()
		for _, in := range b.Inputs {
			r, err := in.Open()
			if err != nil {
				continue
			}
			if n, _ := io.Copy(io.Discard, r); n > in.Size {
				t.Errorf("%s gave %d bytes, its size is %d", in.Name, n, in.Size)
			}
			r.Close()
		}
	})
}
