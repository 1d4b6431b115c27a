package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/memsync/memsync/vault"
)

const markdown = "text/markdown"

// bootURI is the overview that an assistant begins with.
const bootURI = scheme + "MEMORY.md"

// addResources offers MEMORY.md, the pages that memsync writes, and any note by
// its path. Pages come and go, so they are listed anew each time they are asked
// for.
func (s *Server) addResources(m *mcp.Server) {
	m.AddResource(&mcp.Resource{
		URI: bootURI, Name: "MEMORY.md", Title: "Memory: the overview", MIMEType: markdown,
		Description: "Who the person is, what is in force and one line a topic. Read it first.",
		Annotations: &mcp.Annotations{Priority: 1, Audience: []mcp.Role{"assistant"}},
	}, s.read)
	m.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: scheme + "{+path}", Name: "note", Title: "A note of the memory", MIMEType: markdown,
		Description: "A note by its path, as in memory:///memory/running.md",
	}, s.read)
	listed := pages{m: m, read: s.read, now: map[string]string{}}
	m.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method == "resources/list" {
				// Without a vault the list is what it was; reading says why.
				if all, err := s.memory.Pages(ctx); err == nil {
					listed.become(all, s.cfg.Clean)
				}
			}
			return next(ctx, method, req)
		}
	})
}

// pages are the resources that a server lists beside MEMORY.md.
type pages struct {
	m    *mcp.Server
	read mcp.ResourceHandler

	mu  sync.Mutex
	now map[string]string // titles by URI
}

// become lists these pages and no others.
func (p *pages) become(all []Page, clean func(string) string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	want := map[string]string{}
	for _, page := range all {
		at := uri(string(page.Path), "")
		want[at] = clean(page.Title)
		if title, listed := p.now[at]; !listed || title != want[at] {
			p.m.AddResource(&mcp.Resource{URI: at, Name: string(page.Path), Title: want[at], MIMEType: markdown}, p.read)
		}
	}
	var gone []string
	for at := range p.now {
		if _, still := want[at]; !still {
			gone = append(gone, at)
		}
	}
	if len(gone) > 0 {
		p.m.RemoveResources(gone...)
	}
	p.now = want
}

// read reads a resource.
func (s *Server) read(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	at := req.Params.URI
	path, err := parseURI(at)
	if err != nil {
		return nil, notFound(at, err)
	}
	var body string
	if at == bootURI {
		body, err = s.memory.Boot(ctx)
	} else {
		body, err = s.note(ctx, path)
	}
	switch {
	case errors.Is(err, ErrNotFound):
		return nil, notFound(at, err)
	case err != nil && ctx.Err() == nil:
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	case err != nil:
		return nil, err
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: at, MIMEType: markdown, Text: s.cfg.Clean(body)}}}, nil
}

// note is the text of a whole note.
func (s *Server) note(ctx context.Context, path vault.Path) (string, error) {
	got, err := s.memory.Get(ctx, []string{string(path)})
	if err != nil {
		return "", err
	}
	for _, it := range got.Items {
		if it.Path == string(path) {
			text, truncated := cut(it.Text, maxText)
			if truncated {
				text += "\n(cut here: memory_get reads parts of it, as path:line)\n"
			}
			return text, nil
		}
	}
	return "", fmt.Errorf("%w; memory_search finds what has one", ErrNotFound)
}

// notFound is the protocol's error for a resource that is not there.
func notFound(at string, why error) error {
	data, err := json.Marshal(map[string]string{"uri": at})
	if err != nil { // a map of strings always encodes
		panic(err)
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "resource not found: " + why.Error(), Data: data}
}

// parseURI returns the note that a URI names. It is text from outside: what
// leads out of the vault is refused here already.
func parseURI(at string) (vault.Path, error) {
	rest, ok := strings.CutPrefix(at, scheme)
	if !ok {
		return "", fmt.Errorf("%q does not begin with %s", at, scheme)
	}
	rest, _, _ = strings.Cut(rest, "#")
	text, err := url.PathUnescape(rest)
	if err != nil {
		return "", err
	}
	p, err := vault.ParsePath(text)
	if err == nil && !p.IsNote() {
		err = fmt.Errorf("%q is not a note", text)
	}
	return p, err
}
