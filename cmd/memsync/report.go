package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"github.com/memsync/memsync/cmd/internal/boot"
	"github.com/memsync/memsync/cmd/internal/config"
	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
	"github.com/memsync/memsync/vault/pass"
)

// Exit statuses. They are public: scripts rely on them.
const (
	exitDone    = 0
	exitFailed  = 1
	exitUsage   = 2
	exitPartly  = 3
	exitNoVault = 10
	exitLocked  = 11
	exitStopped = 130
)

// A usageError is a mistake on the command line.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error {
	return &usageError{fmt.Errorf(format, args...)}
}

// A partlyError says that the work was done except for what it names.
type partlyError struct{ err error }

func (e *partlyError) Error() string { return e.err.Error() }
func (e *partlyError) Unwrap() error { return e.err }

// A failure is an error as it is reported.
type failure struct {
	Message string `json:"message"`
	// Kind is the exit status in one word.
	Kind string `json:"kind"`
	// Path and Line are where to look.
	Path string `json:"path,omitempty"`
	Line int    `json:"line,omitempty"`
	// Try is a command that helps.
	Try string `json:"try,omitempty"`
}

// report tells the person what went wrong and returns the exit status. It is
// the only place that does either.
func (a *app) report(err error, asJSON bool) int {
	if err == nil {
		return exitDone
	}
	f, status := a.explain(err)
	if asJSON {
		_ = output.Encode(a.stderr, struct { // nothing is left to tell it to
			Error failure `json:"error"`
		}{f})
		return status
	}
	lines := strings.Split(f.Message, "\n")
	for _, line := range lines {
		fmt.Fprintf(a.stderr, "memsync: %s\n", output.Plain(line))
	}
	if f.Try != "" {
		fmt.Fprintf(a.stderr, "  try: %s\n", f.Try)
	}
	return status
}

// explain makes a failure and an exit status of an error.
func (a *app) explain(err error) (failure, int) {
	f := failure{Message: err.Error(), Try: a.try}
	kind, status := classify(err)
	f.Kind = kind
	if status == exitStopped {
		f.Message = "stopped; what was finished stays, the rest is done next time"
		f.Try = ""
	}
	var placed interface{ Place() (string, int) }
	if errors.As(err, &placed) {
		f.Path, f.Line = placed.Place()
	}
	if f.Try == "" {
		f.Try = hint(err)
	}
	f.Message = oneTrouble(err, f.Message)
	return f, status
}

// oneTrouble is the message of an error, of which a disk that cannot be written is
// the cause, without the other lines: everything that is tried on it fails.
func oneTrouble(err error, message string) string {
	for _, cause := range []error{syscall.ENOSPC, syscall.EROFS} {
		if !errors.Is(err, cause) {
			continue
		}
		for line := range strings.SplitSeq(message, "\n") {
			if strings.Contains(line, cause.Error()) {
				return line
			}
		}
	}
	return message
}

func classify(err error) (kind string, status int) {
	var (
		usage   *usageError
		partly  *partlyError
		setting *config.Error
		none    *config.NoVaultError
		locked  *vault.LockedError

		gitLocked *history.LockedError
	)
	switch {
	case errors.Is(err, context.Canceled):
		return "stopped", exitStopped
	case errors.As(err, &usage), errors.As(err, &setting):
		return "usage", exitUsage
	case errors.As(err, &none), errors.Is(err, vault.ErrNoVault):
		return "no_vault", exitNoVault
	case errors.As(err, &locked), errors.As(err, &gitLocked):
		return "locked", exitLocked
	case errors.As(err, &partly):
		return "partly", exitPartly
	default:
		return "failed", exitFailed
	}
}

// hints pair an error with what helps. The first that fits is given.
func hints() []func(error) string {
	return []func(error) string{
		func(err error) string {
			var none *config.NoVaultError
			if !errors.As(err, &none) {
				return ""
			}
			if none.By == "" {
				return "memsync init"
			}
			return "memsync init " + quoted(none.Dir)
		},
		when[*history.LockedError]("the same again once that git command has finished"),
		when[*history.BusyError]("git status, finish or abort it, then the same again"),
		is(history.ErrNoRepository, "memsync init"),
		is(pass.ErrUncommitted, "git commit, then the same again"),
		when[*vault.LockedError]("the same again once it has finished"),
		is(boot.ErrNothing, "memsync import PATH"),
		is(vault.ErrChanged, "the same again: what was saved meanwhile is kept"),
		is(syscall.ENOSPC, "free some space, then the same again"),
		is(syscall.EROFS, "the same where the disk can be written"),
		is(fs.ErrPermission, "the same as the user who owns the files"),
	}
}

func hint(err error) string {
	for _, h := range hints() {
		if text := h(err); text != "" {
			return text
		}
	}
	return ""
}

func is(target error, text string) func(error) string {
	return func(err error) string {
		if errors.Is(err, target) {
			return text
		}
		return ""
	}
}

func when[E error](text string) func(error) string {
	return func(err error) string {
		var e E
		if errors.As(err, &e) {
			return text
		}
		return ""
	}
}

// quoted writes a path as a shell takes it.
func quoted(path string) string {
	if strings.ContainsAny(path, " \t'\"\\$&;()*?[]<>|`!#~") {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}
