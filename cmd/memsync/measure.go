package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
)

// A bench measures one vault.
type bench struct {
	a    *app
	base string
	opts benchOptions
	r    *benchResult
}

// source is a vault whose first note reads as if it had just been edited, where
// edited says so: the folder that is measured is never written.
type source struct {
	*vault.Vault
	edited vault.Path
	at     time.Time
}

func (s source) Walk(ctx context.Context) ([]vault.Entry, []vault.Skipped, error) {
	notes, skipped, err := s.Vault.Walk(ctx)
	for i := range notes {
		if notes[i].Path == s.edited {
			notes[i].ModTime = s.at
		}
	}
	return notes, skipped, err
}

func (s source) Read(p vault.Path) ([]byte, error) {
	raw, err := s.Vault.Read(p)
	if p == s.edited {
		raw = append(raw, "\nA line that was not there before.\n"...)
	}
	return raw, err
}

// indexing measures the index of a vault from nothing, in step and after one
// edit, and warm searches, all in this process; and then the same by commands.
func (b *bench) indexing(ctx context.Context, v *vault.Vault) error {
	_, s, _, err := b.a.settings()
	if err != nil {
		return err
	}
	e, err := b.a.embedder(s)
	if err != nil {
		return err
	}
	x, err := index.Open(ctx, filepath.Join(b.base, "index"), e, index.Config{Now: b.a.now})
	if err != nil {
		return err
	}
	notes, _, err := v.Walk(ctx)
	if err != nil {
		return errors.Join(err, x.Close())
	}
	if len(notes) == 0 {
		return errors.Join(fmt.Errorf("%s holds no notes", v.Dir()), x.Close())
	}
	var bytes int64
	for _, n := range notes {
		bytes += n.Size
	}
	var chunks int
	for _, step := range []struct {
		what string
		src  source
	}{
		{"index from nothing", source{Vault: v}},
		{"index, nothing changed", source{Vault: v}},
		{"index, one edit", source{v, notes[0].Path, b.a.now()}},
	} {
		began := b.a.now()
		report, err := x.Sync(ctx, step.src)
		if err != nil {
			return errors.Join(err, x.Close())
		}
		chunks = max(chunks, report.Chunks)
		b.r.add(step.what, ms(b.a.now().Sub(began)), "ms", "%s, %.1f MB, %d chunks", output.Count(len(notes), "note", "notes"), float64(bytes)/1e6, chunks)
	}
	queries, err := b.queries(v, notes)
	if err == nil {
		err = b.searches(ctx, x, queries)
	}
	if err = errors.Join(err, x.Close()); err != nil {
		return err
	}
	return b.commands(ctx, v.Dir(), queries)
}

// queryWords is how many words a query has: what people type.
const queryWords = 4

// queries are words that stand together in the notes, spread over all of them.
func (b *bench) queries(v *vault.Vault, notes []vault.Entry) ([]string, error) {
	var queries []string
	for i := range b.opts.searches {
		n, err := v.Note(notes[i*len(notes)/b.opts.searches].Path)
		if err != nil {
			return nil, err
		}
		words := strings.FieldsFunc(string(n.Body()), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
		at := 0
		if len(words) > queryWords {
			at = (i * 31) % (len(words) - queryWords)
		}
		if q := strings.Join(words[at:min(at+queryWords, len(words))], " "); q != "" {
			queries = append(queries, q)
		}
	}
	if len(queries) == 0 {
		return nil, errors.New("the notes hold no words to search for")
	}
	return queries, nil
}

func (b *bench) searches(ctx context.Context, x *index.Index, queries []string) error {
	if _, err := x.Search(ctx, index.Query{Text: queries[0]}); err != nil { // loads what is kept in memory
		return err
	}
	var took []time.Duration
	for _, q := range queries {
		began := b.a.now()
		if _, err := x.Search(ctx, index.Query{Text: q}); err != nil {
			return err
		}
		took = append(took, b.a.now().Sub(began))
	}
	b.spread("warm search", took)
	return nil
}

// environment is the bench's own, for a process that it starts.
func (b *bench) environment() []string {
	var env []string
	for _, name := range []string{"HOME", "USERPROFILE", "PATH", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"} {
		if v, ok := b.a.env(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// commitRuns is how many commits are measured.
const commitRuns = 40

// commits measures a pass that changes one note, from its write to its commit.
func (b *bench) commits(ctx context.Context) error {
	w, err := b.a.openToWrite(ctx, "bench")
	if err != nil {
		return err
	}
	notes, _, err := w.vault.Walk(ctx)
	if err != nil {
		return errors.Join(err, w.Close())
	}
	p, old := vault.Path("bench.md"), vault.NoFile
	var took []time.Duration
	for i := range commitRuns {
		text := fmt.Appendf(nil, "written %d times\n", i+1)
		began := b.a.now()
		if err = w.vault.Write(p, old, text); err != nil {
			break
		}
		old = vault.HashOf(text)
		_, err = w.repo.Commit(ctx, history.Change{
			Files: []history.File{{Path: p, Hash: old}}, Author: history.Machine(b.a.now()), Subject: "bench: one note",
		})
		if err != nil {
			break
		}
		took = append(took, b.a.now().Sub(began))
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return err
	}
	b.spread(fmt.Sprintf("write and commit, %d files", len(notes)), took)
	return nil
}

// spread adds the median and the 99th percentile.
func (b *bench) spread(what string, took []time.Duration) {
	slices.Sort(took)
	b.r.add(what, ms(took[len(took)/2]), "ms", "p50 of %d", len(took))
	b.r.add(what, ms(took[len(took)*99/100]), "ms", "p99 of %d", len(took))
}
