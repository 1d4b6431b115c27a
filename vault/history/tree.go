package history

import (
	"bytes"
	"errors"
	"iter"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// A mode is git's idea of what a path is.
type mode uint32

const (
	modeFolder    mode = 0o40000
	modeFile      mode = 0o100644
	modeProgram   mode = 0o100755
	modeSymlink   mode = 0o120000
	modeSubmodule mode = 0o160000
)

// regular reports whether the mode is that of a file with bytes in it.
func (m mode) regular() bool { return m&0o170000 == 0o100000 }

// An entry is one name in a folder.
type entry struct {
	name string
	mode mode
	id   ID
}

// A tree is a folder as git stores it, in git's order: by bytes, as if the name
// of a folder ended in a slash.
type tree []entry

func (e entry) key() string {
	if e.mode == modeFolder {
		return e.name + "/"
	}
	return e.name
}

var errBadTree = errors.New("it is malformed")

func parseTree(content []byte) (tree, error) {
	t := make(tree, 0, len(content)/40)
	for len(content) > 0 {
		head, rest, ok := bytes.Cut(content, []byte{0})
		if !ok || len(rest) < len(ID{}) {
			return nil, errBadTree
		}
		digits, name, ok := strings.Cut(string(head), " ")
		if !ok || name == "" {
			return nil, errBadTree
		}
		m, err := strconv.ParseUint(digits, 8, 32)
		if err != nil {
			return nil, errBadTree
		}
		e := entry{name: name, mode: mode(m)}
		copy(e.id[:], rest)
		t = append(t, e)
		content = rest[len(e.id):]
	}
	return t, nil
}

func (t tree) encode() []byte {
	var out []byte
	for _, e := range t {
		out = strconv.AppendUint(out, uint64(e.mode), 8)
		out = append(out, ' ')
		out = append(out, e.name...)
		out = append(out, 0)
		out = append(out, e.id[:]...)
	}
	return out
}

// find returns the entry of a name.
func (t tree) find(name string) (entry, bool) {
	for _, key := range []string{name, name + "/"} {
		i := sort.Search(len(t), func(i int) bool { return t[i].key() >= key })
		if i < len(t) && t[i].key() == key {
			return t[i], true
		}
	}
	return entry{}, false
}

func (t tree) sort() {
	slices.SortFunc(t, func(a, b entry) int { return strings.Compare(a.key(), b.key()) })
}

// lookup finds a path below a tree.
func (o *objects) lookup(root ID, path string) (entry, bool, error) {
	e := entry{mode: modeFolder, id: root}
	for part := range strings.SplitSeq(path, "/") {
		if e.mode != modeFolder {
			return entry{}, false, nil
		}
		t, err := o.tree(e.id)
		if err != nil {
			return entry{}, false, err
		}
		var ok bool
		if e, ok = t.find(part); !ok {
			return entry{}, false, nil
		}
	}
	return e, true, nil
}

// A leaf is a file with its whole path.
type leaf struct {
	path string
	mode mode
	id   ID
}

// leaves yields what lies below a tree, in the order of git's index, leaving out
// nothing but folders. Only the folders on the way to below, or under it, are
// read; "" is everything.
func (o *objects) leaves(root ID, below string) iter.Seq2[leaf, error] {
	return func(yield func(leaf, error) bool) {
		o.walk(root, "", below, yield)
	}
}

func (o *objects) walk(id ID, prefix, below string, yield func(leaf, error) bool) bool {
	t, err := o.tree(id)
	if err != nil {
		return yield(leaf{}, err)
	}
	for _, e := range t {
		path := prefix + e.name
		if e.mode == modeFolder {
			path += "/"
			if !strings.HasPrefix(path, below) && !strings.HasPrefix(below, path) {
				continue
			}
			if !o.walk(e.id, path, below, yield) {
				return false
			}
			continue
		}
		if strings.HasPrefix(path, below) && !yield(leaf{path, e.mode, e.id}, nil) {
			return false
		}
	}
	return true
}

// A delta is a path that two trees have differently; a zero id is a path that
// the one side does not have.
type delta struct {
	path   string
	before entry
	after  entry
}

// compare lists the paths below a prefix that differ between two trees, sorted.
func (o *objects) compare(before, after ID, below string) ([]delta, error) {
	var found []delta
	if err := o.compareAt(before, after, "", below, &found); err != nil {
		return nil, err
	}
	slices.SortFunc(found, func(a, b delta) int { return strings.Compare(a.path, b.path) })
	return found, nil
}

func (o *objects) compareAt(before, after ID, prefix, below string, found *[]delta) error {
	if before == after {
		return nil
	}
	a, err := o.tree(before)
	if err != nil {
		return err
	}
	b, err := o.tree(after)
	if err != nil {
		return err
	}
	for len(a) > 0 || len(b) > 0 {
		var x, y entry
		switch {
		case len(b) == 0 || (len(a) > 0 && a[0].key() < b[0].key()):
			x, a = a[0], a[1:]
		case len(a) == 0 || b[0].key() < a[0].key():
			y, b = b[0], b[1:]
		default:
			x, y, a, b = a[0], b[0], a[1:], b[1:]
		}
		if x == y {
			continue
		}
		path := prefix + x.name
		if x.name == "" {
			path = prefix + y.name
		}
		if x.mode == modeFolder || y.mode == modeFolder {
			path += "/"
			if !strings.HasPrefix(path, below) && !strings.HasPrefix(below, path) {
				continue
			}
			if err := o.compareAt(x.id, y.id, path, below, found); err != nil {
				return err
			}
			continue
		}
		if strings.HasPrefix(path, below) {
			*found = append(*found, delta{path, x, y})
		}
	}
	return nil
}
