package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/daemon"
	"github.com/memsync/memsync/cmd/internal/output"
)

// relayed names the commands that a running daemon carries out: those that write
// the vault, whose lock it holds, and those that its open index answers sooner.
var relayed = map[string]bool{
	"search": true, "get": true, "context": true, "boot": true, "ask": true, "status": true, "index": true,
	"import": true, "synth": true, "remember": true, "ops": true,
	"review": true, "revert": true, "profile": true, "pin": true, "rate": true, "merge": true, "forget": true, "commit": true,
}

// relayCommands lets the daemon of the vault, where one runs, carry out commands.
func (a *app) relayCommands(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		if relayed[cmd.Name()] && a.host == nil {
			a.relayCommand(cmd)
		}
	}
}

func (a *app) relayCommand(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		a.relayCommand(sub)
	}
	alone := cmd.RunE
	if alone == nil {
		return
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		status, err := a.relay(cmd.Context())
		var refused *daemon.RefusedError
		switch {
		case errors.Is(err, daemon.ErrNobody):
			return alone(cmd, args)
		case errors.As(err, &refused):
			a.notice("%s", refused.Reason)
			return alone(cmd, args)
		case err != nil:
			return err
		}
		return &relayedExit{status}
	}
}

// A relayedExit is the status of a command that the daemon ran and reported on.
type relayedExit struct{ status int }

func (e *relayedExit) Error() string { return fmt.Sprintf("exit status %d", e.status) }

// relay has the daemon of the vault run this command line.
func (a *app) relay(ctx context.Context) (int, error) {
	dir, _, at, err := a.settings()
	if err != nil || dir == "" {
		return 0, daemon.ErrNobody // the command itself says so, and better
	}
	socket := daemon.ReadState(at.Vault(dir).State).Socket
	if socket == "" {
		return 0, daemon.ErrNobody
	}
	wd, err := a.getwd()
	if err != nil {
		return 0, err
	}
	r := daemon.Request{
		Version: buildID(), Args: a.args, Dir: wd, Env: a.environment(),
		OutTerminal: output.IsTerminal(a.stdout), ErrTerminal: output.IsTerminal(a.stderr),
	}
	return daemon.Relay(ctx, socket, r, a.stdin, a.stdout, a.stderr)
}

func (a *app) environment() map[string]string {
	env := map[string]string{}
	if a.environ == nil {
		return env
	}
	for _, pair := range a.environ() {
		if name, value, ok := strings.Cut(pair, "="); ok {
			env[name] = value
		}
	}
	return env
}

// serve runs a command for another process, in this one. a is the daemon's.
func (a *app) serve(ctx context.Context, r daemon.Request, stdin io.Reader, stdout, stderr io.Writer) int {
	theirs := &app{
		stdin: stdin, stdout: stdout, stderr: stderr, now: a.now,
		env: func(name string) (string, bool) {
			v, ok := r.Env[name]
			return v, ok
		},
		getwd: func() (string, error) { return r.Dir, nil },
		host:  a.host, hostOf: a.hostOf,
	}
	return theirs.run(ctx, r.Args)
}
