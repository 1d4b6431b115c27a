package vault

import (
	"bytes"
	"fmt"
	"slices"
)

// Unset takes one property away and changes no other byte of the note. A note that
// does not have it stays as it is. It fails with ErrEdit where Set would.
func (n *Note) Unset(key string) error {
	if _, ok := n.find(key); !ok {
		return nil
	}
	next, err := n.withoutProperty(key)
	if err != nil {
		return fmt.Errorf("%s: property %s: %w", n.Path, key, err)
	}
	after := Parse(n.Path, next)
	kept := slices.DeleteFunc(slices.Clone(n.props), func(p Property) bool { return p.Key == key })
	equal := func(p, q Property) bool {
		return p.Key == q.Key && p.IsList == q.IsList && slices.Equal(p.Values, q.Values)
	}
	if after.err != nil || !bytes.Equal(after.Body(), n.Body()) || !slices.EqualFunc(kept, after.props, equal) {
		return fmt.Errorf("%s: property %s: %w: more than it would go", n.Path, key, ErrEdit)
	}
	n.set(next)
	return nil
}

func (n *Note) withoutProperty(key string) ([]byte, error) {
	if n.err != nil {
		return nil, fmt.Errorf("%w: %w", ErrEdit, n.err)
	}
	_, root, err := readProperties(n.raw[bomLen(n.raw):n.body])
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrEdit, err)
	}
	entry, ok := n.entry(root, key)
	if !ok {
		return nil, fmt.Errorf("%w: its line was not found", ErrEdit)
	}
	return slices.Concat(n.raw[:entry.lines.Start], n.raw[entry.lines.End:]), nil
}
