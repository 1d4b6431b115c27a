// Package mcpserver offers a memory to assistants over the Model Context
// Protocol.
//
// A host (Claude Code, Codex, ChatGPT, ...) starts `memsync mcp` and speaks the
// protocol on its standard input and output, or connects over HTTP. It finds few
// tools: memory_search, memory_get, memory_context, memory_remember and memory_ops
// for assistants that know memsync, search and fetch in the shape that ChatGPT asks
// of every connector, and the pages that memsync writes (MEMORY.md, the profile,
// topics) as resources.
//
// The package knows the protocol and nothing of vaults: what it answers comes
// from a Memory, which cmd/memsync makes of the same commands that a person
// types. One invariant holds for all of it: nothing leaves that Config.Clean has
// not seen, so a secret that stands in a note does not reach a model.
//
// What goes wrong is told to the model as a tool's result, with what to do about
// it, since a protocol error is seen by nobody who could help.
package mcpserver

import (
	"context"
	"errors"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/memsync/memsync/vault"
)

// A Memory answers. Its errors are read by a model: each is a sentence that says
// what to do.
type Memory interface {
	// Search finds what is near to a query.
	Search(ctx context.Context, q Query) (Found, error)
	// Get returns what ids name. It fails only where none of them names anything,
	// with an error that is ErrNotFound; otherwise Got.Missing says which do not.
	Get(ctx context.Context, ids []string) (Got, error)
	// Context packs what should be known before a message is answered.
	Context(ctx context.Context, m Message) (Pack, error)
	// Operate applies memory operations, an object of JSON. It fails only where
	// they cannot be read or nothing can be written.
	Operate(ctx context.Context, operations []byte, dryRun bool) (Operated, error)
	// Boot returns what an assistant reads when it starts.
	Boot(ctx context.Context) (string, error)
	// Pages lists the pages that memsync writes for reading: the profile, the
	// ledgers of the schema, the topics. MEMORY.md is not among them.
	Pages(ctx context.Context) ([]Page, error)
}

// ErrNotFound is what an error is where nothing has the ids that were asked for.
var ErrNotFound = errors.New("there is nothing with that id")

// A Page is a note that is worth reading as a whole.
type Page struct {
	Path  vault.Path
	Title string
}

// A Config is how a server presents itself.
type Config struct {
	// Operations is the JSON schema of memory operations; without it memory_ops is
	// not offered.
	Operations []byte
	// Version is the program's.
	Version string
	// Clean takes secrets out of a text; nil leaves it as it is.
	Clean func(text string) string
	Log   *slog.Logger
}

// instructions are what hosts show to the model beside the tools.
const instructions = `This is the person's own memory, kept by memsync as notes with sources.
Look here before you say that you do not know something about the person, their projects, people, plans or past conversations: call memory_search with a few words, then memory_get with an id from its hits for the full text.
The resource memory:///MEMORY.md is the overview to begin with.
Cite what you use by its path. What is marked superseded is no longer true.
When a conversation that matters ends, or the person asks to remember something that is said in it, use memory_remember with the messages, word for word.
When the person corrects the memory, or asks to remember or forget something that was said in a recorded conversation, use memory_ops.`

// A Server is the tools and resources over one Memory. Any number of clients may
// use it at a time.
type Server struct {
	memory   Memory
	cfg      Config
	protocol *mcp.Server
}

// New makes a server. It starts nothing.
func New(m Memory, cfg Config) *Server {
	if cfg.Clean == nil {
		cfg.Clean = func(text string) string { return text }
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{memory: m, cfg: cfg}
	s.protocol = mcp.NewServer(&mcp.Implementation{Name: "memsync", Title: "memsync", Version: cfg.Version}, &mcp.ServerOptions{
		Instructions: instructions,
		Logger:       cfg.Log,
		Capabilities: &mcp.ServerCapabilities{},
		// A memory is one person's: nothing between here and them may keep it.
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope = "private" },
	})
	s.addSearch(s.protocol)
	s.addGet(s.protocol)
	s.addContext(s.protocol)
	if len(cfg.Operations) > 0 {
		s.addOps(s.protocol)
	}
	s.addRemember(s.protocol)
	s.addConnector(s.protocol)
	s.addResources(s.protocol)
	return s
}

// reads are the annotations of a tool that changes nothing and looks at nothing
// but the memory.
func reads(title string) *mcp.ToolAnnotations {
	no := false
	return &mcp.ToolAnnotations{Title: title, ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no}
}

// text is a tool's answer for hosts that show text.
func text(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}
