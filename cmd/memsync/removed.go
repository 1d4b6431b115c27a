package main

import (
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
)

// removed adds to what the person removed from their memory: the conversations
// and claims that a change takes away. Only salted hashes are kept.
type removed struct {
	set   *vault.Forgotten
	old   vault.Hash
	added bool
}

// conversationKey names a conversation among what was removed.
func conversationKey(source, id string) string { return "conversation " + source + " " + id }

func (s *session) openRemoved() (*removed, error) {
	raw, err := s.readOrNothing(s.vault.Layout().Forgotten())
	if err != nil {
		return nil, err
	}
	r := &removed{set: vault.ParseForgotten(raw), old: vault.NoFile}
	if raw != nil {
		r.old = vault.HashOf(raw)
	}
	if !r.set.HasSalt() {
		r.set, err = vault.NewForgotten(nil)
	}
	return r, err
}

// compare notes what a note loses when it goes from before to after.
func (r *removed) compare(p vault.Path, before, after []byte) {
	was, is := vault.Parse(p, before), vault.Parse(p, after)
	if was.Type() == vault.TypeTranscript && len(after) == 0 {
		r.add(conversationKey(was.Prop("source"), was.Prop("conversation")))
	}
	if !was.IsLedger() {
		return
	}
	stays := map[string]bool{}
	for _, c := range is.Claims() {
		stays[c.Text] = true
	}
	for _, c := range was.Claims() {
		if stays[c.Text] {
			continue
		}
		r.add(c.Text)
		for _, e := range c.From {
			r.add(e.Quote)
		}
	}
}

func (r *removed) add(text string) {
	if text != "" && r.set.Add(text) {
		r.added = true
	}
}

// save writes the set with write, where anything was added to it.
func (r *removed) save(l vault.Layout, write func(vault.Path, vault.Hash, []byte) error) (history.File, bool, error) {
	if !r.added {
		return history.File{}, false, nil
	}
	data := r.set.Bytes()
	if err := write(l.Forgotten(), r.old, data); err != nil {
		return history.File{}, false, err
	}
	return history.File{Path: l.Forgotten(), Hash: vault.HashOf(data)}, true, nil
}
