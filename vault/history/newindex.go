package history

import (
	"errors"
	"os"
	"path/filepath"
)

// writeNewIndex writes what the index will be, durably, beside it.
func (r *Repo) writeNewIndex(x *index, files []staged, held *holding) error {
	if err := r.step(StepWriteIndex); err != nil {
		return err
	}
	rules := r.rules()
	x = x.clone()
	x.suspect(func(i item) bool { return r.clean(i, rules, x) })
	var items []item
	removed := map[string]bool{}
	for _, f := range files {
		if f.mode == 0 {
			removed[f.path] = true
			continue
		}
		i := item{path: f.path, stat: f.stat, mode: f.mode, id: f.id}
		if !f.stat.mtime.before(held.since) {
			i.stat.size = 0 // as young as this commit: let git look again
		}
		items = append(items, i)
	}
	x.put(items, removed)
	f, err := r.scratch("index")
	if err != nil {
		return err
	}
	_, err = f.Write(x.encode())
	if err == nil {
		err = r.step(StepSyncIndex)
	}
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, r.dropIndex())
	}
	return nil
}

// dropIndex removes a new index that will not be needed.
func (r *Repo) dropIndex() error {
	return os.Remove(filepath.Join(r.gitDir, scratchPrefix+"index"))
}

// clean reports whether the file of an index entry has the content that the
// entry says.
func (r *Repo) clean(i item, rules *rules, x *index) bool {
	content, _, err := readStable(r.file(i.path))
	if err != nil {
		return false
	}
	convert := rules.conversion(i.path)
	if convert.filter {
		return false
	}
	return idOf(kindBlob, convert.blob(content, func() []byte { return r.indexed(x, i.path) })) == i.id
}

// placeIndex makes the new index the index.
func (r *Repo) placeIndex() error {
	if err := r.step(StepNameIndex); err != nil {
		return err
	}
	return os.Rename(filepath.Join(r.gitDir, scratchPrefix+"index"), r.indexFile())
}
