package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/memsync/memsync/cmd/internal/boot"
	"github.com/memsync/memsync/cmd/internal/hooks"
	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/sync/importer"
)

func newHookCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "hook EVENT",
		GroupID: groupOther,
		Short:   "Answer a host whose session begins or ends",
		Long: `What hosts run when a session begins or ends; memsync setup tells them to. The
event is session-start, which answers with the memory's overview, pre-compact or
session-end, which queue the session's file. The host's JSON is read from
standard input. The exit status is always 0.

memsync hook process remembers what is queued, as the daemon and the commands
that learn do by themselves.`,
		Example: `  memsync hook session-start --vault ~/memory < event.json
  memsync hook process`,
		// A mistake on this command line must not end with a status other than 0:
		// to a host, 2 says that the session may not go on.
		DisableFlagParsing: true,
		ValidArgs:          hooks.Events(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runHook(cmd, a, args)
		},
	}
	cmd.Flags().String("host", "", "the host, where it wants an answer of its own shape: cursor")
	cmd.AddCommand(newHookProcessCommand(a))
	return cmd
}

// runHook answers a host. Whatever goes wrong is said on standard error, which
// hosts keep in their logs, and forgotten.
func runHook(cmd *cobra.Command, a *app, args []string) error {
	flags := pflag.NewFlagSet("hook", pflag.ContinueOnError)
	flags.AddFlagSet(cmd.Flags())
	flags.AddFlagSet(cmd.InheritedFlags())
	flags.ParseErrorsWhitelist.UnknownFlags = true
	flags.SetOutput(io.Discard)
	err := flags.Parse(args)
	if help, _ := flags.GetBool("help"); help || errors.Is(err, pflag.ErrHelp) {
		return cmd.Help()
	}
	event, host := flags.Arg(0), flags.Lookup("host").Value.String()
	ended := make(chan error, 1)
	var answer []byte
	go func() {
		defer func() {
			if p := recover(); p != nil {
				ended <- fmt.Errorf("%v", p)
			}
		}()
		in, readErr := hooks.Read(a.stdin)
		var err error
		if event == hooks.SessionStart {
			answer, err = hookStart(a, host)
		} else {
			err = hookQueue(a, event, in)
		}
		ended <- errors.Join(readErr, err)
	}()
	select {
	case done := <-ended:
		err = errors.Join(err, done)
		_, writeErr := a.stdout.Write(answer)
		err = errors.Join(err, writeErr)
	case <-time.After(hooks.Budget):
		err = errors.New("it took too long")
	}
	if err != nil {
		a.notice("hook %s: %s", event, strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return nil
}

// hookStart is the context of a session that begins: the overview, without
// secrets. It reads MEMORY.md and the profile, and no index.
func hookStart(a *app, host string) (answer []byte, err error) {
	s, err := a.quiet().open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	c, err := boot.Make(s.vault, boot.Limits{Bytes: hooks.Room})
	if err != nil {
		return nil, err
	}
	clean, err := s.strict()
	if err != nil {
		return nil, err
	}
	// A mark is longer than some secrets: what it pushes over the limit is cut.
	text := clean(c.Text)
	if len(text) > hooks.Room {
		text = strings.ToValidUTF8(text[:hooks.Room], "")
	}
	return hooks.Start(host, hooks.Block(text)), nil
}

// hookQueue queues the session's file.
func hookQueue(a *app, event string, in hooks.Input) error {
	if !hooks.Known(event) {
		return fmt.Errorf("there is no such event; there are %s", strings.Join(hooks.Events(), ", "))
	}
	dir, _, at, err := a.quiet().vaultSettings()
	if err != nil {
		return err
	}
	own := at.Vault(dir)
	if err := own.Make(); err != nil {
		return err
	}
	return hooks.QueueIn(own.State).Put(hooks.Record{
		Event: event, Session: in.SessionID, Transcript: in.TranscriptPath, Cwd: in.Cwd, At: a.now(),
	})
}

func newHookProcessCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "process",
		Short: "Remember the sessions that hooks have queued",
		Long: `Remember the sessions that hooks have queued, as memsync remember does, and
index them. What is queued is also remembered by the daemon within seconds, and
by the next memsync import or memsync synth.`,
		Example: `  memsync hook process
  memsync hook process --json`,
		Args: words(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runHookProcess(cmd.Context(), a)
		},
	}
	if a.host == nil {
		a.relayCommand(cmd)
	}
	return cmd
}

func runHookProcess(ctx context.Context, a *app) (err error) {
	w, err := a.openToWrite(ctx, "remember")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	var r queuedResult
	r.Remembered, r.Sessions, err = a.rememberQueued(ctx, w)
	if r.Sessions > 0 && ctx.Err() == nil {
		_, indexErr := a.updateIndex(ctx, w.session)
		err = errors.Join(err, indexErr)
	}
	if printErr := a.print(r); printErr != nil {
		return printErr
	}
	if err != nil && r.Sessions > 0 {
		return &partlyError{err}
	}
	return err
}

// queuedResult is what came of sessions that were queued.
type queuedResult struct {
	// Sessions counts those that were read.
	Sessions   int                `json:"sessions"`
	Remembered []rememberedResult `json:"remembered"`
}

func (r queuedResult) Text(p *output.Page) {
	if r.Sessions == 0 {
		p.Println("No session waits.")
		return
	}
	for _, one := range r.Remembered {
		one.Text(p)
	}
}

// rememberQueued remembers the sessions that hooks queued, each in a commit of its
// own. A command that learns calls it when it holds the lock.
func (a *app) rememberQueued(ctx context.Context, w *writer) (all []rememberedResult, sessions int, err error) {
	all = []rememberedResult{}
	sessions, err = hooks.QueueIn(w.places.State).Work(ctx, func(ctx context.Context, r hooks.Record) error {
		one, err := a.remember(ctx, w, r.Transcript, func() (*importer.Bundle, error) {
			return importer.Open(r.Transcript, importer.Limits{})
		}, "")
		if len(one.Runs) > 0 {
			all = append(all, one)
		}
		return err
	})
	return all, sessions, err
}

// learnQueued is rememberQueued for a command that has other work to do: what fails
// is said, and waits.
func (a *app) learnQueued(ctx context.Context, w *writer) {
	if _, _, err := a.rememberQueued(ctx, w); err != nil && ctx.Err() == nil {
		a.notice("a session that a hook queued is not remembered: %v", err)
	}
}
