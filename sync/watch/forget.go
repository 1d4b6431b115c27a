package watch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
	"github.com/memsync/memsync/vault/pass"
)

// A change is a file before and after; nil where it was not, or is no longer,
// there.
type change struct {
	path          vault.Path
	before, after []byte
	saved         time.Time // when after was, zero where that is not known
}

func (e *Edits) readBefore(head *history.View, changes []change) error {
	if head == nil {
		return nil
	}
	for i := range changes {
		raw, err := head.Read(changes[i].path)
		if err != nil && !errors.Is(err, history.ErrNotFound) {
			return err
		}
		changes[i].before = raw
	}
	return nil
}

// lost lists what a change takes out of the vault's memory: the texts of claims
// that stand in none of its files any more, the quotes that proved them, and
// conversations whose transcripts are gone. A line that moved to another ledger,
// or a ledger that was renamed, loses nothing.
func lost(changes []change) []string {
	stays := map[string]bool{}
	for _, c := range changes {
		for _, m := range memories(c.path, c.after) {
			for _, text := range m {
				stays[text] = true
			}
		}
	}
	var gone []string
	for _, c := range changes {
		for _, m := range memories(c.path, c.before) {
			for _, text := range m {
				if !stays[text] {
					stays[text] = true
					gone = append(gone, text)
				}
			}
		}
	}
	return gone
}

// A memory is the texts by which it is known when it is forgotten: a claim's own,
// then the quotes that prove it.
type memory []string

// memories are what a file holds.
func memories(p vault.Path, raw []byte) []memory {
	if len(raw) == 0 || !p.IsNote() {
		return nil
	}
	n := vault.Parse(p, raw)
	if n.Type() == vault.TypeTranscript {
		return []memory{{ConversationKey(n.Prop("source"), n.Prop("conversation"))}}
	}
	var all []memory
	for _, l := range n.MergedFrom() { // a merge that was taken back is not made again
		all = append(all, memory{vault.FoldKey(n.ID(), l.Target)})
	}
	if !n.IsLedger() {
		return all
	}
	for _, c := range n.Claims() {
		m := memory{c.Text}
		for _, from := range c.From {
			if from.Quote != "" {
				m = append(m, from.Quote)
			}
		}
		all = append(all, m)
	}
	return all
}

// ConversationKey is how a conversation is named among what was removed.
func ConversationKey(source, id string) string { return "conversation " + source + " " + id }

// forget writes down what changes of the person's took out of the vault's memory,
// and withdraws what they put back, in a commit of memsync's own.
func (e *Edits) forget(ctx context.Context, gone []string, stand []memory, o *Outcome) error {
	if len(gone)+len(stand) == 0 {
		return nil
	}
	r, err := OpenRemoved(e.v)
	if err != nil {
		return err
	}
	r.Add(gone...)
	r.putBack(stand)
	var change *pass.Pass
	_, n, err := r.Save(func(p vault.Path, old vault.Hash, data []byte) (err error) {
		if change, err = e.begin("forget"); err != nil {
			return err
		}
		if err := change.Write(ctx, p, old, data); err != nil {
			return errors.Join(err, change.Abandon())
		}
		return nil
	})
	if err != nil || n == 0 {
		return err
	}
	subject := fmt.Sprintf("forget: %d removed by hand", r.added)
	if r.added == 0 {
		subject = fmt.Sprintf("forget: %d put back by hand", r.withdrawn)
	}
	if _, err := change.Commit(ctx, subject, ""); err != nil {
		return err
	}
	o.Forgotten += r.added
	o.Withdrawn += r.withdrawn
	return nil
}

// standing lists what files hold that the person saved.
func standing(changes []change) []memory {
	var all []memory
	for _, c := range changes {
		all = append(all, memories(c.path, c.after)...)
	}
	return all
}
