// Command memsync keeps what AI assistants know about a person as markdown in a
// git repository.
//
// How its commands behave:
//
//   - The vault is --vault DIR, else MEMSYNC_VAULT, else the nearest .memoryrc
//     upwards, else the person's default_vault.
//   - Standard output is the answer and nothing else. Progress, notices and
//     warnings go to standard error; bars are drawn on a terminal only.
//   - --json turns every answer, and every error, into one line of JSON with a
//     schema_version.
//   - Exit statuses are public: 0 done, 1 failed, 2 usage, 3 partly done, 10 no
//     vault, 11 locked, 130 stopped.
//   - Flags may stand before or after the words.
//
// This package is wiring: it reads flags, the environment and the clock, makes
// plain values of them and calls the packages that do the work.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/memsync/memsync/cmd/internal/output"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first signal asks the work to stop; a second one ends the process.
	context.AfterFunc(ctx, stop)
	a := &app{
		stdin:   os.Stdin,
		stdout:  os.Stdout,
		stderr:  os.Stderr,
		env:     os.LookupEnv,
		environ: os.Environ,
		now:     time.Now,
		getwd:   os.Getwd,

		patience: output.Patience,
	}
	os.Exit(a.run(ctx, os.Args[1:]))
}
