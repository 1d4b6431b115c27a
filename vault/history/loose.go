package history

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/klauspost/compress/zlib"
)

// Objects of a small commit are written loose, each a file of its own, many at a
// time: a disk flushes several files for little more than the price of one.

// looseWriters is how many loose objects are written at once. More than this
// gained nothing in measurements on an SSD.
const looseWriters = 8

// tempPrefix begins the names of unfinished objects. git's own begin with "tmp_",
// and `git gc` sweeps whatever does.
const tempPrefix = "tmp_memsync_"

// An object is one to be written.
type object struct {
	kind    kind
	id      ID
	content []byte
}

func loosePath(common string, id ID) string {
	name := id.String()
	return filepath.Join(common, "objects", name[:2], name[2:])
}

// writeLoose writes objects durably. An object that is loose already is written
// again, which renews its age, so that a `git gc` beside us does not drop it as
// old and unreachable before the commit reaches it.
func (r *Repo) writeLoose(all []object) error {
	var wait sync.WaitGroup
	errs := make([]error, len(all))
	turn := make(chan struct{}, looseWriters)
	folders := map[string]bool{}
	for _, o := range all {
		dir := filepath.Dir(loosePath(r.common, o.id))
		if folders[dir] {
			continue
		}
		if err := os.Mkdir(dir, 0o777); err != nil && !errors.Is(err, os.ErrExist) {
			return err
		} else if err == nil {
			folders[filepath.Dir(dir)] = true
		}
		folders[dir] = true
	}
	for i, o := range all {
		turn <- struct{}{}
		wait.Go(func() {
			errs[i] = r.writeOne(o)
			<-turn
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err // the others failed of the same, as a rule
		}
	}
	return r.syncFolders(folders)
}

func (r *Repo) writeOne(o object) (err error) {
	if err := r.step(StepWriteObject); err != nil {
		return err
	}
	name := loosePath(r.common, o.id)
	f, err := os.CreateTemp(filepath.Join(r.common, "objects"), tempPrefix+"obj_*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	var packed bytes.Buffer
	z := deflaters.Get().(*zlib.Writer)
	defer deflaters.Put(z)
	z.Reset(&packed)
	z.Write(header(o.kind, len(o.content)))
	z.Write(o.content)
	if err := z.Close(); err != nil {
		f.Close()
		return err
	}
	if _, err := f.Write(packed.Bytes()); err != nil {
		f.Close()
		return err
	}
	if err := r.syncClose(f, StepSyncObject); err != nil {
		return err
	}
	if err := r.step(StepNameObject); err != nil {
		return err
	}
	return nameObject(f.Name(), name)
}

// nameObject renames a finished object. git repack removes the folders that it
// emptied, so the folder may have to be made again.
func nameObject(temp, name string) error {
	for tries := 0; ; tries++ {
		err := os.Rename(temp, name)
		if !errors.Is(err, fs.ErrNotExist) || tries == maxMoves {
			return err
		}
		if err := os.Mkdir(filepath.Dir(name), 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
}

// deflaters are compressors at the fastest level: notes are small, and git
// compresses them better when it packs them.
var deflaters = sync.Pool{New: func() any {
	z, err := zlib.NewWriterLevel(nil, zlib.BestSpeed)
	if err != nil {
		panic(err) // the level is a constant
	}
	return z
}}

// syncClose makes a finished object durable, and read-only as git's are.
func (r *Repo) syncClose(f *os.File, s Step) error {
	if err := r.step(s); err != nil {
		f.Close()
		return err
	}
	return errors.Join(f.Chmod(0o444), f.Sync(), f.Close())
}

// syncFolders makes the names in folders durable.
func (r *Repo) syncFolders(folders map[string]bool) error {
	var wait sync.WaitGroup
	var mu sync.Mutex
	var errs []error
	turn := make(chan struct{}, looseWriters)
	for dir := range folders {
		turn <- struct{}{}
		wait.Go(func() {
			err := r.step(StepSyncFolder)
			if err == nil {
				err = syncFolder(dir)
			}
			if errors.Is(err, fs.ErrNotExist) {
				err = nil // git packed what was in it meanwhile
			}
			<-turn
			mu.Lock()
			errs = append(errs, err)
			mu.Unlock()
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}
