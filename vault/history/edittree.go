package history

import (
	"slices"
	"strings"
)

// A replacement is what a commit does to one path: a new file, or none when the
// mode is 0.
type replacement struct {
	path string
	mode mode
	id   ID
}

// edited returns the id of a tree with some paths replaced, and hands every
// folder that is new to write. Folders that become empty go. Nothing is read but
// the folders on the way to the paths. The replacements must be sorted by path
// and free of a path below another.
func (o *objects) edited(root ID, edits []replacement, write func(tree) (ID, error)) (ID, error) {
	old, err := o.tree(root)
	if err != nil {
		return ID{}, err
	}
	changed := make(map[string]entry, len(edits))
	for len(edits) > 0 {
		name, _, below := strings.Cut(edits[0].path, "/")
		if !below {
			changed[name] = entry{name, edits[0].mode, edits[0].id}
			edits = edits[1:]
			continue
		}
		n := 0
		var inside []replacement
		for n < len(edits) && strings.HasPrefix(edits[n].path, name+"/") {
			inside = append(inside, replacement{edits[n].path[len(name)+1:], edits[n].mode, edits[n].id})
			n++
		}
		edits = edits[n:]
		var folder ID
		if e, ok := old.find(name); ok && e.mode == modeFolder {
			folder = e.id
		}
		id, err := o.edited(folder, inside, write)
		if err != nil {
			return ID{}, err
		}
		if !id.IsZero() {
			changed[name] = entry{name, modeFolder, id}
		} else if _, ok := changed[name]; !ok {
			changed[name] = entry{name: name}
		}
	}
	return o.replaced(root, old, changed, write)
}

// replaced writes one folder with some of its names changed. An empty folder has
// no id.
func (o *objects) replaced(id ID, old tree, changed map[string]entry, write func(tree) (ID, error)) (ID, error) {
	now := make(tree, 0, len(old)+len(changed))
	for _, e := range old {
		if _, ok := changed[e.name]; !ok {
			now = append(now, e)
		}
	}
	for _, e := range changed {
		if e.mode != 0 {
			now = append(now, e)
		}
	}
	now.sort()
	if slices.Equal(now, old) {
		return id, nil
	}
	if len(now) == 0 {
		return ID{}, nil
	}
	return write(now)
}
