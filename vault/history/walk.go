package history

import (
	"container/heap"
	"context"
)

// A walker visits commits from the newest to the oldest, as git log does: a commit
// after all that were committed later, as far as their times can be trusted. With
// a path it visits only those that changed what lies there, and at a merge follows
// only a side that brought the whole of it, again as git log does.
type walker struct {
	r    *Repo
	path string // a file or a folder of the tree; "" for all
	ends map[ID]bool
	seen map[ID]bool
	next queue
}

func (r *Repo) walker(from ID, path string) (*walker, error) {
	w := &walker{r: r, path: path, ends: r.objects.shallow(), seen: map[ID]bool{}}
	return w, w.push(from)
}

func (w *walker) push(id ID) error {
	if id.IsZero() || w.seen[id] {
		return nil
	}
	w.seen[id] = true
	c, err := w.r.objects.commit(id)
	if err != nil {
		return err
	}
	if w.ends[id] {
		c.Parents = nil
	}
	heap.Push(&w.next, c)
	return nil
}

// each calls visit until it says false or there are no more commits.
func (w *walker) each(ctx context.Context, visit func(Commit) (bool, error)) error {
	for w.next.Len() > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		c := heap.Pop(&w.next).(Commit)
		follow, changed, err := w.simplify(c)
		if err != nil {
			return err
		}
		for _, parent := range follow {
			if err := w.push(parent); err != nil {
				return err
			}
		}
		if changed {
			if more, err := visit(c); !more || err != nil {
				return err
			}
		}
	}
	return nil
}

// simplify says which parents to follow and whether the commit changed the path.
func (w *walker) simplify(c Commit) (follow []ID, changed bool, err error) {
	if w.path == "" {
		return c.Parents, true, nil
	}
	now, _, err := w.r.objects.lookup(c.tree, w.path)
	if err != nil {
		return nil, false, err
	}
	if len(c.Parents) == 0 {
		return nil, now != entry{}, nil
	}
	for _, id := range c.Parents {
		parent, err := w.r.objects.commit(id)
		if err != nil {
			return nil, false, err
		}
		before, _, err := w.r.objects.lookup(parent.tree, w.path)
		if err != nil {
			return nil, false, err
		}
		if before == now {
			return []ID{id}, false, nil
		}
	}
	return c.Parents, true, nil
}

// A queue gives the commit that was made last.
type queue []Commit

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	return q[i].Committer.When.After(q[j].Committer.When)
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(c any)   { *q = append(*q, c.(Commit)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
