package main

import (
	"slices"
	"time"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/privacy"
)

// A guard keeps secrets out of transcripts. What it takes out goes to the
// owner's store outside the vault first, where `memsync reveal` finds it.
type guard struct {
	redactor  *privacy.Redactor
	originals *privacy.Originals
	now       func() time.Time
}

// openGuard opens the store of originals of a vault.
func (w *writer) openGuard() (*guard, error) {
	store, err := privacy.OpenOriginals(w.places.Data, nil)
	if err != nil {
		return nil, err
	}
	return &guard{privacy.NewRedactor(w.settings.Privacy, store.Key()), store, w.now}, nil
}

// redact is a vaultsync.ImportConfig's Guard.
func (g *guard) redact(transcript vault.Path, turns []vault.Turn) error {
	var originals []privacy.Original
	previous := ""
	for i := range turns {
		t := &turns[i]
		text, found := g.redactor.RedactAfter(previous, t.Text)
		previous = t.Text
		if len(found) == 0 {
			continue
		}
		t.Text = text
		for _, f := range found {
			if flag := string(f.Class); !slices.Contains(t.Flags, flag) {
				t.Flags = append(t.Flags, flag)
			}
			originals = append(originals, privacy.Original{
				ID: f.ID, Class: f.Class, Text: f.Secret, Where: string(transcript) + " " + t.MessageID, Seen: g.now(),
			})
		}
	}
	if len(originals) == 0 {
		return nil
	}
	return g.originals.Put(originals...)
}

// strict returns a function that takes every secret out of a text, whatever the
// person keeps in the vault. What is indexed, embedded or handed to an assistant
// goes through it.
func (s *session) strict() (func(text string) string, error) {
	store, err := privacy.OpenOriginals(s.places.Data, nil)
	if err != nil {
		return nil, err
	}
	r := privacy.NewRedactor(s.settings.Privacy.Strict(), store.Key())
	return func(text string) string {
		clean, _ := r.Redact(text)
		return clean
	}, nil
}

// secret returns a function that tells whether a text holds a secret, which must
// not be quoted.
func secret() func(text string) bool {
	d := privacy.New(privacy.Config{})
	return func(text string) bool { return len(d.Find(text)) > 0 }
}
