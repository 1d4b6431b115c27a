package llm

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// A Config says how a Caller uses its model. The zero value works.
type Config struct {
	// Timeout bounds one request; 0 is two minutes.
	Timeout time.Duration
	// Concurrency is how many requests run at once; 0 is 4.
	Concurrency int
	// Retries is how often a request that failed in passing is repeated; 0 is 4,
	// negative is never.
	Retries int
	// Pause is the wait before the first repetition; it doubles with each and
	// varies by a quarter. 0 is one second.
	Pause time.Duration
	// Budget holds the run to its ceilings; nil is none.
	Budget *Budget
	// Ledger keeps a record of each call; nil keeps none.
	Ledger *Ledger
	// Now dates the record; needed where there is a ledger.
	Now func() time.Time
	// Chance varies the pauses, from 0 to 1; nil is the system's.
	Chance func() float64
	// Wait sleeps; nil really does.
	Wait func(ctx context.Context, d time.Duration) error
}

// A Caller is a Model with limits, repetitions, ceilings and a ledger.
type Caller struct {
	m     Model
	cfg   Config
	slots chan struct{}
}

var _ Model = (*Caller)(nil)

// longestPause bounds what a server may ask us to wait.
const longestPause = time.Minute

// NewCaller puts limits around a model.
func NewCaller(m Model, cfg Config) *Caller {
	if cfg.Timeout <= 0 {
		cfg.Timeout = 2 * time.Minute
	}
	if cfg.Concurrency <= 0 {
		cfg.Concurrency = 4
	}
	if cfg.Retries == 0 {
		cfg.Retries = 4
	}
	if cfg.Pause <= 0 {
		cfg.Pause = time.Second
	}
	if cfg.Budget == nil {
		cfg.Budget = &Budget{}
	}
	if cfg.Now == nil {
		cfg.Now = func() time.Time { return time.Time{} }
	}
	if cfg.Chance == nil {
		cfg.Chance = rand.Float64
	}
	if cfg.Wait == nil {
		cfg.Wait = Sleep
	}
	return &Caller{m: m, cfg: cfg, slots: make(chan struct{}, cfg.Concurrency)}
}

// Name is the model's.
func (c *Caller) Name() string { return c.m.Name() }

// Spent is what the run has used.
func (c *Caller) Spent() Spending { return c.cfg.Budget.Spent() }

// Complete sends the request when there is room, and again while what goes wrong
// may pass.
func (c *Caller) Complete(ctx context.Context, req Request) (Reply, error) {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return Reply{}, ctx.Err()
	}
	pause := c.cfg.Pause
	for try := 0; ; try++ {
		reply, err := c.once(ctx, req)
		if err == nil || ctx.Err() != nil || !errors.Is(err, ErrDown) || try >= c.cfg.Retries {
			return reply, err
		}
		if err := c.cfg.Wait(ctx, c.pause(pause, err)); err != nil {
			return Reply{}, err
		}
		pause = min(2*pause, longestPause)
	}
}

// pause is what the server asks for, or d give or take a quarter.
func (c *Caller) pause(d time.Duration, err error) time.Duration {
	if s, ok := errors.AsType[*StatusError](err); ok && s.After > 0 {
		return min(s.After, longestPause)
	}
	return time.Duration(float64(d) * (0.75 + 0.5*c.cfg.Chance()))
}

func (c *Caller) once(ctx context.Context, req Request) (Reply, error) {
	held := Size(req)
	if err := c.cfg.Budget.Hold(held); err != nil {
		return Reply{}, err
	}
	inner, cancel := context.WithTimeout(ctx, c.cfg.Timeout)
	defer cancel()
	from := c.cfg.Now()
	reply, err := c.m.Complete(inner, req)
	used := reply.Usage
	if err == nil && used == (Usage{}) { // a server that does not count
		used = Usage{In: held.In, Out: Size(Request{System: reply.Text}).In}
	}
	c.cfg.Budget.Settle(held, used)
	reason := why(err)
	if err != nil && ctx.Err() == nil && inner.Err() != nil {
		reason = fmt.Sprintf("no answer within %s", c.cfg.Timeout)
		err = fmt.Errorf("%w: %s", ErrDown, reason)
	}
	to := c.cfg.Now()
	record := Call{
		At: from, Pass: req.Pass, Model: c.m.Name(), In: used.In, Out: used.Out, Cost: c.cfg.Budget.Price.Cost(used),
		Millis: to.Sub(from).Milliseconds(), Outcome: outcome(ctx, reply, err), Why: reason,
	}
	if lerr := c.cfg.Ledger.Add(record); lerr != nil && err == nil {
		err = lerr
	}
	return reply, err
}

// outcome is the ledger's word for what came of a call.
func outcome(ctx context.Context, r Reply, err error) string {
	switch {
	case err == nil && r.Declined:
		return "declined"
	case err == nil && r.Cut:
		return "cut"
	case err == nil:
		return "ok"
	case ctx.Err() != nil:
		return "stopped"
	case errors.Is(err, ErrDown):
		return "down"
	case errors.Is(err, ErrRefused):
		return "refused"
	}
	return "error"
}

// Sleep waits for d, or until the context ends.
func Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
