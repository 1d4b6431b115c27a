package synth

import (
	"context"
	"errors"
	"fmt"

	"github.com/memsync/memsync/synth/llm"
	"github.com/memsync/memsync/synth/llm/batch"
	"github.com/memsync/memsync/synth/llm/passes"
	"github.com/memsync/memsync/vault"
)

// This file sends the summaries of a large import through the provider's batch
// interface (source 3, section 5.1): one request first, and where its reply passes
// the checks, all the others. What the batch leaves open waits for the next run,
// which finds it by its state file.

// A Bulk is a provider's interface for bulk work.
type Bulk struct {
	Service batch.Service
	// Config says how batches are run; Check is set here.
	Config batch.Config
	// Least is the number of summaries from which a batch is worth its wait; 0
	// means 20.
	Least int
}

// bulkWindow is how many transcripts a window holds where batches are used: a batch
// may take a day, so it should hold all of a usual import, and the requests of a
// window are in memory together, at most some 100 kB each.
const bulkWindow = 1000

// bulkLeast is Bulk.Least's default.
const bulkLeast = 20

// takes reports whether n summaries go through a batch, or some went before and
// are not back.
func (b *Bulk) takes(n int) bool {
	if b == nil {
		return false
	}
	least := b.Least
	if least <= 0 {
		least = bulkLeast
	}
	return n >= least || n > 0 && batch.Pending(b.Config.StateFile)
}

// A bulkItem is a conversation and what is asked about it.
type bulkItem struct {
	c     *conversation
	req   llm.Request
	limit int
}

// summariseInBulk has a batch sum up conversations and fills in texts. It returns
// those that are to be asked about one by one: they take several requests, or the
// server has no batches.
func (r *Runner) summariseInBulk(ctx context.Context, units []*conversation, texts map[vault.Path]summary, made *Made) (rest []*conversation, err error) {
	var items []bulkItem
	var requests []llm.Request
	byText := map[string]*conversation{}
	for _, c := range units {
		talk, err := r.talk(c.path)
		if err != nil || len(talk.Turns) == 0 {
			continue // the rules have read it
		}
		limit := r.limitOf(*c)
		req, one, err := r.model.w.SummaryRequest(talk, nil, limit)
		if err != nil || !one {
			rest = append(rest, c)
			continue
		}
		items, requests = append(items, bulkItem{c, req, limit}), append(requests, req)
		byText[req.System+req.Messages[0].Text] = c
	}
	if counter, ok := r.model.w.Model.(*llm.Counter); ok {
		counter.Batched(requests...)
		return rest, nil
	}
	if len(items) == 0 {
		return rest, nil
	}
	cfg := r.cfg.Bulk.Config
	cfg.Check = func(req llm.Request, reply llm.Reply) error {
		c := byText[req.System+req.Messages[0].Text]
		_, err := r.readSummary(c, reply, r.limitOf(*c))
		return err
	}
	replies, done, err := batch.Run(ctx, r.cfg.Bulk.Service, requests, cfg)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, llm.ErrRefused) && !errors.Is(err, batch.ErrProbe):
		made.skip("sessions", fmt.Errorf("the server takes no batch, so it is asked one by one: %w", err))
		return units, nil
	case err != nil:
		for _, it := range items {
			r.model.counted("session", later, err)
			texts[it.c.path] = summary{end: later}
			r.holds(it.c, later)
		}
		return rest, nil
	}
	made.after = done
	for i, it := range items {
		text, err := summary{}, replies[i].Err
		var s passes.Summary
		if err == nil {
			s, err = r.readSummary(it.c, replies[i].Reply, it.limit)
		}
		switch {
		case err == nil:
			text = r.written(it.c, s, it.limit)
		case errors.Is(err, llm.ErrDown), errors.Is(err, batch.ErrExpired):
			text.end = later
		}
		r.model.counted("session", text.end, err)
		texts[it.c.path] = text
		r.holds(it.c, text.end)
	}
	return rest, nil
}

// readSummary reads a reply about a conversation.
func (r *Runner) readSummary(c *conversation, reply llm.Reply, limit int) (passes.Summary, error) {
	talk, err := r.talk(c.path)
	if err != nil {
		return passes.Summary{}, err
	}
	return r.model.w.ReadSummary(reply, talk, limit)
}
