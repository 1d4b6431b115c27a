package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/output"
)

type doctorOptions struct {
	fix bool
	// deep is "" for no, "all", or how many notes.
	deep string
}

func newDoctorCommand(a *app) *cobra.Command {
	var opts doctorOptions
	cmd := &cobra.Command{
		Use:     "doctor",
		GroupID: groupVault,
		Short:   "Check the vault and what memsync keeps beside it",
		Long: `Check the environment, the vault, its history and its index, and say what to do
about what is not as it should be. Models behind an endpoint are asked whether
they are there. With --fix, do what is safe: finish what was interrupted, clear
what a killed process left, close files that others can read, bring the index in
step. With --deep, build the index anew beside
the one in use, compare every note, and ask both the same questions; with
--deep=N only of N notes, drawn by chance. With both flags, put a new one in its
place where they differ.

The exit status says whether all holds: 0, or 1 when something is broken.`,
		Example: `  memsync doctor
  memsync doctor --deep=200
  memsync doctor --deep --fix`,
		Args: words(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := opts.sample(); err != nil {
				return err
			}
			return runDoctor(cmd.Context(), a, opts)
		},
	}
	cmd.Flags().BoolVar(&opts.fix, "fix", false, "do what is safe")
	cmd.Flags().StringVar(&opts.deep, "deep", "", "compare the index with one built from the notes: all, or so many notes")
	cmd.Flags().Lookup("deep").NoOptDefVal = deepAll
	return cmd
}

// States of a check.
const (
	stateFine   = "fine"
	stateFixed  = "fixed"
	stateNote   = "note"   // worth knowing; nothing is broken
	stateBroken = "broken" // something does not hold
)

// A finding is what one check found.
type finding struct {
	Check string `json:"check"`
	State string `json:"state"`
	Text  string `json:"text"`
	// Try is what mends it.
	Try string `json:"try,omitempty"`
}

type doctorResult struct {
	Vault    string    `json:"vault"`
	Holds    bool      `json:"holds"`
	Findings []finding `json:"findings"`
}

func (r doctorResult) Text(p *output.Page) {
	for _, f := range r.Findings {
		state := f.State
		switch f.State {
		case stateBroken:
			state = p.Removed(state)
		case stateNote:
			state = p.Warn(state)
		case stateFixed:
			state = p.Added(state)
		}
		p.Printf("%-11s %s: %s\n", f.Check, state, output.Plain(f.Text))
		if f.Try != "" {
			p.Printf("%-11s   try: %s\n", "", f.Try)
		}
	}
}

// An examination is one run of the doctor.
type examination struct {
	a    *app
	s    *session
	opts doctorOptions
	r    doctorResult
}

func (e *examination) fine(check, format string, args ...any) {
	e.found(check, stateFine, "", format, args...)
}

func (e *examination) found(check, state, try, format string, args ...any) {
	e.r.Findings = append(e.r.Findings, finding{Check: check, State: state, Text: fmt.Sprintf(format, args...), Try: try})
	e.r.Holds = e.r.Holds && state != stateBroken
}

func runDoctor(ctx context.Context, a *app, opts doctorOptions) (err error) {
	s, err := a.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	e := &examination{a: a, s: s, opts: opts, r: doctorResult{Vault: s.dir, Holds: true}}
	done := a.working("looking around")
	for _, check := range []func(context.Context) error{
		e.program, e.settings, e.models, e.disk, e.privacy, e.history, e.notes, e.watching, e.service, e.index,
	} {
		if err := check(ctx); err != nil {
			done()
			return fmt.Errorf("doctor: %w", err)
		}
	}
	done()
	if err := e.deep(ctx); err != nil { // which shows how far it is
		return fmt.Errorf("doctor: %w", err)
	}
	if err := a.print(e.r); err != nil {
		return err
	}
	if !e.r.Holds {
		return errors.New("doctor: something does not hold; the lines above say what")
	}
	return nil
}
