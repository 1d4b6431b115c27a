package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/privacy"
)

// A guard keeps secrets out of transcripts. What it takes out goes to the
// owner's store outside the vault first, where `memsync reveal` finds it.
type guard struct {
	redactor *privacy.Redactor
	// kept finds the secrets that stay where they are, which flag their message.
	kept      *privacy.Detector
	originals *privacy.Originals
	now       func() time.Time
}

// openGuard opens the store of originals of a vault.
func (w *writer) openGuard() (*guard, error) {
	store, err := privacy.OpenOriginals(w.places.Data, nil)
	if err != nil {
		return nil, err
	}
	kept := slices.DeleteFunc(privacy.Secrets(), func(c privacy.Class) bool { return w.settings.Privacy.For(c) != privacy.Keep })
	return &guard{privacy.NewRedactor(w.settings.Privacy, store.Key()), privacy.New(privacy.Config{Classes: kept}), store, w.now}, nil
}

// flagRefused marks a turn whose text was not written.
const flagRefused = "refused"

// redact is a vaultsync.ImportConfig's Guard. Of a message that holds a secret
// of a class that is to be refused nothing is kept, neither in the vault nor in
// the store: a sentence stands in its place.
func (g *guard) redact(transcript vault.Path, turns []vault.Turn) ([]string, error) {
	var originals []privacy.Original
	var remarks []string
	previous := ""
	for i := range turns {
		t := &turns[i]
		text, found := g.redactor.RedactAfter(previous, t.Text)
		for _, f := range g.kept.FindAfter(previous, text) {
			t.Flags = flagged(t.Flags, f.Class)
		}
		previous = t.Text
		for _, f := range found {
			t.Flags = flagged(t.Flags, f.Class)
		}
		if refused := privacy.Refused(found); len(refused) > 0 {
			t.Text, t.Attachments = refusal(refused), nil
			t.Flags = append(t.Flags, flagRefused)
			remarks = append(remarks, fmt.Sprintf("message %s: %s", t.MessageID, t.Text))
			continue
		}
		t.Text = text
		for _, f := range found {
			originals = append(originals, g.original(f, string(transcript)+" "+t.MessageID))
		}
	}
	if len(originals) == 0 {
		return remarks, nil
	}
	return remarks, g.originals.Put(originals...)
}

func flagged(flags []string, c privacy.Class) []string {
	if slices.Contains(flags, string(c)) {
		return flags
	}
	return append(flags, string(c))
}

// refusal is what stands in place of a message that was left out.
func refusal(found []privacy.Redaction) string {
	var classes []string
	for _, f := range found {
		if c := string(f.Class); !slices.Contains(classes, c) {
			classes = append(classes, c)
		}
	}
	return "(This message was left out: it holds a secret of the kind " + strings.Join(classes, ", ") + ".)"
}

func (g *guard) original(f privacy.Redaction, where string) privacy.Original {
	return privacy.Original{ID: f.ID, Class: f.Class, Text: f.Secret, Where: where, Seen: g.now()}
}

// clean is a vaultsync.ImportConfig's Clean.
func (g *guard) clean(text string) (string, error) {
	clean, found := g.redactor.Redact(text)
	if refused := privacy.Refused(found); len(refused) > 0 {
		return "Left out", nil
	}
	var originals []privacy.Original
	for _, f := range found {
		originals = append(originals, g.original(f, "title or summary"))
	}
	if len(originals) == 0 {
		return clean, nil
	}
	return clean, g.originals.Put(originals...)
}

// strict returns a function that takes every secret out of a text, whatever the
// person keeps in the vault. What is indexed, embedded or handed to an assistant
// goes through it.
func (s *session) strict() (func(text string) string, error) {
	after, err := s.strictAfter()
	if err != nil {
		return nil, err
	}
	return func(text string) string { return after("", text) }, nil
}

// strictAfter is strict for a turn, with the one before it.
func (s *session) strictAfter() (func(previous, text string) string, error) {
	store, err := privacy.OpenOriginals(s.places.Data, nil)
	if err != nil {
		return nil, err
	}
	r := privacy.NewRedactor(s.settings.Privacy.Strict(), store.Key())
	return func(previous, text string) string {
		clean, _ := r.RedactAfter(previous, text)
		return clean
	}, nil
}

// secret returns a function that tells whether a text holds a secret, which must
// not be quoted.
func secret() func(text string) bool {
	d := privacy.New(privacy.Config{})
	return func(text string) bool { return len(d.Find(text)) > 0 }
}
