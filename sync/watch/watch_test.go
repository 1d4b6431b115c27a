package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/vault"
)

// A tree is a folder of which hidden files are left alone.
type tree struct{ dir string }

func (t tree) Dir() string { return t.dir }
func (t tree) Ignored(p vault.Path, _ bool) bool {
	return strings.HasPrefix(p.Base(), ".") || strings.HasSuffix(p.Base(), "~")
}

// A mirror is what looks have found, as an index would hold it.
type mirror struct {
	dir string

	mu    sync.Mutex
	files map[string]string
	seen  chan struct{} // one for each look, as far as anybody reads
}

func (m *mirror) look(_ context.Context, what Look) error {
	files, err := read(m.dir)
	if !what.All {
		// As an index does, believe in nothing but the paths.
		found := files
		files = maps.Clone(m.files)
		for _, p := range what.Paths {
			name := filepath.Join(m.dir, string(p))
			if text, ok := found[name]; ok {
				files[name] = text
			} else {
				delete(files, name)
			}
		}
	}
	m.mu.Lock()
	m.files = files
	m.mu.Unlock()
	select {
	case m.seen <- struct{}{}:
	default:
	}
	return err
}

func read(dir string) (map[string]string, error) {
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if left := (tree{}).Ignored(vault.Path(d.Name()), false); left && d.IsDir() {
			return fs.SkipDir
		} else if err != nil || left || !d.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(name)
		if err == nil {
			files[name] = string(raw)
		}
		return nil
	})
	return files, err
}

// converges waits until what was seen is what is there.
func (m *mirror) converges(t *testing.T) {
	t.Helper()
	deadline := time.After(10 * time.Second)
	for {
		select {
		case <-m.seen:
		case <-deadline:
			m.mu.Lock()
			defer m.mu.Unlock()
			want, _ := read(m.dir)
			t.Fatalf("not in step after 10 s:\n%s", cmp.Diff(want, m.files))
		}
		want, err := read(m.dir)
		if err != nil {
			t.Fatal(err)
		}
		m.mu.Lock()
		same := cmp.Equal(want, m.files)
		m.mu.Unlock()
		if same {
			return
		}
	}
}

// follow starts a watcher over a new folder. Nothing but events makes it look:
// its tick is an hour.
func follow(t *testing.T, cfg Config) (*Watcher, *mirror) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m := &mirror{dir: filepath.Join(dir, "vault"), seen: make(chan struct{}, 1)}
	mkdir(t, m.dir)
	if cfg.Tick == 0 {
		cfg.Tick, cfg.Owed = time.Hour, time.Hour
	}
	w := New(tree{m.dir}, cfg)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx, m.look) }()
	t.Cleanup(func() {
		stop()
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			t.Error("the watcher does not end")
		}
	})
	m.converges(t)
	return w, m
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func mkdir(t *testing.T, name string) {
	t.Helper()
	if err := os.MkdirAll(name, 0o755); err != nil {
		t.Fatal(err)
	}
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

// What editors, sync tools and people do to files. Each is followed by a plain
// save in the place that it made, so that a folder which is not watched any more
// is noticed.
func TestWhatHappensToFilesIsSeen(t *testing.T) {
	type step func(t *testing.T, dir string)
	at := filepath.Join
	for name, steps := range map[string][]step{
		"a save in place": {func(t *testing.T, d string) { write(t, at(d, "a.md"), "1") }, func(t *testing.T, d string) { write(t, at(d, "a.md"), "2") }},
		"an atomic save": {
			func(t *testing.T, d string) { write(t, at(d, "a.md"), "1") },
			func(t *testing.T, d string) {
				write(t, at(d, ".a.md.tmp"), "2")
				rename(t, at(d, ".a.md.tmp"), at(d, "a.md"))
			},
		},
		"vim's save": {
			func(t *testing.T, d string) { write(t, at(d, "a.md"), "1") },
			func(t *testing.T, d string) {
				rename(t, at(d, "a.md"), at(d, "a.md~"))
				write(t, at(d, "a.md"), "2")
				if err := os.Remove(at(d, "a.md~")); err != nil {
					t.Fatal(err)
				}
			},
		},
		"a deleted file": {func(t *testing.T, d string) { write(t, at(d, "a.md"), "1") }, func(t *testing.T, d string) {
			if err := os.Remove(at(d, "a.md")); err != nil {
				t.Fatal(err)
			}
		}},
		"a new folder and files in it": {
			func(t *testing.T, d string) { mkdir(t, at(d, "x/y/z")); write(t, at(d, "x/y/z/a.md"), "1") },
			func(t *testing.T, d string) { write(t, at(d, "x/y/z/a.md"), "2") },
		},
		"a renamed folder": {
			func(t *testing.T, d string) { mkdir(t, at(d, "x/y")); write(t, at(d, "x/y/a.md"), "1") },
			func(t *testing.T, d string) { rename(t, at(d, "x"), at(d, "w")) },
			func(t *testing.T, d string) { write(t, at(d, "w/y/a.md"), "2") },
			func(t *testing.T, d string) { mkdir(t, at(d, "x")); write(t, at(d, "x/b.md"), "3") },
			func(t *testing.T, d string) { write(t, at(d, "x/b.md"), "4") },
		},
		"a folder moved in": {
			func(t *testing.T, d string) {
				out := at(filepath.Dir(d), "outside/deep")
				mkdir(t, out)
				write(t, at(out, "a.md"), "1")
				rename(t, filepath.Dir(out), at(d, "in"))
			},
			func(t *testing.T, d string) { write(t, at(d, "in/deep/a.md"), "2") },
		},
		"a folder moved out and back": {
			func(t *testing.T, d string) { mkdir(t, at(d, "x")); write(t, at(d, "x/a.md"), "1") },
			func(t *testing.T, d string) { rename(t, at(d, "x"), at(filepath.Dir(d), "out")) },
			func(t *testing.T, d string) {
				write(t, at(filepath.Dir(d), "out/a.md"), "2")
				rename(t, at(filepath.Dir(d), "out"), at(d, "x"))
			},
			func(t *testing.T, d string) { write(t, at(d, "x/a.md"), "3") },
		},
		"a folder deleted and made again": {
			func(t *testing.T, d string) { mkdir(t, at(d, "x")); write(t, at(d, "x/a.md"), "1") },
			func(t *testing.T, d string) {
				if err := os.RemoveAll(at(d, "x")); err != nil {
					t.Fatal(err)
				}
				mkdir(t, at(d, "x"))
				write(t, at(d, "x/a.md"), "2")
			},
			func(t *testing.T, d string) { write(t, at(d, "x/a.md"), "3") },
		},
		"another case": {
			func(t *testing.T, d string) { write(t, at(d, "note.md"), "1") },
			func(t *testing.T, d string) { rename(t, at(d, "note.md"), at(d, "Note.md")) },
			func(t *testing.T, d string) { write(t, at(d, "Note.md"), "2") },
		},
		"a symbolic link to a folder outside": {
			func(t *testing.T, d string) {
				mkdir(t, at(filepath.Dir(d), "elsewhere"))
				if err := os.Symlink(at(filepath.Dir(d), "elsewhere"), at(d, "link")); err != nil {
					t.Skip(err)
				}
				write(t, at(d, "a.md"), "1")
			},
		},
		"thousands of files at once": {func(t *testing.T, d string) {
			for i := range 3000 {
				dir := at(d, fmt.Sprint(i%30))
				mkdir(t, dir)
				write(t, at(dir, fmt.Sprint(i, ".md")), fmt.Sprint(i))
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, m := follow(t, Config{})
			for _, s := range steps {
				s(t, m.dir)
				m.converges(t)
			}
		})
	}
}

// Twenty trees, four deep, made at once: no folder is filled before it is watched
// without being seen.
func TestTreesMadeAtOnce(t *testing.T) {
	_, m := follow(t, Config{})
	var making sync.WaitGroup
	for i := range 20 {
		making.Go(func() {
			dir := filepath.Join(m.dir, fmt.Sprint(i), "a", "b", "c")
			_ = os.MkdirAll(dir, 0o755)
			_ = os.WriteFile(filepath.Join(dir, "n.md"), []byte("1"), 0o644)
		})
	}
	making.Wait()
	m.converges(t)
	for i := range 20 {
		write(t, filepath.Join(m.dir, fmt.Sprint(i), "a", "b", "c", "n.md"), "2")
	}
	m.converges(t)
}

func TestSettleWaitsForTheNewestEdit(t *testing.T) {
	w, m := follow(t, Config{Quiet: time.Hour, Longest: 2 * time.Hour})
	if !w.Settle(t.Context(), time.Second) {
		t.Fatal("not in step where nothing happened")
	}
	name := filepath.Join(m.dir, "a.md")
	write(t, name, "1")
	// The event is on its way; Settle is for what is known.
	for deadline := time.Now().Add(5 * time.Second); w.InStep() && time.Now().Before(deadline); {
		runtime.Gosched()
	}
	if !w.Settle(t.Context(), 5*time.Second) {
		t.Fatal("not settled")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.files[name] != "1" {
		t.Errorf("settled on %v", m.files)
	}
}

func TestSettleWaitsForNoWriter(t *testing.T) {
	w := New(tree{t.TempDir()}, Config{Tick: time.Hour})
	busy := make(chan struct{})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = w.Run(ctx, func(context.Context, Look) error { <-busy; return nil })
	}()
	began := time.Now()
	if w.Settle(ctx, 50*time.Millisecond) {
		t.Error("settled while the first look was under way")
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("waited %s", took)
	}
	if len(w.waiters) != 0 {
		t.Errorf("%d waiters are left", len(w.waiters))
	}
	stop()
	close(busy)
	<-ended
}

func TestFoldersBeyondTheLimitArePolledAndSaidSo(t *testing.T) {
	w, m := follow(t, Config{Folders: 3, Poll: 20 * time.Millisecond})
	for i := range 6 {
		mkdir(t, filepath.Join(m.dir, fmt.Sprint(i)))
	}
	m.converges(t)
	for i := range 6 {
		write(t, filepath.Join(m.dir, fmt.Sprint(i), "a.md"), "1")
	}
	m.converges(t)
	s := w.Status()
	if s.Folders != 3 || s.Polled != 4 || s.Why == "" || w.InStep() {
		t.Errorf("%+v", s)
	}
}

func TestAVaultThatIsReplacedEndsTheWatch(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(dir, "vault")
	mkdir(t, dir)
	w := New(tree{dir}, Config{Tick: 50 * time.Millisecond})
	looked := make(chan struct{}, 100)
	ended := make(chan error, 1)
	go func() {
		ended <- w.Run(t.Context(), func(context.Context, Look) error { looked <- struct{}{}; return nil })
	}()
	<-looked
	rename(t, dir, dir+".old") // kept, so that the new one cannot get its number
	mkdir(t, dir)
	if err := <-ended; !errors.Is(err, ErrGone) {
		t.Errorf("ended with %v", err)
	}
}

func TestNoWatcherOfOursIsLeftBehind(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("counts open files by /proc")
	}
	count := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip(err)
		}
		return len(entries)
	}
	before, goroutines := count(), runtime.NumGoroutine()
	for range 20 {
		w := New(tree{t.TempDir()}, Config{})
		ctx, stop := context.WithCancel(t.Context())
		_ = w.Run(ctx, func(context.Context, Look) error { stop(); return nil })
	}
	if after := count(); after > before+2 {
		t.Errorf("%d files open before, %d after", before, after)
	}
	if after := runtime.NumGoroutine(); after > goroutines+2 {
		t.Errorf("%d goroutines before, %d after", goroutines, after)
	}
}

func TestFilesLeftAloneGiveNoHint(t *testing.T) {
	w, m := follow(t, Config{})
	before := w.Status().Looks
	mkdir(t, filepath.Join(m.dir, ".obsidian"))
	write(t, filepath.Join(m.dir, ".obsidian", "workspace.json"), "{}")
	write(t, filepath.Join(m.dir, "a.md~"), "x")
	write(t, filepath.Join(m.dir, ".a.md.swp"), "x")
	write(t, filepath.Join(m.dir, "b.md"), "x")
	m.converges(t)
	s := w.Status()
	if s.Events > 3 { // b.md is created and written, perhaps twice
		t.Errorf("%d events for one file", s.Events)
	}
	if s.Looks == before {
		t.Error("no look")
	}
	if s.Folders != 1 {
		t.Errorf("%d folders are watched", s.Folders)
	}
}
