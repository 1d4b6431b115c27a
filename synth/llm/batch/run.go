package batch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/memsync/memsync/synth/llm"
)

// A Config says how a batch is run. Check and Now must be given.
type Config struct {
	// StateFile keeps the run; empty keeps nothing.
	StateFile string
	// Check judges the reply to a request; its error means that it cannot be used.
	Check func(req llm.Request, reply llm.Reply) error
	// Poll is how long to wait between looks at a batch; 0 is a minute.
	Poll time.Duration
	// Stay is how long Run waits for batches before it returns ErrRunning; 0 is until
	// they end.
	Stay time.Duration
	// Patience is how long one batch may take; 0 is 25 hours, an hour more than
	// both providers promise.
	Patience time.Duration
	// Tries is how often an item is sent at most; 0 is 3.
	Tries int
	// Most is how many items one batch holds; 0 is 10,000, which both providers
	// take.
	Most int
	// Retries is how often a call that failed in passing is made again before the
	// run stops, to be resumed; 0 is 8.
	Retries int
	// Budget holds the run to its ceilings; Price of it is the full price, of which
	// a batch costs half. nil is none.
	Budget *llm.Budget
	// Ledger records each reply; nil keeps none.
	Ledger *llm.Ledger
	Now    func() time.Time
	// Wait sleeps; nil really does.
	Wait func(ctx context.Context, d time.Duration) error
}

// A Reply is what came of a request: its reply, or why there is none.
type Reply struct {
	llm.Reply
	Err error
}

type run struct {
	s    Service
	cfg  Config
	job  *job
	req  map[string]llm.Request
	left []string // ids of items without a reply, in order
	got  map[string]Reply
	from time.Time // when Run began
}

// Run sends requests in batches and returns a Reply for each, in their order. An
// error means that the run stopped and can be resumed by the same call; when Run
// returns nil, every request has a reply or a reason, and the state file is gone
// after Done, so that a crash in between loses nothing.
func Run(ctx context.Context, s Service, requests []llm.Request, cfg Config) (replies []Reply, done func() error, err error) {
	if cfg.Poll <= 0 {
		cfg.Poll = time.Minute
	}
	if cfg.Patience <= 0 {
		cfg.Patience = 25 * time.Hour
	}
	if cfg.Tries <= 0 {
		cfg.Tries = 3
	}
	if cfg.Most <= 0 {
		cfg.Most = 10_000
	}
	if cfg.Retries <= 0 {
		cfg.Retries = 8
	}
	if cfg.Wait == nil {
		cfg.Wait = llm.Sleep
	}
	j, err := open(cfg.StateFile, s.Name())
	if err != nil {
		return nil, nil, err
	}
	r := &run{s: s, cfg: cfg, job: j, req: map[string]llm.Request{}, got: map[string]Reply{}, from: cfg.Now()}
	var ids []string
	for _, req := range requests {
		id := itemID(s.Name(), req)
		ids = append(ids, id)
		if _, twice := r.req[id]; !twice {
			r.req[id], r.left = req, append(r.left, id)
		}
	}
	if err := r.all(ctx); err != nil {
		return nil, nil, err
	}
	for _, id := range ids {
		replies = append(replies, r.got[id])
	}
	return replies, j.remove, nil
}

// itemID names a request by what it asks: a reply is never taken for another's.
func itemID(model string, req llm.Request) string {
	raw, err := json.Marshal(req)
	if err != nil {
		panic(err) // strings and numbers
	}
	sum := sha256.Sum256(append([]byte("memsync batch 1\n"+model+"\n"), raw...))
	return "m-" + hex.EncodeToString(sum[:16])
}

func (r *run) all(ctx context.Context) error {
	for i := range r.job.Batches { // what an earlier run submitted
		if err := r.finish(ctx, &r.job.Batches[i], true); err != nil {
			return err
		}
	}
	for id := range r.got { // of the first request, where the run stopped behind it
		if !r.job.Probed {
			if err := r.probed(id); err != nil {
				return err
			}
		}
	}
	for len(r.left) > 0 {
		next := r.left[:min(len(r.left), r.cfg.Most)]
		if !r.job.Probed {
			next = r.left[:1]
		}
		next = slices.Clone(next) // what is left shrinks meanwhile
		if err := r.send(ctx, next); err != nil {
			return err
		}
		if !r.job.Probed {
			if err := r.probed(next[0]); err != nil {
				return err
			}
		}
	}
	return nil
}

// probed looks at the reply to the first request.
func (r *run) probed(id string) error {
	reply, there := r.got[id]
	switch {
	case there && reply.Err == nil:
		r.job.Probed = true
		return r.job.save()
	case there:
		return errors.Join(fmt.Errorf("%w: %w", ErrProbe, reply.Err), r.job.remove())
	}
	return nil // sent again, as it is still left
}

// send submits a batch and waits for what comes of it.
func (r *run) send(ctx context.Context, ids []string) error {
	b := batch{Tag: tag(r.job, ids), At: r.cfg.Now(), Items: ids, State: Running}
	r.job.Batches = append(r.job.Batches, b)
	if err := r.job.save(); err != nil {
		return err
	}
	return r.finish(ctx, &r.job.Batches[len(r.job.Batches)-1], false)
}

func tag(j *job, ids []string) string {
	sum := sha256.Sum256([]byte(fmt.Sprint(len(j.Batches), ids)))
	return "memsync-" + hex.EncodeToString(sum[:8])
}

// finish brings a batch to its end, wherever it stands: submits it where it was
// not, waits, and takes over its results.
func (r *run) finish(ctx context.Context, b *batch, resumed bool) error {
	if b.ID == "" {
		if err := r.submit(ctx, b, resumed); err != nil {
			return err
		}
	}
	if b.ID != "" {
		if err := r.await(ctx, b); err != nil {
			return err
		}
	}
	if b.State == Ended {
		return r.take(ctx, b)
	}
	return r.again(b.Items, fmt.Errorf("%w: the provider did not carry out the batch", llm.ErrDown))
}

// submit finds the batch where a crash cut off the note of it, or submits it.
func (r *run) submit(ctx context.Context, b *batch, resumed bool) error {
	var items []Item
	var held llm.Usage
	for _, id := range b.Items {
		if req, ok := r.req[id]; ok {
			items = append(items, Item{id, req})
			held = held.Add(half(llm.Size(req)))
		}
	}
	if len(items) == 0 { // the requests of an earlier run are not wanted any more
		b.State = Gone
		return r.job.save()
	}
	var known []string
	for _, other := range r.job.Batches {
		known = append(known, other.ID)
	}
	var found string
	var err error
	if resumed {
		err = r.patiently(ctx, func() (err error) {
			found, err = r.s.Find(ctx, b.Tag, b.At, len(b.Items), known)
			return err
		})
		if err != nil {
			return err
		}
	}
	if found == "" {
		if r.cfg.Budget != nil {
			if err := r.cfg.Budget.Hold(held); err != nil {
				return err
			}
			defer r.cfg.Budget.Settle(held, llm.Usage{})
		}
		tried := false
		err = r.patiently(ctx, func() (err error) {
			if tried { // a try that broke off may have been heard
				found, err = r.s.Find(ctx, b.Tag, b.At, len(items), known)
			}
			if err == nil && found == "" {
				tried = true
				found, err = r.s.Submit(ctx, b.Tag, items)
			}
			return err
		})
		if errors.Is(err, llm.ErrRefused) {
			b.State = Failed
			return errors.Join(err, r.job.remove())
		}
		if err != nil {
			return err
		}
	}
	b.ID = found
	for _, it := range b.Items {
		r.job.Tries[it]++
	}
	return r.job.save()
}

// half is what a batch charges.
func half(u llm.Usage) llm.Usage { return llm.Usage{In: (u.In + 1) / 2, Out: (u.Out + 1) / 2} }

// await polls until the batch is not running.
func (r *run) await(ctx context.Context, b *batch) error {
	for b.State == Running {
		var s State
		err := r.patiently(ctx, func() (err error) {
			s, err = r.s.State(ctx, b.ID)
			return err
		})
		if err != nil {
			return err
		}
		if s == Running && r.cfg.Now().Sub(b.At) > r.cfg.Patience {
			s = Gone
		}
		if s != Running {
			b.State = s
			if err := r.job.save(); err != nil {
				return err
			}
			break
		}
		if r.cfg.Stay > 0 && r.cfg.Now().Sub(r.from) >= r.cfg.Stay {
			return fmt.Errorf("%w: %d of %d requests are with the provider since %s", ErrRunning, len(b.Items), len(r.req), b.At.UTC().Format("2006-01-02 15:04 MST"))
		}
		if err := r.cfg.Wait(ctx, r.cfg.Poll); err != nil {
			return err
		}
	}
	return nil
}

// Pending reports whether a state file is there: a run that was not finished.
func Pending(stateFile string) bool {
	_, err := os.Stat(stateFile)
	return stateFile != "" && err == nil
}

// take fetches the results and sorts them: good ones are replies, the rest goes
// again while there are tries.
func (r *run) take(ctx context.Context, b *batch) error {
	results := map[string]Result{}
	err := r.patiently(ctx, func() error {
		return r.s.Results(ctx, b.ID, func(res Result) { results[res.ID] = res })
	})
	if err != nil {
		return err
	}
	for _, id := range b.Items {
		req, wanted := r.req[id]
		res, there := results[id]
		if _, done := r.got[id]; done || !wanted {
			continue
		}
		err := res.Err
		if !there {
			err = fmt.Errorf("%w: the batch came back without it", llm.ErrDown)
		}
		if err == nil {
			used := half(res.Reply.Usage)
			if r.cfg.Budget != nil {
				r.cfg.Budget.Settle(llm.Usage{}, used)
			}
			if err := r.record(req, res.Reply); err != nil {
				return err
			}
			err = r.cfg.Check(req, res.Reply)
		}
		if err == nil {
			r.settle(id, Reply{Reply: res.Reply})
			continue
		}
		if err := r.again([]string{id}, err); err != nil {
			return err
		}
	}
	return nil
}

// again leaves items to be sent once more, or gives up on those that had their
// tries.
func (r *run) again(ids []string, why error) error {
	for _, id := range ids {
		if _, wanted := r.req[id]; wanted && (r.job.Tries[id] >= r.cfg.Tries || errors.Is(why, llm.ErrRefused)) {
			r.settle(id, Reply{Err: why})
		}
	}
	return r.job.save()
}

func (r *run) settle(id string, reply Reply) {
	r.got[id] = reply
	r.left = slices.DeleteFunc(r.left, func(l string) bool { return l == id })
}

func (r *run) record(req llm.Request, reply llm.Reply) error {
	c := llm.Call{At: r.cfg.Now(), Pass: req.Pass, Model: r.s.Name(), In: reply.Usage.In, Out: reply.Usage.Out, Batch: true, Outcome: "ok"}
	if p, known := llm.PriceOf(r.s.Name()); known {
		c.Cost = p.Cost(reply.Usage) / 2
	}
	switch {
	case reply.Declined:
		c.Outcome = "declined"
	case reply.Cut:
		c.Outcome = "cut"
	}
	return r.cfg.Ledger.Add(c)
}

// patiently makes a call again while what goes wrong may pass.
func (r *run) patiently(ctx context.Context, call func() error) error {
	pause := time.Second
	for try := 0; ; try++ {
		err := call()
		if err == nil || ctx.Err() != nil || !errors.Is(err, llm.ErrDown) || try >= r.cfg.Retries {
			return err
		}
		if s, ok := errors.AsType[*llm.StatusError](err); ok && s.After > 0 {
			pause = s.After
		}
		if err := r.cfg.Wait(ctx, min(pause, r.cfg.Poll)); err != nil {
			return err
		}
		pause *= 2
	}
}
