package chatgpt

import (
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/vault"
)

// thread lays the tree out as turns: the active path, then the branches.
func (conv *conversation) thread(warn func(string, ...any)) importer.Conversation {
	out := importer.Conversation{
		Source:  Format{}.Source(),
		ID:      conv.id,
		Title:   conv.title,
		Created: conv.created,
		Updated: conv.updated,
		Model:   conv.model,
	}
	if len(conv.nodes) == 0 {
		return out
	}
	current, ok := conv.index[conv.current]
	if !ok {
		current = -1
	}
	tree := importer.NewTree(conv.parents(), current, conv.when)
	if tree.Cycles > 0 {
		warn("its messages answer each other in a circle, which is cut")
	}
	if !ok {
		current = tree.Newest(conv.when)
		switch {
		case conv.current == "" && tree.Leaves() == 1: // there is no choice
		case conv.current == "":
			warn("it does not say which branch is the active one; the newest is taken")
		default:
			warn("its active message %s is missing; the newest branch is taken", conv.current)
		}
	}
	path := tree.Path(current)
	if top := conv.nodes[path[0]].parent; top != "" && tree.Cycles == 0 {
		warn("the beginning is missing: message %s answers %s, which the file does not have", conv.nodes[path[0]].id, top)
	}
	l := importer.NewLayout(&out, tree)
	conv.nameMessages(warn)
	place := func(n int, branch bool) {
		if m := conv.nodes[n].message; !m.left(warn) {
			t := m.turn(conv.model)
			t.Time = conv.timeOf(tree, n)
			l.Add(n, t, branch)
		}
	}
	for _, n := range path {
		place(n, false)
	}
	tree.Branches(path, conv.when, func(n int) { place(n, true) })
	return out
}

// parents numbers each node's parent. Where a node does not name its parent, the
// node that lists it as a child is taken.
func (conv *conversation) parents() []int {
	parents := make([]int, len(conv.nodes))
	for i, n := range conv.nodes {
		parents[i] = -1
		if p, ok := conv.index[n.parent]; ok && n.parent != "" {
			parents[i] = p
		}
	}
	for i, n := range conv.nodes {
		for _, child := range n.children {
			if j, ok := conv.index[child]; ok && conv.nodes[j].parent == "" && parents[j] < 0 && j != i {
				parents[j] = i
			}
		}
	}
	return parents
}

func (conv *conversation) when(n int) time.Time { return conv.nodes[n].time() }

// timeOf is when a message was sent: by its own time, else its nearest
// ancestor's, else the conversation's.
func (conv *conversation) timeOf(tree *importer.Tree, n int) vault.Stamp {
	for ; n >= 0; n = tree.Parent(n) {
		if m := conv.nodes[n].message; m != nil && !m.created.IsZero() {
			return m.created
		}
	}
	return conv.created
}

// nameMessages gives every message an id of its own: the message's, else its
// node's.
func (conv *conversation) nameMessages(warn func(string, ...any)) {
	seen := map[string]bool{}
	for _, n := range conv.nodes {
		m := n.message
		if m == nil {
			continue
		}
		if m.id == "" {
			m.id = n.id
		}
		if seen[m.id] {
			old := m.id
			for m.id = n.id; seen[m.id]; {
				m.id += "+"
			}
			warn("two messages have the id %s; the second goes by its node's id %s", old, m.id)
		}
		seen[m.id] = true
	}
}

// deriveID makes an id for a conversation without one, from what does not change
// when the conversation grows.
func (conv *conversation) deriveID() string {
	first := ""
	for _, n := range conv.nodes {
		if n.message != nil && n.message.role == "user" && (first == "" || n.id < first) {
			first = n.id
		}
	}
	sum := sha256.Sum256([]byte("chatgpt\x00" + conv.created.String() + "\x00" + first))
	return fmt.Sprintf("%x", sum[:16])
}
