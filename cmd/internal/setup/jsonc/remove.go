package jsonc

import "bytes"

// Remove takes out every element that is ours: below names, the members of an
// object or the items of an array for which mine is true. A container that is
// empty then goes too. The text is returned as it is where nothing is ours.
func Remove(text []byte, names []string, mine func(name string, v *Node) bool) ([]byte, error) {
	for {
		root, err := Parse(text)
		if err != nil {
			return nil, err
		}
		n := root.Get(names...)
		if n == nil {
			return text, nil
		}
		i := find(n, mine)
		if i < 0 {
			return text, nil
		}
		text = cutElement(text, n, i)
		if len(n.starts()) > 1 {
			continue
		}
		return prune(text, names)
	}
}

// RemoveOne takes out what pick points at, the element i of the container n, until
// it points at nothing.
func RemoveOne(text []byte, pick func(root *Node) (n *Node, i int)) ([]byte, error) {
	for {
		root, err := Parse(text)
		if err != nil {
			return nil, err
		}
		n, i := pick(root)
		if n == nil {
			return text, nil
		}
		text = cutElement(text, n, i)
	}
}

func find(n *Node, mine func(string, *Node) bool) int {
	for i, m := range n.Members {
		if mine(m.Name, m.Value) {
			return i
		}
	}
	for i, v := range n.Items {
		if mine("", v) {
			return i
		}
	}
	return -1
}

// prune removes containers that have become empty, from the inside out.
func prune(text []byte, names []string) ([]byte, error) {
	for len(names) > 0 {
		root, err := Parse(text)
		if err != nil {
			return nil, err
		}
		n := root.Get(names...)
		if n == nil || len(n.starts()) > 0 || hasComment(text[n.Start+1:n.End-1]) {
			return text, nil
		}
		last := names[len(names)-1]
		names = names[:len(names)-1]
		parent := root.Get(names...)
		text = cutElement(text, parent, find(parent, func(name string, v *Node) bool { return name == last && v == n }))
	}
	return text, nil
}

func hasComment(inner []byte) bool { return len(bytes.TrimSpace(inner)) > 0 }

// cutElement takes out one element with its comma and its line.
func cutElement(text []byte, n *Node, i int) []byte {
	starts, ends := n.starts(), n.ends()
	start, end := starts[i], ends[i]
	comma := commaAfter(text, end)
	switch {
	case i+1 < len(starts):
		return cutBefore(text, start, comma+1, starts[i+1])
	case i > 0:
		return cutLast(text, ends[i-1], start, end, comma)
	}
	if comma >= 0 {
		end = comma + 1
	}
	inner := text[n.Start+1 : n.End-1]
	if before, after := text[n.Start+1:start], text[end:n.End-1]; len(bytes.TrimSpace(before))+len(bytes.TrimSpace(after)) == 0 {
		return splice(text, n.Start+1, n.Start+1+len(inner)) // nothing but white space is left
	}
	return cutBefore(text, start, end, n.End-1)
}

// cutBefore takes out text[start:end] with the line it stands on, where nothing
// else does; next is where the next thing begins.
func cutBefore(text []byte, start, end, next int) []byte {
	if _, alone := indent(text, start); alone {
		rest := end + len(text[end:next]) - len(bytes.TrimLeft(text[end:next], " \t"))
		if rest < len(text) && (text[rest] == '\n' || text[rest] == '\r') {
			from := bytes.LastIndexByte(text[:start], '\n') + 1
			to := rest + bytes.IndexByte(text[rest:], '\n') + 1
			return splice(text, from, to)
		}
	}
	for end < next && (text[end] == ' ' || text[end] == '\t') {
		end++
	}
	return splice(text, start, end)
}

// cutLast takes out the last element and the comma before it; a house with
// trailing commas keeps that comma.
func cutLast(text []byte, before, start, end, trailing int) []byte {
	comma := commaAfter(text, before)
	if trailing >= 0 {
		return splice(text, sameLine(text, comma+1), trailing+1)
	}
	from := sameLine(text, comma+1)
	if from > start {
		from = comma + 1
	}
	between := text[from:start]
	if len(bytes.TrimSpace(between)) > 0 { // a comment of its own lines stays
		from = start - len(between) + len(bytes.TrimRight(between, " \t\r\n"))
	}
	text = splice(text, from, end)
	return splice(text, comma, comma+1)
}

func splice(text []byte, from, to int) []byte {
	return append(append([]byte{}, text[:from]...), text[to:]...)
}
