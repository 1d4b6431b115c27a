package watch

import (
	"context"
	"errors"
	"fmt"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
	"github.com/memsync/memsync/vault/pass"
)

// A change is a file before and after; nil where it was not, or is no longer,
// there.
type change struct {
	path          vault.Path
	before, after []byte
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
		for _, text := range memories(c.path, c.after) {
			stays[text] = true
		}
	}
	var gone []string
	for _, c := range changes {
		for _, text := range memories(c.path, c.before) {
			if !stays[text] {
				stays[text] = true
				gone = append(gone, text)
			}
		}
	}
	return gone
}

// memories are the texts by which a file's memories are known when they are
// forgotten.
func memories(p vault.Path, raw []byte) []string {
	if len(raw) == 0 || !p.IsNote() {
		return nil
	}
	n := vault.Parse(p, raw)
	if n.Type() == vault.TypeTranscript {
		return []string{ConversationKey(n.Prop("source"), n.Prop("conversation"))}
	}
	var texts []string
	for _, l := range n.MergedFrom() { // a merge that was taken back is not made again
		texts = append(texts, vault.FoldKey(n.ID(), l.Target))
	}
	if !n.IsLedger() {
		return texts
	}
	for _, c := range n.Claims() {
		texts = append(texts, c.Text)
		for _, from := range c.From {
			if from.Quote != "" {
				texts = append(texts, from.Quote)
			}
		}
	}
	return texts
}

// ConversationKey is how a conversation is named among what was removed.
func ConversationKey(source, id string) string { return "conversation " + source + " " + id }

// forget writes down what was lost, in a commit of memsync's own.
func (e *Edits) forget(ctx context.Context, texts []string, o *Outcome) error {
	if len(texts) == 0 {
		return nil
	}
	r, err := OpenRemoved(e.v)
	if err != nil {
		return err
	}
	r.Add(texts...)
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
	if _, err := change.Commit(ctx, fmt.Sprintf("forget: %d removed by hand", n), ""); err != nil {
		return err
	}
	o.Forgotten += n
	return nil
}
