package history

import "sync"

// A kept is what was last read or found out of objects, at most so many: a walk over
// many commits, and a pass that asks for the history of many files, come to the same
// ones again and again.
type kept[T any] struct {
	most int

	mu sync.Mutex
	by map[ID]T
}

// get is what is kept of an object, or what read says, which is kept then. What it
// returns is shared, and not the caller's to change.
func (k *kept[T]) get(id ID, read func() (T, error)) (T, error) {
	k.mu.Lock()
	v, ok := k.by[id]
	k.mu.Unlock()
	if ok {
		return v, nil
	}
	v, err := read()
	if err != nil {
		return v, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.by == nil || len(k.by) >= k.most {
		k.by = map[ID]T{}
	}
	k.by[id] = v
	return v, nil
}

// rest lets go of all.
func (k *kept[T]) rest() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.by = nil
}
