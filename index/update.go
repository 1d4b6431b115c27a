package index

import (
	"context"
	"fmt"
	"iter"
	"sync"
	"time"

	"github.com/memsync/memsync/index/store"
	"github.com/memsync/memsync/vault"
)

// A Change is a note that came, changed or went.
type Change struct {
	Path vault.Path
	// Removed says that the note is gone.
	Removed bool
	// Read returns its bytes; it is called in another goroutine, once.
	Read func() ([]byte, error)
	// Size and ModTime describe the file, zero where there is none.
	Size    int64
	ModTime time.Time

	// known is what the manifest says of the path.
	known *store.Note
}

// A Problem is a note that could not be indexed, or not as a whole.
type Problem struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// A Report says what an update did.
type Report struct {
	Added     int `json:"added"`
	Updated   int `json:"updated"`
	Removed   int `json:"removed"`
	Unchanged int `json:"unchanged"`
	Chunks    int `json:"chunks"`
	// Embedded were asked of the model, Cached were known from before.
	Embedded int `json:"embedded"`
	Cached   int `json:"cached"`
	// Pending chunks wait for the model.
	Pending  int           `json:"pending"`
	Problems []Problem     `json:"problems"`
	Notes    []string      `json:"notes"`
	Took     time.Duration `json:"took_ns"`
}

// Changed reports whether the update changed the index.
func (r Report) Changed() bool { return r.Added+r.Updated+r.Removed > 0 }

// The bounds of one transaction. An update that is smaller is one transaction; a
// larger one is visible, and safe, part by part.
const (
	batchChunks = 4096
	batchBytes  = 8 << 20
)

// Update applies changes. A note that cannot be read or indexed is named in the
// report's Problems and the others are not stopped by it. When the model does
// not answer, notes are found by keywords at once and by meaning after CatchUp.
func (x *Index) Update(ctx context.Context, changes iter.Seq[Change]) (Report, error) {
	var report Report
	err := x.use(ctx, func(st store.Store) (err error) {
		report, err = x.update(ctx, st, changes, 0)
		return err
	})
	if err != nil {
		return report, fmt.Errorf("index: %w", err)
	}
	return report, nil
}

func (x *Index) update(ctx context.Context, st store.Store, changes iter.Seq[Change], of int) (Report, error) {
	began := x.cfg.Now()
	u := &updater{x: x, st: st, began: began, of: of}
	if err := u.findModel(ctx); err != nil {
		return u.report, err
	}
	err := u.run(ctx, changes)
	if err == nil && u.v.embedded > 0 {
		x.rate(ctx, u.v)
	}
	u.report.Embedded, u.report.Cached, u.report.Pending = u.v.embedded, u.v.cached, u.v.pending
	u.report.Notes = append(u.report.Notes, u.v.notes()...)
	u.report.Notes = append(u.report.Notes, x.told()...)
	u.report.Took = x.cfg.Now().Sub(began)
	return u.report, err
}

// An updater carries one update through.
type updater struct {
	x      *Index
	st     store.Store
	began  time.Time
	v      *vectorer
	report Report

	batch  store.Batch
	chunks int
	bytes  int
	done   int
	of     int
}

func (u *updater) findModel(ctx context.Context) error {
	var err error
	u.v, err = u.x.vectorer(ctx, u.st)
	return err
}

// A result is what became of one change.
type result struct {
	change  Change
	problem error
	hash    string
	same    bool // the content is what the manifest says
	note    prepared
}

// A group is changes that follow each other, enough of them to be worth a call of
// the model.
type group struct {
	number  int
	changes []Change
	results []result
}

// The bounds of a group, by the sizes of the files.
const (
	groupBytes = 128 << 10
	groupNotes = 64
	// unknownSize is what a change counts that does not say its size.
	unknownSize = 8 << 10
)

// run reads, cuts and embeds groups on all cores, and writes them in this
// goroutine in the order in which they came, so that the same notes always make
// the same index.
func (u *updater) run(ctx context.Context, changes iter.Seq[Change]) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	in, out := make(chan group), make(chan group)
	slots := make(chan struct{}, 4*u.x.cfg.Workers) // bounds what waits for its turn
	var running sync.WaitGroup
	running.Go(func() {
		defer close(in)
		for g := range groups(changes) {
			select {
			case slots <- struct{}{}:
			case <-ctx.Done():
				return
			}
			in <- g
		}
	})
	for range u.x.cfg.Workers {
		running.Go(func() {
			for g := range in {
				for _, c := range g.changes {
					if ctx.Err() != nil {
						break
					}
					g.results = append(g.results, u.prepare(c))
				}
				u.v.fill(ctx, g.results)
				out <- g
			}
		})
	}
	go func() {
		running.Wait()
		close(out)
	}()
	var failed error
	next, early := 0, make(map[int]group)
	for g := range out {
		for early[g.number] = g; ; next++ {
			g, ok := early[next]
			if !ok {
				break
			}
			delete(early, next)
			<-slots
			if failed == nil {
				failed = ctx.Err()
			}
			if failed == nil {
				failed = u.take(ctx, g.results)
			}
			if failed != nil {
				cancel()
			}
		}
	}
	if failed == nil {
		failed = ctx.Err()
	}
	if failed == nil {
		failed = u.flush(ctx)
	}
	return failed
}

// groups divides changes into groups.
func groups(changes iter.Seq[Change]) iter.Seq[group] {
	return func(yield func(group) bool) {
		var g group
		size := int64(0)
		for c := range changes {
			g.changes = append(g.changes, c)
			if size += c.Size; c.Size == 0 {
				size += unknownSize
			}
			if size >= groupBytes || len(g.changes) >= groupNotes {
				if !yield(g) {
					return
				}
				g, size = group{number: g.number + 1}, 0
			}
		}
		if len(g.changes) > 0 {
			yield(g)
		}
	}
}

func (u *updater) prepare(c Change) result {
	r := result{change: c}
	if c.Removed {
		return r
	}
	raw, err := c.Read()
	if err != nil {
		r.problem = err
		return r
	}
	r.hash = string(vault.HashOf(raw))
	if c.known != nil && c.known.Hash == r.hash {
		r.same = true
		return r
	}
	n := vault.Parse(c.Path, raw)
	r.note = u.x.prepare(n)
	row := &r.note.put.Note
	row.Hash, row.Size, row.MTime = r.hash, int64(len(raw)), u.mtime(c)
	return r
}

// racy is how young a file may be before its times say nothing: it may still
// change without its size or its time changing, within the clock's grain.
const racy = 2 * time.Second

// mtime is a file's time as the manifest keeps it: 0 for a file so young that
// only its content can tell whether it changed.
func (u *updater) mtime(c Change) int64 {
	if c.ModTime.IsZero() || u.began.Sub(c.ModTime) < racy {
		return 0
	}
	return c.ModTime.UnixNano()
}

// take adds results to the batch.
func (u *updater) take(ctx context.Context, results []result) error {
	if u.done += len(results); u.x.cfg.Progress != nil {
		u.x.cfg.Progress(u.done, u.of)
	}
	for _, r := range results {
		path := string(r.change.Path)
		switch {
		case r.problem != nil:
			u.report.Problems = append(u.report.Problems, Problem{path, r.problem.Error()})
		case r.change.Removed:
			u.batch.Remove = append(u.batch.Remove, path)
			u.report.Removed++
		case r.same:
			u.report.Unchanged++
			n := *r.change.known
			if size, mtime := r.change.Size, u.mtime(r.change); size != n.Size || mtime != n.MTime {
				n.Size, n.MTime = size, mtime
				u.batch.Touch = append(u.batch.Touch, n)
			}
		default:
			if r.change.known != nil {
				u.report.Updated++
			} else {
				u.report.Added++
			}
			if p := r.note.put.Note.Problem; p != "" {
				u.report.Problems = append(u.report.Problems, Problem{path, p})
			}
			u.batch.Put = append(u.batch.Put, r.note.put)
			u.chunks += len(r.note.put.Chunks)
			u.bytes += int(r.note.put.Note.Size)
		}
		if u.chunks >= batchChunks || u.bytes >= batchBytes {
			if err := u.flush(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush writes the batch in one transaction.
func (u *updater) flush(ctx context.Context) error {
	b := u.batch
	if len(b.Put)+len(b.Remove)+len(b.Touch) == 0 {
		return nil
	}
	b.Model = u.v.storeModel()
	if err := u.st.Apply(ctx, b); err != nil {
		return err
	}
	u.report.Chunks += u.chunks
	u.batch, u.chunks, u.bytes = store.Batch{}, 0, 0
	return nil
}
