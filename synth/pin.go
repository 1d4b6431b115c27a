package synth

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/memsync/memsync/synth/ledger"
	"github.com/memsync/memsync/vault"
)

// Pin keeps a claim, a session, a month or a topic at hand for the person, or lets
// go of it. It is named by its id, or a note by its path.
func (r *Runner) Pin(ctx context.Context, id string, on bool) (Report, error) {
	value, subject := "user", "pinned "+blockOf(id)
	if !on {
		value, subject = "", "unpinned "+blockOf(id)
	}
	return r.mark(ctx, "pin", subject, id, "pin", value)
}

// Rate says how much a claim, a session or a month matters, from 0 to 1; negative
// takes the rating away.
func (r *Runner) Rate(ctx context.Context, id string, importance float64) (Report, error) {
	value := ""
	if importance >= 0 {
		value = strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.2f", min(importance, 1)), "0"), ".")
	}
	return r.mark(ctx, "rate", "rated "+blockOf(id), id, "importance", value)
}

// blockOf is the id of a claim, which may be given with its ledger before it.
func blockOf(id string) string { return id[strings.LastIndexByte(id, '^')+1:] }

// mark sets a field of a claim or, where no ledger has one of that id, the property
// of that name of a note.
func (r *Runner) mark(ctx context.Context, name, subject, id, key, value string) (Report, error) {
	w := NewView(r.v)
	books, err := ledger.Open(ctx, w)
	if err != nil {
		return Report{}, err
	}
	c, err := find(books, id)
	if errors.Is(err, ErrNoClaim) {
		return r.markNote(ctx, w, name, subject, id, key, value)
	}
	return r.amend(ctx, name, subject, func(b *ledger.Books) error {
		return b.Edit(c.ID, func(n *vault.Note) error { return n.SetClaimField(c.ID, key, value) })
	})
}

// markNote sets a property of a generated note as the person would, so that it
// survives the next time that the note is made.
func (r *Runner) markNote(ctx context.Context, w *View, name, subject, id, key, value string) (Report, error) {
	n, err := r.noteOf(ctx, w, id)
	if err != nil {
		return Report{}, err
	}
	if err := markable(n, key); err != nil {
		return Report{}, fmt.Errorf("%s: %w", id, err)
	}
	made := Made{Subject: subject}
	next := vault.Parse(n.Path, n.Bytes())
	if value == "" {
		err = next.Unset(key)
	} else {
		err = next.Set(key, vault.Plain(value))
	}
	if err != nil {
		return Report{}, err
	}
	made.Pages = append(made.Pages, Page{Path: n.Path, Data: next.Bytes(), Over: vault.HashOf(n.Bytes()), Edit: true, Theirs: true})
	return r.commitFollowed(ctx, name, w, made)
}

// markable says in a sentence why a note cannot be pinned or rated.
func markable(n *vault.Note, key string) error {
	can := "pin a claim, a session, a month or a topic"
	if key == "importance" {
		can = "rate a claim, a session or a month"
	}
	switch n.Type() {
	case vault.TypeSession, vault.TypeEpoch:
		return nil
	case vault.TypeTopic:
		if key == "pin" {
			return nil
		}
		return errors.New("a topic counts by its sessions: rate those, or pin the topic")
	case vault.TypeTranscript:
		return errors.New("a transcript stays as it was said: " + can)
	case vault.TypeProposal:
		return errors.New("a proposal waits for your word: memsync review accept or decline")
	case vault.TypeProfile, vault.TypeUser, vault.TypeBoot:
		return errors.New("this page is always at hand: " + can)
	case vault.TypeFacts, vault.TypeSchema:
		return errors.New("a ledger is marked line by line, by the id at a line's end: " + can)
	}
	return fmt.Errorf("this note is yours: give it a property %s yourself", key)
}

// ErrNoItem is wrapped where an id names neither a claim nor a note.
var ErrNoItem = errors.New("there is no claim and no note of that id")

// noteOf finds a note of memsync's by its path or id.
func (r *Runner) noteOf(ctx context.Context, w *View, id string) (*vault.Note, error) {
	for _, name := range []string{id, id + ".md"} {
		if p, err := vault.ParsePath(name); err == nil && w.Exists(p) {
			return w.Note(p)
		}
	}
	for _, folder := range []string{"sessions", "memory", "epochs", "archive", "review", "transcripts"} {
		paths, err := w.Paths(ctx, folder)
		if err != nil {
			return nil, err
		}
		for _, p := range paths {
			if n, err := w.Head(p); err == nil && n.ID() == id {
				return w.Note(p)
			}
		}
	}
	for _, p := range []vault.Path{w.Layout().Profile(), w.Layout().User(), w.Layout().Boot()} {
		if n, err := w.Note(p); err == nil && n.ID() == id {
			return n, nil
		}
	}
	return nil, fmt.Errorf("%s: %w", id, ErrNoItem)
}
