package sync

import (
	"context"
	"hash/maphash"
	"slices"

	"github.com/memsync/memsync/vault"
)

// A holder says which conversation of a source holds a message. Chats of
// messengers need it: their exports give no ids to conversations, overlap each
// other, and begin wherever the phone let them begin.
//
// It keeps 64 bits of each message id and not the id, so that a vault of half a
// million messages costs about 20 MB. Two ids that are the same in 64 bits would
// put a message into the wrong one of two conversations of the person's.
type holder struct {
	seed  maphash.Seed
	at    map[uint64]int32
	names []string
	index map[string]int32
}

func newHolder() *holder {
	return &holder{seed: maphash.MakeSeed(), at: map[uint64]int32{}, index: map[string]int32{}}
}

func (h *holder) add(conversation string, turns []vault.Turn) {
	i, ok := h.index[conversation]
	if !ok {
		i = int32(len(h.names))
		h.names = append(h.names, conversation)
		h.index[conversation] = i
	}
	for _, t := range turns {
		if key := maphash.String(h.seed, t.MessageID); t.MessageID != "" {
			if _, taken := h.at[key]; !taken {
				h.at[key] = i
			}
		}
	}
}

// has reports whether a conversation holds all of turns, none of them edited.
func (h *holder) has(conversation string, turns []vault.Turn) bool {
	for _, t := range turns {
		i, ok := h.at[maphash.String(h.seed, t.MessageID)]
		if !ok || h.names[i] != conversation || slices.Contains(t.Flags, edited) {
			return false
		}
	}
	return true
}

// edited is the flag of a message that its sender changed.
const edited = "edited"

// Holder returns the id of the conversation of a source that holds a message, in
// the vault or among what this importer has planned; empty where none does. The
// first question reads the source's
// transcripts; an error of that is told once.
func (im *Importer) Holder(ctx context.Context, source, message string) (string, error) {
	h := im.holders[source]
	if h == nil {
		var err error
		h, err = im.readHolder(ctx, source)
		im.holders[source] = h
		if err != nil {
			return "", err
		}
	}
	if i, ok := h.at[maphash.String(h.seed, message)]; ok {
		return h.names[i], nil
	}
	return "", nil
}

func (im *Importer) readHolder(ctx context.Context, source string) (*holder, error) {
	h := newHolder()
	heads, _, err := transcriptsOf(ctx, im.v, source)
	if err != nil {
		return h, err
	}
	for _, head := range heads {
		n, err := im.v.Note(head.Path)
		if err != nil {
			return h, err
		}
		id := n.Prop("conversation")
		t := vault.ParseTranscript(n)
		turns := make([]vault.Turn, len(t.Turns))
		for i := range t.Turns {
			turns[i] = vault.Turn{MessageID: t.Turns[i].MessageID}
		}
		h.add(id, turns)
	}
	return h, nil
}
