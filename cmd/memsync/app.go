package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/memsync/memsync/cmd/internal/config"
	"github.com/memsync/memsync/cmd/internal/daemon"
	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/cmd/internal/places"
)

// An app is one run of the program: where it reads and writes, and the flags
// that every command has. Nothing of it is global, so a test can run many.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	env            places.Env
	now            func() time.Time
	getwd          func() (string, error)
	// patience is how long work goes on before a bar is drawn for it.
	patience time.Duration

	// environ lists the environment, for a daemon that runs the command.
	environ func() []string
	// args are the words of the command line.
	args []string
	// host is the daemon that this runs in, nil in a process of its own; fresh
	// tells what its index opens whether it is in step.
	host   *daemon.Daemon
	hostOf string // its vault's state folder
	fresh  func() bool
	// logger is the daemon's log.
	logger *slog.Logger

	vaultFlag string
	json      bool
	noColor   bool
	verbose   int

	// began says that a command's own work has begun: what fails before it is a
	// mistake of usage.
	began bool
	// try is what to type instead, where the command line itself was wrong.
	try string
	// briefly says that garbage is left alone for as long as nothing is indexed.
	briefly bool
}

// run runs the command line and returns the exit status.
func (a *app) run(ctx context.Context, args []string) int {
	a.args = args
	root := newRoot(a)
	root.SetArgs(args)
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if relayed, ok := errors.AsType[*relayedExit](err); ok {
		return relayed.status
	}
	if err != nil && !a.began {
		err = &usageError{err: err}
		if a.try == "" && cmd != nil {
			a.try = cmd.CommandPath() + " --help"
		}
	}
	if err != nil && ctx.Err() != nil {
		err = errors.Join(context.Canceled, err)
	}
	return a.report(err, asksForJSON(args))
}

// asksForJSON looks for --json on a command line that may not parse, so that an
// error about it is JSON too.
func asksForJSON(args []string) bool {
	for _, arg := range args {
		switch arg {
		case "--":
			return false
		case "--json", "--json=true":
			return true
		}
	}
	return false
}

// print writes a command's answer.
func (a *app) print(r output.Result) error {
	return output.Print(a.stdout, r, a.json, !a.noColor && output.Colour(a.stdout, a.env))
}

// notice tells the person something beside the answer.
func (a *app) notice(format string, args ...any) {
	fmt.Fprintf(a.stderr, "memsync: "+format+"\n", args...)
}

// progress shows how far long work is, on a terminal only.
func (a *app) progress() output.Progress { return output.NewProgress(a.stderr, a.patience) }

// working shows that work goes on whose size is not known, until the function that
// it returns is called.
func (a *app) working(what string) (done func()) {
	bar := a.progress()
	bar.Start(what, -1, output.Items)
	return bar.Done
}

// log is for -v: what a package tells its owner.
func (a *app) log() *slog.Logger {
	if a.logger != nil {
		return a.logger
	}
	level := slog.LevelWarn
	switch {
	case a.verbose == 0:
		return slog.New(slog.DiscardHandler)
	case a.verbose == 1:
		level = slog.LevelInfo
	default:
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: level}))
}

// settings resolves the configuration. Without a vault nearby the vault is
// empty and the settings are the person's own, unless one was named that is not
// there.
func (a *app) settings(flags ...config.Flag) (dir string, s *config.Settings, at places.Places, err error) {
	if at, err = places.Find(a.env); err != nil {
		return "", nil, at, err
	}
	wd, err := a.getwd()
	if err != nil {
		return "", nil, at, err
	}
	dir, err = config.Discover(config.Place{
		Flag: a.vaultFlag, Env: a.env, WorkDir: wd, UserFile: at.UserConfig(), Home: at.Home,
	})
	var none *config.NoVaultError
	if err != nil && (!errors.As(err, &none) || none.By != "") {
		return "", nil, at, err
	}
	trust, err := config.OpenTrust(at.Config)
	if err != nil {
		return "", nil, at, err
	}
	s, err = config.Resolve(config.Sources{
		UserFile: at.UserConfig(), Vault: dir, Env: a.env, Flags: flags, Trusted: trust.Has,
	})
	return dir, s, at, err
}

// vaultSettings is settings for a command that needs a vault.
func (a *app) vaultSettings(flags ...config.Flag) (string, *config.Settings, places.Places, error) {
	dir, s, at, err := a.settings(flags...)
	if err == nil && dir == "" {
		wd, wdErr := a.getwd()
		err = errors.Join(wdErr, &config.NoVaultError{Dir: wd})
	}
	return dir, s, at, err
}
