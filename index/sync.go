package index

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/memsync/memsync/index/store"
	"github.com/memsync/memsync/vault"
)

// A Source is a tree of notes: a vault, or a vault as it was at a revision.
type Source interface {
	// Walk lists the notes in the order of their paths.
	Walk(ctx context.Context) ([]vault.Entry, []vault.Skipped, error)
	Read(p vault.Path) ([]byte, error)
}

// Sync brings the index in step with a source. Files whose size and time are
// what the index knows are not read. It catches up on vectors that a model owes,
// and does nothing at all where there is nothing to do.
func (x *Index) Sync(ctx context.Context, src Source) (Report, error) {
	var report Report
	work := func(st store.Store) (err error) {
		report, err = x.sync(ctx, st, src)
		return err
	}
	err := x.use(ctx, work)
	if isDamage(err) {
		err = x.use(ctx, work) // into the empty index that took its place
	}
	if err != nil {
		return report, fmt.Errorf("index: %w", err)
	}
	return report, nil
}

func (x *Index) sync(ctx context.Context, st store.Store, src Source) (Report, error) {
	began := x.cfg.Now()
	entries, skipped, err := src.Walk(ctx)
	if err != nil {
		return Report{}, err
	}
	d, err := diff(ctx, st, src, entries)
	if err != nil {
		return Report{}, err
	}
	var report Report
	if len(d.changes) > 0 {
		if report, err = x.update(ctx, st, slices.Values(d.changes), len(d.changes)); err != nil {
			return report, err
		}
	}
	d.keep(ctx, st)
	report.Unchanged += d.same
	for _, s := range skipped {
		report.Problems = append(report.Problems, Problem{string(s.Path), s.Reason})
	}
	if err := x.catchUp(ctx, st, &report); err != nil {
		return report, err
	}
	report.Notes = append(report.Notes, x.told()...)
	report.Took = x.cfg.Now().Sub(began)
	return report, nil
}

// Behind counts the notes of a source that the index does not hold as they are,
// by size and time alone: what Sync would look at.
func (x *Index) Behind(ctx context.Context, src Source) (int, error) {
	entries, _, err := src.Walk(ctx)
	if err != nil {
		return 0, fmt.Errorf("index: %w", err)
	}
	n := 0
	err = x.use(ctx, func(st store.Store) error {
		d, err := diff(ctx, st, src, entries)
		for _, c := range d.changes {
			if c.known == nil || c.known.MTime != 0 || c.known.Size != c.Size {
				n++
			}
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("index: %w", err)
	}
	return n, nil
}

// CatchUp embeds what is waiting for the model: text that was indexed while it
// did not answer, and everything after the model changed. Searches go on in the
// old model's space until the new one is complete, and in the new one from then.
func (x *Index) CatchUp(ctx context.Context) (Report, error) {
	var report Report
	err := x.use(ctx, func(st store.Store) error { return x.catchUp(ctx, st, &report) })
	if err != nil {
		return report, fmt.Errorf("index: %w", err)
	}
	return report, nil
}

// catchUpChunks is how many vectors one transaction of catching up adds, and
// askChunks how many texts are given to the model together.
const (
	catchUpChunks = 2048
	askChunks     = 256
)

func (x *Index) catchUp(ctx context.Context, st store.Store, report *Report) error {
	if x.e == nil {
		return nil
	}
	var v *vectorer
	for {
		var stamp store.Stamp
		var chunks []store.Chunk
		var pending int
		model := store.Model{Name: x.e.Model().ID, Dim: x.e.Model().Dim}
		if v != nil {
			model = v.storeModel()
		}
		err := st.View(ctx, func(r store.Reader) (err error) {
			stamp = r.Stamp()
			if model.Dim == 0 && stamp.Model.Name == model.Name {
				model.Dim = stamp.Model.Dim
			}
			chunks, pending, err = r.Pending(ctx, model, catchUpChunks)
			return err
		})
		if err != nil {
			return err
		}
		report.Pending = pending
		if pending == 0 {
			if v != nil {
				x.rate(ctx, v)
			}
			if model.Dim > 0 && stamp.Model != model && stamp.Chunks > 0 {
				return st.UseModel(ctx, model)
			}
			return nil
		}
		if v == nil {
			if v, err = x.vectorer(ctx, st); err != nil {
				return err
			}
		}
		done, err := x.embedPending(ctx, st, v, chunks)
		report.Embedded, report.Cached = report.Embedded+v.embedded, report.Cached+v.cached
		v.embedded, v.cached = 0, 0
		if err != nil {
			return err
		}
		if done == 0 {
			for _, n := range v.notes() {
				if !slices.Contains(report.Notes, n) {
					report.Notes = append(report.Notes, n)
				}
			}
			return nil
		}
	}
}

// embedPending embeds chunks that lie in the store, and says how many it could.
func (x *Index) embedPending(ctx context.Context, st store.Store, v *vectorer, chunks []store.Chunk) (int, error) {
	var rows []int64
	for _, c := range chunks {
		rows = append(rows, c.Note)
	}
	titles := make(map[int64]string)
	slices.Sort(rows)
	err := st.View(ctx, func(r store.Reader) error {
		notes, err := r.Notes(ctx, slices.Compact(rows))
		for _, n := range notes {
			titles[n.Row] = n.Title
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	found := make(map[int64][]byte)
	for part := range slices.Chunk(chunks, askChunks) {
		texts := make([]string, len(part))
		for i, c := range part {
			texts[i] = embedded(c, titles[c.Note])
		}
		for i, packed := range v.vectors(ctx, texts) {
			if packed != nil {
				found[part[i].Row] = packed
			}
		}
	}
	if len(found) == 0 {
		return 0, ctx.Err()
	}
	return len(found), st.SetVectors(ctx, v.storeModel(), found)
}

func isDamage(err error) bool { return errors.Is(err, ErrDamaged) }
