package answer

import (
	"context"

	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/vault"
)

// An Item is a note, or a part of one.
type Item struct {
	ID    string     `json:"id"`
	Path  vault.Path `json:"path"`
	Line  int        `json:"line"`
	Type  string     `json:"type"`
	Title string     `json:"title"`
	Text  string     `json:"text"`
	// ConversationID, MessageIDs, Provider, Speaker and CreatedAt belong to a
	// turn of a conversation.
	ConversationID string   `json:"conversation_id"`
	MessageIDs     []string `json:"message_ids"`
	Provider       string   `json:"provider"`
	Speaker        string   `json:"speaker"`
	CreatedAt      string   `json:"created_at"`
}

// Items returns what an id names, secrets taken out, and notes the access. An id
// that names nothing is index.ErrNotFound. The id is looked up in the index and
// never used as a path, so nothing outside the vault can be named.
func (m *Memory) Items(ctx context.Context, id string) ([]Item, error) {
	found, err := m.cfg.Index.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	out := make([]Item, 0, len(found))
	var keys []string
	for _, f := range found {
		it, key := m.item(id, f)
		out, keys = append(out, it), append(keys, key)
	}
	if m.counts != nil {
		_ = m.counts.Touch(m.cfg.Now(), keys...) // an answer that cannot be counted is one
	}
	return out, nil
}

// item makes an item of what the index found, and the key that it is counted by. A
// whole note is read from the vault, so that nothing of its form is lost.
func (m *Memory) item(id string, f index.Item) (Item, string) {
	it := Item{ID: f.NoteID, Path: vault.Path(f.Path), Line: f.Line, Type: f.Type, Title: m.Clean(f.Title), MessageIDs: []string{}}
	for i, c := range f.Chunks {
		if i == 0 {
			it.ConversationID, it.Provider, it.Speaker, it.CreatedAt = c.ConversationID, c.Provider, c.Speaker, rfc3339(c.Time)
		}
		it.MessageIDs = append(it.MessageIDs, c.MessageIDs...)
	}
	if id == f.NoteID || id == f.Path {
		if n, err := m.cfg.Vault.Note(it.Path); err == nil {
			it.Text, it.Line, it.Speaker = CleanBody(n, m.cfg.Redact), n.Line(n.BodyStart()), ""
			return it, f.NoteID
		}
	}
	key := f.NoteID
	if len(f.Chunks) > 0 {
		it.ID, it.Speaker = f.ID(), f.Speaker()
		key = it.ID
		if turn := f.Chunks[0].Turn; turn != "" && (it.Type == string(vault.TypeFacts) || it.Type == string(vault.TypeSchema)) {
			key = turn // a claim goes by its block id
		}
	}
	it.Text = m.Clean(f.Text())
	return it, key
}

// CleanBody is a note's body without secrets. In a transcript each turn is looked at
// with the one before it: "what's the PIN?", and then nothing but the PIN.
func CleanBody(n *vault.Note, redact func(previous, text string) string) string {
	if n.Type() != vault.TypeTranscript {
		return redact("", string(n.Body()))
	}
	var body []byte
	at, before := n.BodyStart(), ""
	for _, t := range vault.ParseTranscript(n).Turns {
		if t.Body.Start >= at && before != "" {
			body = append(body, n.Bytes()[at:t.Body.Start]...)
			body = append(body, redact(before, string(t.Body.Cut(n.Bytes())))...)
			at = t.Body.End
		}
		before = t.Text
	}
	return redact("", string(append(body, n.Bytes()[at:]...)))
}

// Touch notes that items were asked for by their ids, as a citation does.
func (m *Memory) Touch(ids ...string) error {
	if m.counts == nil {
		return nil
	}
	return m.counts.Touch(m.cfg.Now(), ids...)
}
