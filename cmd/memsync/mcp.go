package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/answer"
	"github.com/memsync/memsync/cmd/internal/config"
	"github.com/memsync/memsync/cmd/internal/door"
	"github.com/memsync/memsync/cmd/internal/mcpserver"
	"github.com/memsync/memsync/synth/ops"
	"github.com/memsync/memsync/vault"
)

type mcpOptions struct {
	http, tokenFile string
}

func newMCPCommand(a *app) *cobra.Command {
	var opts mcpOptions
	cmd := &cobra.Command{
		Use:     "mcp",
		GroupID: groupRead,
		Short:   "Offer the memory to assistants over the Model Context Protocol",
		Long: `Speak the Model Context Protocol on standard input and output, for the host that
starts it (memsync setup tells hosts to), or over HTTP with --http. A running
daemon answers; without one each call opens the index itself.

Over HTTP the Host and the Origin of each request are checked. Beyond loopback a
token is needed: a file that only you may read.`,
		Example: `  memsync mcp --vault ~/memory
  memsync mcp --http 127.0.0.1:7788`,
		Args: words(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runMCP(cmd.Context(), a, opts)
		},
	}
	cmd.Flags().StringVar(&opts.http, "http", "", "listen on this address, host:port, instead of standard input")
	cmd.Flags().StringVar(&opts.tokenFile, "token-file", "", "clients must send the token in this file (default: http.token_file)")
	return cmd
}

func runMCP(ctx context.Context, a *app, opts mcpOptions) error {
	a.stays()
	m := newMemory(a)
	s := mcpserver.New(m, mcpserver.Config{Version: thisVersion().Version, Operations: ops.Schema(), Clean: m.clean, Log: a.log()})
	if opts.http == "" {
		if opts.tokenFile != "" {
			return usagef("--token-file goes with --http")
		}
		err := s.Run(ctx, a.stdin, a.stdout)
		if ctx.Err() != nil {
			return nil // the host ends its servers with a signal
		}
		return err
	}
	return serveMCP(ctx, a, opts, s)
}

// serveMCP answers over HTTP until ctx is done.
func serveMCP(ctx context.Context, a *app, opts mcpOptions, s *mcpserver.Server) error {
	var flags []config.Flag
	if opts.tokenFile != "" {
		flags = append(flags, config.Flag{Key: "http.token_file", Flag: "--token-file", Value: opts.tokenFile})
	}
	_, settings, _, err := a.settings(flags...)
	if err != nil {
		return err
	}
	h := mcpserver.HTTP{Addr: opts.http, Log: a.log()}
	if name := settings.HTTP.TokenFile; name != "" {
		if h.Token, err = door.ReadToken(name); err != nil {
			return usagef("--http: %w", err)
		}
	}
	l, err := h.Listen(ctx)
	if err != nil {
		return usagef("--http: %w", err)
	}
	a.notice("answering at http://%s%s", l.Addr(), mcpserver.Endpoint)
	return h.Serve(ctx, l, s)
}

// A memory answers the protocol with the commands that a person types, in this
// process: a daemon that runs carries them out, as it does for a terminal.
type memory struct {
	a *app
	// running bounds the calls at a time: without a daemon each opens the index.
	running chan struct{}

	mu     sync.Mutex
	redact func(string) string // nil until a vault could be opened
}

// maxCalls is how many calls of a client run at a time; more wait.
const maxCalls = 4

func newMemory(a *app) *memory {
	return &memory{a: a, running: make(chan struct{}, maxCalls)}
}

// Search is mcpserver.Memory's.
func (m *memory) Search(ctx context.Context, q mcpserver.Query) (found mcpserver.Found, err error) {
	if err := answer.Refuse(q.Query); err != nil {
		return found, err
	}
	args := []string{"search"}
	if q.Limit > 0 {
		args = append(args, "--limit="+strconv.Itoa(q.Limit))
	}
	for _, t := range q.Types {
		args = append(args, "--type="+t)
	}
	for flag, day := range map[string]string{"--since=": q.Since, "--until=": q.Until} {
		if day != "" {
			args = append(args, flag+day)
		}
	}
	err = m.call(ctx, &found, append(args, "--", q.Query)...)
	return found, err
}

// Get is mcpserver.Memory's.
func (m *memory) Get(ctx context.Context, ids []string) (got mcpserver.Got, err error) {
	err = m.call(ctx, &got, append([]string{"get", "--"}, ids...)...)
	var failed *callError
	if errors.As(err, &failed) {
		switch {
		case failed.status == exitPartly:
			got.Missing = strings.Split(failed.Message, "\n")
			return got, nil
		case failed.Try == "":
			failed.notFound = true
			failed.Try = "memory_search with a few words; its hits have ids"
		}
	}
	return got, err
}

// Context is mcpserver.Memory's.
func (m *memory) Context(ctx context.Context, q mcpserver.Message) (p mcpserver.Pack, err error) {
	args := []string{"context"}
	for flag, v := range map[string]string{"--intent=": q.Intent, "--preset=": q.Preset} {
		if v != "" {
			args = append(args, flag+v)
		}
	}
	if q.Budget > 0 {
		args = append(args, "--budget="+strconv.Itoa(q.Budget))
	}
	err = m.callWith(ctx, q.Message, &p, append(args, "-")...)
	return p, err
}

// Operate is mcpserver.Memory's.
func (m *memory) Operate(ctx context.Context, operations []byte, dryRun bool) (done mcpserver.Operated, err error) {
	err = m.callWith(ctx, string(operations), &done, "ops", "apply", "-", "--dry-run="+strconv.FormatBool(dryRun))
	if failed, ok := errors.AsType[*callError](err); ok && failed.status == exitPartly {
		return done, nil
	}
	return done, err
}

// Boot is mcpserver.Memory's.
func (m *memory) Boot(ctx context.Context) (string, error) {
	var r bootResult
	err := m.call(ctx, &r, "boot")
	return r.Context, err
}

// Pages is mcpserver.Memory's.
func (m *memory) Pages(ctx context.Context) (all []mcpserver.Page, err error) {
	s, err := m.a.quiet().open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	l := s.vault.Layout()
	paths := []vault.Path{l.Profile(), l.User()}
	for _, folder := range []string{"schema", "memory"} {
		entries, err := s.vault.WalkUnder(ctx, l.Folder(folder))
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			paths = append(paths, e.Path)
		}
	}
	for _, p := range paths {
		if head, err := s.vault.Head(p); err == nil {
			all = append(all, mcpserver.Page{Path: p, Title: vault.Parse(p, head).Title()})
		}
	}
	return all, nil
}

// clean takes secrets out of a text, whatever the person keeps in the vault. It
// returns nothing at all where it cannot know what is one.
func (m *memory) clean(text string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.redact == nil {
		s, err := m.a.quiet().open()
		if err != nil {
			return ""
		}
		strict, err := s.strict()
		if errors.Join(err, s.Close()) != nil {
			return ""
		}
		m.redact = strict
	}
	return m.redact(text)
}

// quiet is an app whose notices nobody reads: a host shows what stands on a
// server's standard error as an error.
func (a *app) quiet() *app {
	return &app{
		stdin: strings.NewReader(""), stdout: io.Discard, stderr: io.Discard,
		env: a.env, environ: a.environ, now: a.now, getwd: a.getwd, vaultFlag: a.vaultFlag,
	}
}

// A callError is a command's failure as a model reads it.
type callError struct {
	failure
	status int
	// notFound says that nothing has the ids that were asked for.
	notFound bool
}

// Is makes an answer that nothing has an id known to the protocol.
func (e *callError) Is(target error) bool { return e.notFound && target == mcpserver.ErrNotFound }

func (e *callError) Error() string {
	if e.Try == "" {
		return e.Message
	}
	return e.Message + "\ntry: " + e.Try
}

// call runs a command and decodes its answer, which it also does where the
// command was done in part.
func (m *memory) call(ctx context.Context, answer any, args ...string) error {
	return m.callWith(ctx, "", answer, args...)
}

// callWith is call for a command that reads input.
func (m *memory) callWith(ctx context.Context, input string, answer any, args ...string) error {
	select {
	case m.running <- struct{}{}:
		defer func() { <-m.running }()
	case <-ctx.Done():
		return ctx.Err()
	}
	var stdout, stderr bytes.Buffer
	a := m.a.quiet()
	a.stdin, a.stdout, a.stderr = strings.NewReader(input), &stdout, &stderr
	all := []string{"--json"}
	if m.a.vaultFlag != "" {
		all = append(all, "--vault="+m.a.vaultFlag)
	}
	status := a.run(ctx, append(all, args...))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if status == exitDone || status == exitPartly {
		if err := json.Unmarshal(stdout.Bytes(), answer); err != nil {
			return fmt.Errorf("the answer of memsync %s: %w", args[0], err)
		}
	}
	if status == exitDone {
		return nil
	}
	return &callError{failure: reported(stderr.Bytes()), status: status}
}

// reported is the failure that a command reported with --json, after its notices.
func reported(stderr []byte) failure {
	var last struct {
		Error failure `json:"error"`
	}
	for line := range bytes.Lines(stderr) {
		if bytes.HasPrefix(line, []byte(`{"schema_version"`)) {
			_ = json.Unmarshal(line, &last) // a notice that looks like one changes nothing
		}
	}
	if last.Error.Message == "" {
		last.Error.Message = strings.TrimSpace(string(stderr))
	}
	return last.Error
}
