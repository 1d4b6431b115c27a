package mcpserver_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A home with the program and a vault of two notes, one with a secret in it.
type home struct {
	t                   *testing.T
	dir, program, vault string
}

// built is where the program is built, once for all tests.
var built string

var build = sync.OnceValues(func() (string, error) {
	program := filepath.Join(built, "memsync")
	out, err := exec.Command("go", "build", "-o", program, "../../memsync").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("go build: %w\n%s", err, out)
	}
	return program, err
})

func TestMain(m *testing.M) {
	var err error
	if built, err = os.MkdirTemp("", "memsync-mcp-"); err != nil {
		panic(err)
	}
	status := m.Run()
	_ = os.RemoveAll(built)
	os.Exit(status)
}

func newHome(t *testing.T) home {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the program")
	}
	h := home{t: t, dir: t.TempDir()}
	h.vault = filepath.Join(h.dir, "vault")
	var err error
	if h.program, err = build(); err != nil {
		t.Fatal(err)
	}
	if out, err := h.command("init", h.vault).CombinedOutput(); err != nil {
		t.Fatalf("init: %v\n%s", err, out)
	}
	h.write("garden/kiln.md", "# The kiln\n\nThe kiln reaches twelve hundred degrees.\n\nThe wifi password is Tulip-Mango-9931.\n")
	h.write("MEMORY.md", "# Memory\n\nAna, a potter. Her wifi password is Tulip-Mango-9931.\n")
	h.write("memory/glazes.md", "---\ntype: topic\ntitle: Glazes\n---\n\nShe mixes her own.\n")
	return h
}

func (h home) write(name, text string) {
	h.t.Helper()
	file := filepath.Join(h.vault, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

func (h home) command(args ...string) *exec.Cmd {
	cmd := exec.Command(h.program, args...)
	cmd.Env = append(os.Environ(), "HOME="+h.dir, "USERPROFILE="+h.dir, "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=", "XDG_STATE_HOME=",
		"XDG_DATA_HOME=", "MEMSYNC_VAULT=", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=Ana", "GIT_AUTHOR_EMAIL=ana@example.org",
		"GIT_COMMITTER_NAME=Ana", "GIT_COMMITTER_EMAIL=ana@example.org")
	cmd.Dir = h.dir
	return cmd
}

// client connects to a server.
func (h home) client(transport mcp.Transport) *mcp.ClientSession {
	h.t.Helper()
	c, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(h.t.Context(), transport, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = c.Close() })
	return c
}

// call calls a tool and returns its text.
func (h home) call(c *mcp.ClientSession, tool string, args map[string]any) (string, bool) {
	h.t.Helper()
	r, err := c.CallTool(h.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		h.t.Fatalf("%s: %v", tool, err)
	}
	var b strings.Builder
	for _, one := range r.Content {
		b.WriteString(one.(*mcp.TextContent).Text)
	}
	return b.String(), r.IsError
}

// works goes the way of an assistant: the overview, a search, the whole text.
func (h home) works(c *mcp.ClientSession) {
	h.t.Helper()
	overview, err := c.ReadResource(h.t.Context(), &mcp.ReadResourceParams{URI: "memory:///MEMORY.md"})
	if err != nil || !strings.Contains(overview.Contents[0].Text, "Ana, a potter") {
		h.t.Errorf("overview: %+v, %v", overview, err)
	}
	found, failed := h.call(c, "memory_search", map[string]any{"query": "how hot is the kiln", "limit": 3})
	if failed || !strings.Contains(found, "garden/kiln.md") {
		h.t.Errorf("search: %s", found)
	}
	whole, failed := h.call(c, "memory_get", map[string]any{"ids": []string{"garden/kiln.md"}})
	if failed || !strings.Contains(whole, "twelve hundred degrees") {
		h.t.Errorf("get: %s", whole)
	}
	packed, failed := h.call(c, "memory_context", map[string]any{"message": "how hot is the kiln?", "budget": 800})
	if failed || !strings.Contains(packed, "<memsync-context") {
		h.t.Errorf("context: %s", packed)
	}
	refused, failed := h.call(c, "memory_ops", map[string]any{"dry_run": true, "create": []any{map[string]any{
		"text": "Likes tea.", "kind": "preference", "domain": "home", "topic": "tea",
		"provenance": []any{map[string]any{"transcript": "transcripts/none.md", "turn": "t0001", "quote": "I like tea"}},
	}}})
	if !failed || !strings.Contains(refused, "refused: create[0]: ") || !strings.Contains(refused, "(unknown-turn)") {
		h.t.Errorf("ops: %s", refused)
	}
	for _, text := range []string{overview.Contents[0].Text, found, whole, packed} {
		if strings.Contains(text, "Tulip") {
			h.t.Errorf("a secret left: %s", text)
		}
	}
	list, err := c.ListResources(h.t.Context(), nil)
	if err != nil || len(list.Resources) != 2 || list.Resources[1].Title != "Glazes" {
		h.t.Errorf("resources: %+v, %v", list, err)
	}
	for _, id := range []string{"../.gitconfig", "/etc/passwd", ".git/config", "garden/../../x.md"} {
		if text, failed := h.call(c, "memory_get", map[string]any{"ids": []string{id}}); !failed {
			h.t.Errorf("%s was read: %s", id, text)
		}
	}
}

func TestARealProcessOnStandardInput(t *testing.T) {
	h := newHome(t)
	h.works(h.client(&mcp.CommandTransport{Command: h.command("mcp", "--vault", h.vault)}))

	none := h.client(&mcp.CommandTransport{Command: h.command("mcp", "--vault", filepath.Join(h.dir, "nowhere"))})
	if text, failed := h.call(none, "memory_search", map[string]any{"query": "kiln"}); !failed || !strings.Contains(text, "try: memsync init") {
		t.Errorf("without a vault: %s", text)
	}
}

func TestARealProcessOverHTTP(t *testing.T) {
	h := newHome(t)
	cmd := h.command("mcp", "--http", "127.0.0.1:0", "--vault", h.vault)
	notices := &waiter{said: make(chan struct{})}
	cmd.Stderr = notices
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil {
			t.Errorf("stopped with %v: %s", err, notices.text())
		}
	})
	select {
	case <-notices.said:
	case <-t.Context().Done():
		t.Fatal("it does not answer")
	}
	_, at, _ := strings.Cut(strings.TrimSpace(notices.text()), "answering at ")
	h.works(h.client(&mcp.StreamableClientTransport{Endpoint: at}))
}

// A daemon answers while it lives, and when it is killed the next call is
// answered without it.
func TestADaemonThatDies(t *testing.T) {
	h := newHome(t)
	watch := h.command("watch", "--vault", h.vault)
	notices := &waiter{said: make(chan struct{}), after: "in step"}
	watch.Stderr = notices
	if err := watch.Start(); err != nil {
		t.Fatal(err)
	}
	dead := context.AfterFunc(t.Context(), func() { _ = watch.Process.Kill() })
	defer dead()
	<-notices.said
	c := h.client(&mcp.CommandTransport{Command: h.command("mcp", "--vault", h.vault)})
	h.works(c)
	if err := watch.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = watch.Wait() // killed
	h.works(c)
}

// Without a daemon a server holds nothing between its calls: others are served at
// the same time, commands find and index, and what they write is found.
func TestTwoServersAndTheCommandsAtOnce(t *testing.T) {
	h := newHome(t)
	// While the index is made for the first time, others would be told that it is.
	if out, err := h.command("index", "--vault", h.vault).CombinedOutput(); err != nil {
		t.Fatalf("index: %v %s", err, out)
	}
	first := h.client(&mcp.CommandTransport{Command: h.command("mcp", "--vault", h.vault)})
	second := h.client(&mcp.CommandTransport{Command: h.command("mcp", "--vault", h.vault)})
	var running sync.WaitGroup
	for n, c := range []*mcp.ClientSession{first, second} {
		running.Go(func() {
			for i := range 3 {
				found, failed := h.call(c, "memory_search", map[string]any{"query": "how hot is the kiln"})
				if failed || !strings.Contains(found, "garden/kiln.md") {
					t.Errorf("server %d, search %d: %s", n, i, found)
				}
				packed, failed := h.call(c, "memory_context", map[string]any{"message": "how hot is the kiln?"})
				if failed || !strings.Contains(packed, "<memsync-context") {
					t.Errorf("server %d, context %d: %s", n, i, packed)
				}
			}
			said, failed := h.call(c, "memory_remember", map[string]any{"id": fmt.Sprint("s", n), "messages": []any{
				map[string]any{"role": "user", "text": fmt.Sprintf("I moved the kiln to room %d of the workshop.", n+1)},
			}})
			if failed && !strings.Contains(said, "try:") {
				t.Errorf("server %d remembers: %s", n, said)
			}
		})
	}
	for i := range 3 {
		running.Go(func() {
			if out, err := h.command("search", "--vault", h.vault, "kiln").CombinedOutput(); err != nil || !strings.Contains(string(out), "garden/kiln.md") {
				t.Errorf("the command, %d: %v %s", i, err, out)
			}
		})
	}
	running.Wait()
	// Both servers are still connected, and a command may write.
	h.write("garden/pond.md", "# The pond\n\nThe pond holds nine koi.\n")
	if out, err := h.command("index", "--vault", h.vault).CombinedOutput(); err != nil {
		t.Errorf("index beside two servers: %v %s", err, out)
	}
	for n, c := range []*mcp.ClientSession{first, second} {
		if found, failed := h.call(c, "memory_search", map[string]any{"query": "how many koi"}); failed || !strings.Contains(found, "garden/pond.md") {
			t.Errorf("server %d: %s", n, found)
		}
	}
}

// A waiter keeps what is written and says when the words it waits for are there.
type waiter struct {
	after string
	said  chan struct{}
	once  sync.Once
	mu    sync.Mutex
	all   bytes.Buffer
}

func (w *waiter) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all.Write(b)
	if strings.Contains(w.all.String(), w.after) {
		w.once.Do(func() { close(w.said) })
	}
	return len(b), nil
}

func (w *waiter) text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.all.String()
}
