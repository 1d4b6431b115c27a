package whatsapp

import (
	"context"
	"errors"
	"strings"

	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/vault"
)

// This file is about exports of a chat that the vault has already. An export may
// begin earlier or later than the one before, end later, and come from another
// phone. What holds them together are the messages that both have.

// A message may be known by chance: the same greeting went to ten friends in one
// minute. So a chat counts as known where at least half of the messages between
// the first and the last known one are known, and at least knownLeast of them.
const knownLeast = 2

// tally counts, for each chat of the vault, which of a file's messages it holds.
type tally map[string]*stretch

type stretch struct{ first, last, known int }

func (t tally) add(i int, conversation string) {
	chat, _, ok := strings.Cut(conversation, "#")
	if !ok {
		return
	}
	s := t[chat]
	if s == nil {
		s = &stretch{first: i}
		t[chat] = s
	}
	s.last, s.known = i, s.known+1
}

// best is the chat that holds most, empty where none holds enough. all is the
// number of messages looked at.
func (t tally) best(all int) string {
	best := ""
	for chat, s := range t {
		if s.known*2 < s.last-s.first+1 || s.known < min(knownLeast, all) {
			continue
		}
		if best == "" || s.known > t[best].known || s.known == t[best].known && chat < best {
			best = chat
		}
	}
	return best
}

// errFound ends a reading early.
var errFound = errors.New("found")

// enough is the number of known messages after which a chat is taken for found.
const enough = 64

// find reads a file for the chat of the vault that it continues; empty for none.
func (f Format) find(ctx context.Context, in importer.Input, p *plan) (string, error) {
	if f.Known == nil {
		return "", nil
	}
	file, err := in.Open()
	if err != nil {
		return "", err
	}
	defer file.Close()
	var ids identifier
	seen, n := tally{}, 0
	err = p.messages(withContext(ctx, file), func(m Message) error {
		chat := f.Known(ids.id(&m))
		seen.add(n, chat)
		n++
		if best := seen.best(n); best != "" && seen[best].known >= enough {
			return errFound
		}
		return nil
	}, func(int, string) {}, func([]byte) {})
	if err != nil && !errors.Is(err, errFound) {
		return "", err
	}
	return seen.best(n), nil
}

// A part is the turns of a session that belong to one conversation.
type part struct {
	id    string
	turns []vault.Turn
}

// parts gives each turn of a session to the conversation that has it. A turn that
// none has goes where the one before it went, the first ones where the first
// known one is. So nothing is added to one conversation that another holds, also
// where an export that begins elsewhere is cut elsewhere.
func (s *sessions) parts(turns []vault.Turn) []part {
	known := make([]string, len(turns))
	at := ""
	for i, t := range turns {
		if s.format.Known != nil {
			if id := s.format.Known(t.MessageID); strings.HasPrefix(id, s.chat+"#") {
				known[i] = id
			}
		}
		if at == "" {
			at = known[i]
		}
	}
	if at == "" {
		return []part{{s.newID(turns[0]), turns}}
	}
	var out []part
	index := map[string]int{}
	for i, t := range turns {
		if known[i] != "" {
			at = known[i]
		}
		k, ok := index[at]
		if !ok {
			k = len(out)
			index[at] = k
			out = append(out, part{id: at})
		}
		out[k].turns = append(out[k].turns, t)
	}
	return out
}
