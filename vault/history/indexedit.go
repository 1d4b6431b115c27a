package history

import (
	"bytes"
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// find returns where a path's first entry is, or would be.
func (x *index) find(path string) (at int, ok bool) {
	at = sort.Search(len(x.items), func(i int) bool { return x.items[i].path >= path })
	return at, at < len(x.items) && x.items[at].path == path
}

// has reports whether git tracks the path.
func (x *index) has(path string) bool {
	_, ok := x.find(path)
	return ok
}

// hasBelow reports whether git tracks anything in a folder.
func (x *index) hasBelow(folder string) bool {
	at, _ := x.find(folder + "/")
	return at < len(x.items) && strings.HasPrefix(x.items[at].path, folder+"/")
}

// unmerged returns a path that a merge left in more than one version, "" when
// there is none.
func (x *index) unmerged() string {
	for _, i := range x.items {
		if i.stage() != 0 {
			return i.path
		}
	}
	return ""
}

// put merges new entries into the index and takes the removed paths out, and
// drops what is thereby no longer true: the cached trees on the way to them, and
// the extensions that number entries or list untracked files. git makes those anew.
func (x *index) put(items []item, removed map[string]bool) {
	touched := make([]string, 0, len(items)+len(removed))
	replaced := make(map[string]bool, len(items)+len(removed))
	for path := range removed {
		replaced[path] = true
		touched = append(touched, path)
	}
	for _, i := range items {
		replaced[i.path] = true
		touched = append(touched, i.path)
	}
	merged := make([]item, 0, len(x.items)+len(items))
	rest := items
	for _, i := range x.items {
		for len(rest) > 0 && rest[0].path < i.path {
			merged, rest = append(merged, rest[0]), rest[1:]
		}
		if !replaced[i.path] {
			merged = append(merged, i)
		}
	}
	x.items = append(merged, rest...)
	kept := x.extensions[:0:0]
	for _, e := range x.extensions {
		switch e.name {
		case "TREE":
			if data, err := invalidate(e.data, touched); err == nil {
				kept = append(kept, extension{"TREE", data})
			}
		case "REUC":
			kept = append(kept, e)
		}
	}
	x.extensions = kept
}

// suspect makes git look again at entries that it would otherwise trust wrongly.
//
// git trusts an entry whose file has the time and size it remembers, unless that
// time is not older than the index itself: the file may have changed again within
// the same tick of the clock. Writing the index makes it younger, so an entry
// doubtful until now would become trusted. As git does when it writes an index,
// such an entry's size is set to 0, unless clean says that the file is unchanged.
func (x *index) suspect(clean func(item) bool) {
	for n := range x.items {
		i := &x.items[n]
		if !i.mode.regular() || i.stat.size == 0 || i.stat.mtime.before(x.written) || clean(*i) {
			continue
		}
		i.stat.size = 0
		i.raw = nil
	}
}

// invalidate marks the cached trees on the way to the paths as unknown. The TREE
// extension lists folders, each before those below it: its name, the number of
// entries (-1 when unknown) and of folders below, and its id when it is known.
func invalidate(data []byte, paths []string) ([]byte, error) {
	stale := map[string]bool{"": true}
	for _, path := range paths {
		for at := strings.LastIndexByte(path, '/'); at >= 0; at = strings.LastIndexByte(path[:at], '/') {
			if stale[path[:at]] {
				break
			}
			stale[path[:at]] = true
		}
	}
	var out bytes.Buffer
	rest, err := invalidateAt(data, "", stale, &out, 0)
	if err == nil && len(rest) > 0 {
		err = badIndex("its cached trees are malformed")
	}
	return out.Bytes(), err
}

// deepestFolder bounds the recursion on an index from outside.
const deepestFolder = 1000

func invalidateAt(data []byte, above string, stale map[string]bool, out *bytes.Buffer, depth int) ([]byte, error) {
	malformed := badIndex("its cached trees are malformed")
	name, data, ok := bytes.Cut(data, []byte{0})
	line, data, ok2 := bytes.Cut(data, []byte{'\n'})
	entries, folders, ok3 := strings.Cut(string(line), " ")
	count, err := strconv.Atoi(entries)
	below, err2 := strconv.Atoi(folders)
	if !ok || !ok2 || !ok3 || err != nil || err2 != nil || depth > deepestFolder {
		return nil, malformed
	}
	path := above + string(name)
	var id []byte
	if count >= 0 {
		if len(data) < sumLength {
			return nil, malformed
		}
		id, data = data[:sumLength], data[sumLength:]
	}
	if stale[path] {
		count, id = -1, nil
	}
	fmt.Fprintf(out, "%s\x00%d %d\n%s", name, count, below, id)
	if depth > 0 {
		path += "/"
	}
	for range below {
		if data, err = invalidateAt(data, path, stale, out, depth+1); err != nil {
			return nil, err
		}
	}
	return data, nil
}
