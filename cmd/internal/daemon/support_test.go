package daemon

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/index/embed"
	"github.com/memsync/memsync/index/embed/builtin"
	"github.com/memsync/memsync/sync/watch"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
)

// A place is a vault and the folders beside it.
type place struct {
	dir, state, cache string
	e                 embed.Embedder
	quiet             time.Duration // before edits are committed; 0 never
	log               *slog.Logger
	watch             watch.Config
	beforeStep        func(what string) error // fails a write of the vault's or git's
	again             time.Duration
	d                 *Daemon
	serve             func(ctx context.Context, r Request, stdin io.Reader, stdout, stderr io.Writer) int
}

func newPlace(t testing.TB) *place {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &place{dir: filepath.Join(root, "vault"), state: filepath.Join(root, "state"), cache: filepath.Join(root, "cache")}
	for _, d := range []string{p.dir, p.state, p.cache} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func (p *place) write(t testing.TB, name, text string) {
	t.Helper()
	name = filepath.Join(p.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// repository makes the vault a repository of Ana's.
func (p *place) repository(t testing.TB) {
	t.Helper()
	if _, err := history.Init(p.dir, history.Config{}); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(filepath.Join(p.dir, ".git", "config"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("[user]\n\tname = Ana\n\temail = ana@example.org\n"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func (p *place) open(ctx context.Context) (*Opened, error) {
	fail := func(what string) error {
		if p.beforeStep == nil {
			return nil
		}
		return p.beforeStep(what)
	}
	v, err := vault.Open(p.dir, vault.Config{Fault: func(s vault.Step, at vault.Path) error { return fail(string(s) + " " + string(at)) }})
	if err != nil {
		return nil, err
	}
	x, err := index.Open(ctx, p.cache, p.e, index.Config{Now: time.Now, Discarded: func() { p.d.Lost() }})
	if err != nil {
		return nil, err
	}
	o := &Opened{Vault: v, Index: x, Quiet: p.quiet, Settings: []string{filepath.Join(p.dir, ".memoryrc")}}
	if repo, err := history.Open(p.dir, history.Config{Step: func(s history.Step) error { return fail("git: " + string(s)) }}); err == nil {
		o.Repo = repo
		if p.quiet > 0 {
			o.Edits = watch.NewEdits(v, repo, watch.EditsConfig{State: p.state, Now: time.Now})
		}
	}
	return o, nil
}

// start runs a daemon until the test ends, and returns once the vault is in step.
func (p *place) start(t testing.TB) *Daemon {
	t.Helper()
	ready := make(chan struct{})
	d := New(Config{
		Again: p.again,
		Dir:   p.dir, State: p.state, Socket: SocketPath("", p.state, os.TempDir(), os.Getuid()), Version: "test",
		Holder: vault.Holder{PID: os.Getpid(), What: "watch", Since: time.Now()},
		Open:   p.open, Serve: p.serve, Watch: p.watch, Log: p.log, Now: time.Now,
		Ready: func() { close(ready) },
	})
	p.d = d
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- d.Run(ctx) }()
	t.Cleanup(func() {
		began := time.Now()
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("stopping took %s", took)
		}
	})
	select {
	case <-ready:
	case err := <-ended:
		ended <- err
		t.Fatal(err)
	}
	return d
}

// until waits for something to become so, looking every few milliseconds.
func until(t testing.TB, most time.Duration, what string, so func() bool) time.Duration {
	t.Helper()
	began := time.Now()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for !so() {
		if time.Since(began) > most {
			t.Fatalf("not so after %s: %s", most, what)
		}
		<-tick.C
	}
	return time.Since(began)
}

// finds reports whether the daemon's index finds a word in a note.
func finds(t testing.TB, d *Daemon, word, path string) bool {
	t.Helper()
	o, done := d.Open()
	defer done()
	if o == nil {
		return false
	}
	r, err := o.Index.Search(context.Background(), index.Query{Text: word, Limit: 3, Mode: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range r.Hits {
		if string(h.Path) == path && strings.Contains(h.Text, word) {
			return true
		}
	}
	return false
}

func model(t testing.TB) embed.Embedder {
	t.Helper()
	m, err := builtin.Open()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var words = strings.Fields(`the and to of a in it is that was garden kitchen window letter money doctor school
	teacher music river mountain street village summer winter birthday dinner coffee bread cheese meeting
	project report budget deadline customer release server database backup network holiday flight hotel
	beach island bridge station engine bicycle paint wall roof floor carpet lamp candle mirror drawer`)

// prose is a note of about so many bytes.
func prose(r *rand.Rand, size int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s %s\n\n", words[r.IntN(len(words))], words[r.IntN(len(words))])
	for b.Len() < size {
		for range 10 + r.IntN(8) {
			b.WriteString(words[r.IntN(len(words))] + " ")
		}
		b.WriteString(".\n")
		if r.IntN(5) == 0 {
			b.WriteString("\n## " + words[r.IntN(len(words))] + "\n\n")
		}
	}
	return b.String()
}

func notePath(i int) string { return fmt.Sprintf("notes/%03d/note-%05d.md", i/50, i) }

// fill writes n notes of some 3 KB.
func (p *place) fill(t testing.TB, n int) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		p.write(t, notePath(i), prose(r, 1000+r.IntN(4000)))
	}
}
