package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/answer"
	"github.com/memsync/memsync/cmd/internal/config"
	"github.com/memsync/memsync/cmd/internal/door"
	"github.com/memsync/memsync/cmd/internal/httpapi"
	"github.com/memsync/memsync/index"
)

type serveOptions struct {
	addr, tokenFile string
}

func newServeCommand(a *app) *cobra.Command {
	var opts serveOptions
	cmd := &cobra.Command{
		Use:     "serve",
		GroupID: groupRead,
		Short:   "Answer over HTTP on this machine",
		Long: `Answer searches, contexts and items over HTTP until stopped: POST /query, POST
/context, GET /memory/{id}, GET /status; GET /openapi.json describes them. A
daemon (memsync watch) answers at the same address, so this is for a machine
without one, or for another address.

The Host and the Origin of each request are checked. Beyond loopback, and for
writes, a token is needed: http.token_file, or one that is made and named at the
start. Only you may read its file.`,
		Example: `  memsync serve
  memsync serve --addr 127.0.0.1:8080 --vault ~/memory`,
		Args: words(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runServe(cmd.Context(), a, opts)
		},
	}
	f := cmd.Flags()
	f.StringVar(&opts.addr, "addr", "", "listen on this address, host:port; port 0 takes a free one (default: http.addr)")
	f.StringVar(&opts.tokenFile, "token-file", "", "the file with the token (default: http.token_file)")
	return cmd
}

func runServe(ctx context.Context, a *app, opts serveOptions) (err error) {
	a.stays()
	var flags []config.Flag
	if opts.addr != "" {
		flags = append(flags, config.Flag{Key: "http.addr", Flag: "--addr", Value: opts.addr})
	}
	if opts.tokenFile != "" {
		flags = append(flags, config.Flag{Key: "http.token_file", Flag: "--token-file", Value: opts.tokenFile})
	}
	s, err := a.open(flags...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	x, _, err := a.openAnyhow(ctx, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	k := &keeper{a: a, s: s, x: x.Index}
	defer k.running.Wait()
	done := a.working("indexing")
	err = k.sync(ctx)
	done()
	if err != nil && unwritable(err) == nil { // else each answer says so
		return err
	}
	m, err := a.memoryOf(s, x.Index, k.stale)
	if err != nil {
		return err
	}
	cfg, err := a.httpConfig(s)
	if err != nil {
		return usagef("--token-file: %w", err)
	}
	cfg.Open = func(context.Context) (*answer.Memory, func(), error) { return m, func() {}, nil }
	l, err := cfg.Listen(ctx)
	if err != nil {
		return usagef("--addr: %w", err)
	}
	a.notice("answering at http://%s", l.Addr())
	return cfg.Serve(ctx, l)
}

// httpConfig is how a session's vault is reached over HTTP.
func (a *app) httpConfig(s *session) (httpapi.Config, error) {
	c := httpapi.Config{Addr: s.settings.HTTP.Addr, Version: thisVersion().Version, Log: a.log(), Now: a.now}
	var err error
	c.Token, err = a.httpToken(s)
	if root := newRoot(a.quiet()); commandIn(root, "ops") {
		c.Ops = a.operate(s.dir)
	}
	return c, err
}

func commandIn(root *cobra.Command, name string) bool {
	for _, cmd := range root.Commands() {
		if cmd.Name() == name {
			return true
		}
	}
	return false
}

// tokenFile is where a token is made in the vault's state folder.
const tokenFile = "http.token"

// httpToken reads the token of the settings, or one of the vault's own, which is
// made where it is not there.
func (a *app) httpToken(s *session) (string, error) {
	if name := s.settings.HTTP.TokenFile; name != "" {
		return door.ReadToken(name)
	}
	name := filepath.Join(s.places.State, tokenFile)
	token, err := door.ReadToken(name)
	if _, gone := os.Stat(name); !errors.Is(gone, fs.ErrNotExist) {
		return token, err
	}
	var chance [24]byte
	_, _ = rand.Read(chance[:]) // crypto/rand never fails
	token = base64.RawURLEncoding.EncodeToString(chance[:])
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return door.ReadToken(name) // another process was faster
	}
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(token + "\n")
	return token, errors.Join(err, f.Close())
}

// operate runs memory operations as the command does.
func (a *app) operate(dir string) func(context.Context, []byte) (any, error) {
	return func(ctx context.Context, body []byte) (any, error) {
		var stdout, stderr bytes.Buffer
		own := a.quiet()
		own.stdin, own.stdout, own.stderr = bytes.NewReader(body), &stdout, &stderr
		own.host, own.hostOf, own.vaultFlag = a.host, a.hostOf, ""
		status := own.run(ctx, []string{"ops", "apply", "--json", "--vault", dir, "-"})
		if status == exitDone || status == exitPartly {
			var reply map[string]any
			if err := json.Unmarshal(stdout.Bytes(), &reply); err != nil {
				return nil, fmt.Errorf("the answer of memsync ops: %w", err)
			}
			delete(reply, "schema_version") // the reply gets one
			return reply, nil
		}
		f := reported(stderr.Bytes())
		if status == exitUsage {
			return nil, &answer.BadRequestError{Reason: f.Message}
		}
		return nil, errors.New(f.Message)
	}
}

// A keeper brings the index in step for a server without a daemon. A question that
// comes soon after the last look is answered from what is there, and has the vault
// looked at meanwhile; one that comes late waits for it.
type keeper struct {
	a *app
	s *session
	x *index.Index

	mu      sync.Mutex
	looked  time.Time
	behind  string
	looking bool
	running sync.WaitGroup
}

const (
	lookAgain = 2 * time.Second  // from when on the vault is looked at again
	lookFirst = 10 * time.Second // from when on a question waits for it
)

// sync looks at the vault once.
func (k *keeper) sync(ctx context.Context) error {
	behind := ""
	mine, err := k.a.alone(ctx, k.s, func() error {
		_, err := k.x.Sync(ctx, k.s.vault)
		return err
	})
	if err == nil && !mine && daemonNow(k.s.places.State) == nil {
		var n int
		if n, err = k.x.Behind(ctx, k.s.vault); n > 0 {
			behind = indexBehind
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if err != nil {
		k.behind = "the index could not be brought in step: " + strings.ReplaceAll(err.Error(), "\n", "; ")
		return err
	}
	k.looked, k.behind = k.a.now(), behind
	return nil
}

// stale is an answer.Config's.
func (k *keeper) stale(ctx context.Context) string {
	k.mu.Lock()
	age := k.a.now().Sub(k.looked)
	switch {
	case k.looking || age < lookAgain:
	case age < lookFirst:
		k.looking = true
		k.running.Go(func() {
			err := k.sync(context.WithoutCancel(ctx))
			k.mu.Lock()
			k.looking = false
			k.mu.Unlock()
			if err != nil {
				k.a.log().Warn("index", "error", err)
			}
		})
	default:
		k.mu.Unlock()
		_ = k.sync(ctx) // which keeps what is wrong as what to say
		k.mu.Lock()
	}
	defer k.mu.Unlock()
	return k.behind
}
