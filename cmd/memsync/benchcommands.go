package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A contender is a program that indexes and searches a folder of notes from the
// shell. Each is measured the same way: a process of its own, from its start to
// its end.
type contender struct {
	name, note string
	exe        string
	env        []string
	// index makes the index from nothing, again looks for changes where there
	// are none.
	index, again []string
	search       func(query string) []string
}

// searchHits is how many hits each is asked for.
const searchHits = "10"

// coldRuns is how many processes of each are started for the cold search.
const coldRuns = 15

// commands measures memsync, and qmd where it is installed, on the same notes.
// Their searches take turns, so that what else the machine does meets both.
func (b *bench) commands(ctx context.Context, dir string, queries []string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	programs := []contender{{
		name: "memsync", note: "words and meaning", exe: self, env: b.environment(),
		index: []string{"index", "--vault", dir}, again: []string{"index", "--vault", dir},
		search: func(q string) []string {
			return []string{"search", "--vault", dir, "--json", "--limit", searchHits, "--", q}
		},
	}}
	programs = append(programs, b.qmd(ctx, dir)...)
	took, busy := make([][]time.Duration, len(programs)), make([][]time.Duration, len(programs))
	for i, p := range programs {
		for _, step := range []struct {
			what string
			args []string
		}{{"index", p.index}, {"nothing changed", p.again}} {
			d, spent, err := b.start(ctx, p, step.args)
			if err != nil {
				return err
			}
			b.r.add(p.name+": "+step.what, ms(d), "ms", "the command; %s; %.0f ms of processor time", p.note, ms(spent))
		}
		if _, _, err := b.start(ctx, p, p.search(queries[0])); err != nil {
			return err
		}
		took[i] = make([]time.Duration, 0, coldRuns)
	}
	for run := range coldRuns {
		for i, p := range programs {
			d, spent, err := b.start(ctx, p, p.search(queries[run%len(queries)]))
			if err != nil {
				return err
			}
			took[i], busy[i] = append(took[i], d), append(busy[i], spent)
		}
	}
	for i, p := range programs {
		b.spread(p.name+": cold search", took[i])
		slices.Sort(busy[i])
		b.r.add("  its processor time", ms(busy[i][coldRuns/2]), "ms", "p50 of %d", coldRuns)
	}
	return nil
}

// qmd is the search for markdown of that name, as it is found on PATH: its index
// lies in the bench's folder, and only its keyword search is measured, which
// needs no model.
func (b *bench) qmd(ctx context.Context, dir string) []contender {
	exe, err := exec.LookPath("qmd")
	if err != nil {
		return nil
	}
	own := filepath.Join(b.base, "qmd")
	env := slices.DeleteFunc(b.environment(), func(v string) bool { return strings.HasPrefix(v, "XDG_") })
	for _, place := range []string{"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"} {
		env = append(env, place+"="+filepath.Join(own, strings.ToLower(place)))
	}
	version := exec.CommandContext(ctx, exe, "--version")
	version.Env = env
	said, err := version.Output()
	if err != nil {
		b.a.notice("qmd is installed but does not start, so it is not measured: %v", err)
		return nil
	}
	name, _, _ := strings.Cut(strings.TrimSpace(string(said)), " (")
	return []contender{{
		name: "qmd", note: name + ", words only", exe: exe, env: env,
		index: []string{"collection", "add", dir, "--name", "bench"}, again: []string{"update"},
		search: func(q string) []string { return []string{"search", q, "-n", searchHits, "--json"} },
	}}
}

// start runs a contender once and says how long it took, and how long processors
// worked for it, which says more of a machine that does other things as well.
func (b *bench) start(ctx context.Context, p contender, args []string) (took, spent time.Duration, err error) {
	cmd := exec.CommandContext(ctx, p.exe, args...)
	cmd.Env, cmd.Dir = p.env, b.base
	var said bytes.Buffer
	cmd.Stderr = &said
	began := b.a.now()
	err = cmd.Run()
	took = b.a.now().Sub(began)
	if err != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n")
		return 0, 0, fmt.Errorf("%s %s: %w: %s", p.name, args[0], err, line)
	}
	return took, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}
