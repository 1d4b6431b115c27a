package claude

import (
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/vault"
)

// rootUUID is the parent of a conversation's first message.
const rootUUID = "00000000-0000-4000-8000-000000000000"

// thread lays the messages out as turns: the active path, then the branches.
func (conv *conversation) thread(warn func(string, ...any)) importer.Conversation {
	conv.nameMessages(warn)
	if conv.id == "" {
		conv.id = conv.deriveID()
	}
	out := importer.Conversation{
		Source:  Format{}.Source(),
		ID:      conv.id,
		Title:   conv.title,
		Created: conv.created,
		Updated: conv.updated,
		Model:   conv.model,
		Summary: conv.summary,
	}
	if len(conv.messages) == 0 {
		return out
	}
	when := func(n int) time.Time { return conv.messages[n].time() }
	parents, linked := conv.parents(warn)
	current := len(conv.messages) - 1
	if linked {
		current = -1
		for i, m := range conv.messages {
			if m.id == conv.current {
				current = i
			}
		}
	}
	tree := importer.NewTree(parents, current, when)
	if tree.Cycles > 0 {
		warn("its messages answer each other in a circle, which is cut")
	}
	if current < 0 {
		if conv.current != "" {
			warn("its active message %s is missing; the newest branch is taken", conv.current)
		}
		current = tree.Newest(when)
	}
	l := importer.NewLayout(&out, tree)
	place := func(n int, branch bool) {
		m := &conv.messages[n]
		if m.sender != "human" && m.sender != "user" && m.sender != "assistant" {
			warn("message %s is left out: its sender %q is neither human nor assistant", m.id, m.sender)
			return
		}
		if m.strange != "" {
			warn("message %s: %s; what text it has was kept", m.id, m.strange)
		}
		for _, t := range m.turns(conv.model) {
			t.Time = conv.timeOf(tree, n)
			l.Add(n, t, branch)
		}
	}
	path := tree.Path(current)
	for _, n := range path {
		place(n, false)
	}
	tree.Branches(path, when, func(n int) { place(n, true) })
	return out
}

// parents numbers each message's parent. linked is false where no message names
// one: then each answers the one before it.
func (conv *conversation) parents(warn func(string, ...any)) (parents []int, linked bool) {
	index := make(map[string]int, len(conv.messages))
	for i, m := range conv.messages {
		index[m.id] = i
		linked = linked || m.parent != ""
	}
	parents = make([]int, len(conv.messages))
	for i, m := range conv.messages {
		parents[i] = i - 1
		if !linked {
			continue
		}
		switch p, ok := index[m.parent]; {
		case ok:
			parents[i] = p
		case m.parent == "" || m.parent == rootUUID:
			parents[i] = -1
		case i > 0:
			warn("message %s answers %s, which the file does not have; it is put behind the message before it", m.id, m.parent)
		}
	}
	return parents, linked
}

// timeOf is when a message was sent: by its own time, else its nearest
// ancestor's, else the conversation's.
func (conv *conversation) timeOf(tree *importer.Tree, n int) vault.Stamp {
	for ; n >= 0; n = tree.Parent(n) {
		if t := conv.messages[n].created; !t.IsZero() {
			return t
		}
	}
	return conv.created
}

// nameMessages makes the messages' ids unique.
func (conv *conversation) nameMessages(warn func(string, ...any)) {
	seen := map[string]bool{}
	for i := range conv.messages {
		m := &conv.messages[i]
		if seen[m.id] {
			old := m.id
			for seen[m.id] {
				m.id += "+"
			}
			warn("two messages have the id %s; the second is called %s", old, m.id)
		}
		seen[m.id] = true
	}
}

// deriveID makes an id for a conversation without one, from what does not change
// when the conversation grows.
func (conv *conversation) deriveID() string {
	first := ""
	if len(conv.messages) > 0 {
		first = conv.messages[0].id + "\x00" + conv.messages[0].text()
	}
	sum := sha256.Sum256([]byte("claude\x00" + conv.created.String() + "\x00" + first))
	return fmt.Sprintf("%x", sum[:16])
}
