package importer

import (
	"slices"

	"github.com/memsync/memsync/vault"
)

// NoParent is the Parent of a turn on a branch that answers nothing that was
// imported: it begins the conversation anew.
const NoParent = "root"

// A Layout puts the nodes of a tree into a conversation's turns and works out
// what each of them answers.
type Layout struct {
	conv *Conversation
	tree *Tree
	ids  map[int]string // MessageID of the last turn of a node that has turns
}

// NewLayout adds turns to conv.
func NewLayout(conv *Conversation, tree *Tree) *Layout {
	return &Layout{conv: conv, tree: tree, ids: map[int]string{}}
}

// Add appends a turn for a node: first those of the active path from its root,
// then those on branches, each after its parent. A node may have several turns.
func (l *Layout) Add(node int, t vault.Turn, branch bool) {
	t.Branch = branch
	if _, again := l.ids[node]; !again {
		parent := NoParent
		for up := l.tree.Parent(node); up >= 0; up = l.tree.Parent(up) {
			if id, ok := l.ids[up]; ok {
				parent = id
				break
			}
		}
		previous := NoParent
		if n := len(l.conv.Turns); n > 0 {
			previous = l.conv.Turns[n-1].MessageID
		}
		if parent != previous {
			t.Parent = parent
		}
	}
	l.ids[node] = t.MessageID
	l.conv.Append(t)
	if !branch {
		l.conv.Current = t.MessageID
	}
}

// Append adds a turn and notes its sender.
func (c *Conversation) Append(t vault.Turn) {
	c.Turns = append(c.Turns, t)
	if !slices.Contains(c.Participants, t.Sender) {
		c.Participants = append(c.Participants, t.Sender)
	}
}

// Injected reports whether text holds context that a program put into it, such
// as a <memsync-context> block. Such a turn carries vault.FlagInjected, and
// vault.StripInjected leaves its sender's own words.
func Injected(text string) bool { return vault.HasInjected(text) }
