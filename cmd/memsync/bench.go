package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/sync/importer/exportgen"
)

type benchOptions struct {
	megabytes, notes, searches int
	seed                       uint64
	chats, http                bool
	requests                   int
}

func newBenchCommand(a *app) *cobra.Command {
	var opts benchOptions
	cmd := &cobra.Command{
		Use:     "bench [DIR]",
		GroupID: groupOther,
		Short:   "Measure import, index and search on this machine",
		Long: `Measure the import of a generated ChatGPT export of --size megabytes and
commits of one note; and on --notes generated notes the index from nothing,
with nothing changed and after one edit, warm searches, and the commands as a
shell runs them: index, nothing changed, cold search. Where qmd is installed,
its commands are measured on the same notes in the same run. With DIR, measure
index and search on a copy of the notes of that folder. With --http, measure
contexts from a daemon over HTTP at 50 requests a second while notes are
edited, and the hook at the start of a session, on 10,000 notes.

What is generated is the same for the same numbers. All is done in a temporary
folder and deleted afterwards.`,
		Example: `  memsync bench
  memsync bench --size 1000 --json
  memsync bench ~/Documents/Obsidian
  memsync bench --http --requests 10000`,
		Args: words(0, 1, "one folder of notes"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runBench(cmd.Context(), a, args, opts)
		},
	}
	f := cmd.Flags()
	f.IntVar(&opts.megabytes, "size", 32, "megabytes of the generated export")
	f.IntVar(&opts.notes, "notes", 6000, "how many generated notes are indexed, of 5.3 kB each")
	f.IntVar(&opts.searches, "searches", 200, "how many warm searches")
	f.BoolVar(&opts.chats, "chats", false, "measure ten WhatsApp chats of half a million tokens each, from the export to the profile")
	f.BoolVar(&opts.http, "http", false, "measure a daemon over HTTP while notes are edited, and the hook at the start of a session")
	f.IntVar(&opts.requests, "requests", 1000, "how many requests --http measures, after as many as 500 to warm up")
	f.Uint64Var(&opts.seed, "seed", 1, "of the generated export")
	return cmd
}

type benchResult struct {
	Platform string   `json:"platform"`
	CPUs     int      `json:"cpus"`
	Figures  []figure `json:"figures"`
}

// A figure is one thing that was measured.
type figure struct {
	What  string  `json:"what"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
	// Of says over what: "6289 notes, 32 MB", "p50 of 200".
	Of string `json:"of"`
}

func (r benchResult) Text(p *output.Page) {
	p.Printf("%s, %d CPUs\n", r.Platform, r.CPUs)
	for _, f := range r.Figures {
		p.Printf("%-28s %10.1f %-5s %s\n", f.What, f.Value, f.Unit, p.Dim(f.Of))
	}
}

func (r *benchResult) add(what string, value float64, unit, format string, args ...any) {
	r.Figures = append(r.Figures, figure{What: what, Value: value, Unit: unit, Of: fmt.Sprintf(format, args...)})
}

func runBench(ctx context.Context, a *app, args []string, opts benchOptions) (err error) {
	if opts.megabytes < 1 || opts.notes < 1 || opts.searches < 1 {
		return usagef("--size, --notes and --searches must be at least 1")
	}
	base, err := os.MkdirTemp("", "memsync-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(base)) }()
	r := benchResult{Platform: runtime.GOOS + "/" + runtime.GOARCH + " " + runtime.Version(), CPUs: runtime.NumCPU()}
	b := &bench{a: a.demoApp(base, true), base: base, opts: opts, r: &r}
	switch {
	case opts.requests < 1:
		return usagef("--requests must be at least 1")
	case opts.chats && opts.http:
		return usagef("--chats and --http are two measurements; run one after the other")
	case (opts.chats || opts.http) && len(args) > 0:
		return usagef("--chats and --http make their own notes; leave the folder out")
	}
	if opts.http {
		if err := b.http(ctx); err != nil {
			_ = a.print(r) // what was measured before it failed
			return fmt.Errorf("bench: %w", err)
		}
	} else if opts.chats {
		err = b.chats(ctx)
	} else if len(args) == 1 {
		err = b.given(ctx, args[0])
	} else if err = b.imported(ctx); err == nil {
		err = b.generated(ctx)
	}
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	if mb := peakMemory(); mb > 0 {
		r.add("peak memory", mb, "MB", "the whole run")
	}
	return a.print(r)
}

// imported measures import and commits, in a vault of their own.
func (b *bench) imported(ctx context.Context) error {
	export := filepath.Join(b.base, "conversations.json")
	f, err := os.Create(export)
	if err != nil {
		return err
	}
	stats, err := exportgen.Generate(f, int64(b.opts.megabytes)*1e6, b.opts.seed)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	made, err := makeVault(ctx, b.a, filepath.Join(b.base, "imported"), "")
	if err != nil {
		return err
	}
	b.a.vaultFlag = made.Vault
	if err := b.imports(ctx, export, stats); err != nil {
		return err
	}
	return b.commits(ctx)
}

// imports measures one import, as far as the commit, and one of the same file.
func (b *bench) imports(ctx context.Context, export string, stats exportgen.Stats) error {
	for _, what := range []string{"import", "import again"} {
		w, err := b.a.openToWrite(ctx, "bench")
		if err != nil {
			return err
		}
		began := b.a.now()
		_, err = importPaths(ctx, b.a, w, []string{export}, importOptions{})
		took := b.a.now().Sub(began)
		if err = errors.Join(err, w.Close()); err != nil {
			return err
		}
		mb := float64(stats.Bytes) / 1e6
		b.r.add(what, ms(took), "ms", "%d conversations, %.0f MB, %.1f MB/s", stats.Conversations, mb, mb/took.Seconds())
		if what == "import" {
			if mb := peakMemory(); mb > 0 {
				b.r.add("memory after import", mb, "MB", "the peak of the process")
			}
		}
	}
	return nil
}
