package history

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// objects reads git objects, loose or packed, through go-git.
//
// The repository changes under it: git packs loose objects and drops old packs
// at any time. So whenever something cannot be read, the list of packs is read
// anew and the object looked up once more, before that is an error.
type objects struct {
	gitDir, common string

	mu    sync.Mutex
	store *filesystem.Storage
	packs string // the names in objects/pack, when last looked

	trees   kept[tree]
	commits kept[Commit]  // those of an import name hundreds of sources
	gone    kept[[]delta] // the files that a commit took away
}

// cachedBytes bounds go-git's cache, which serves chains of deltas;
// the others bound ours.
const (
	cachedBytes   = 8 * cache.MiByte
	cachedTrees   = 512
	cachedCommits = 256
	cachedGone    = 64
)

func newObjects(gitDir, common string) *objects {
	o := &objects{gitDir: gitDir, common: common, trees: kept[tree]{most: cachedTrees}, commits: kept[Commit]{most: cachedCommits}, gone: kept[[]delta]{most: cachedGone}}
	o.reopen()
	return o
}

func (o *objects) reopen() {
	files := osfs.New(o.gitDir)
	if o.common != o.gitDir {
		o.store = filesystem.NewStorageWithOptions(
			dotgit.NewRepositoryFilesystem(files, osfs.New(o.common)), cache.NewObjectLRU(cachedBytes), storeOptions)
		return
	}
	o.store = filesystem.NewStorageWithOptions(files, cache.NewObjectLRU(cachedBytes), storeOptions)
}

// storeOptions let alternates (a clone that borrows another's objects) lie anywhere.
var storeOptions = filesystem.Options{AlternatesFS: osfs.New("/")}

// twice runs a lookup, and once more on the repository as it is now.
func (o *objects) twice(look func() error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	err := look()
	if err == nil {
		return nil
	}
	o.reopen()
	return look()
}

// read returns the content of an object of the given kind.
func (o *objects) read(k kind, id ID) ([]byte, error) {
	var content []byte
	err := o.twice(func() error {
		object, err := o.store.EncodedObject(plumbing.AnyObject, plumbing.Hash(id))
		if err != nil {
			return err
		}
		if object.Type().String() != string(k) {
			return fmt.Errorf("it is a %s, not a %s", object.Type(), k)
		}
		in, err := object.Reader()
		if err != nil {
			return err
		}
		content, err = io.ReadAll(in)
		return errors.Join(err, in.Close())
	})
	if err != nil {
		return nil, fmt.Errorf("git %s %s: %w", k, id, err)
	}
	return content, nil
}

// kindOf returns what kind of object id names.
func (o *objects) kindOf(id ID) (kind, error) {
	var k kind
	err := o.twice(func() error {
		object, err := o.store.EncodedObject(plumbing.AnyObject, plumbing.Hash(id))
		if err == nil {
			k = kind(object.Type().String())
		}
		return err
	})
	if err != nil {
		return "", fmt.Errorf("git object %s: %w", id, err)
	}
	return k, nil
}

// size returns the length of an object's content.
func (o *objects) size(id ID) (int64, error) {
	var size int64
	err := o.twice(func() (err error) {
		size, err = o.store.EncodedObjectSize(plumbing.Hash(id))
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("git object %s: %w", id, err)
	}
	return size, nil
}

// known reports whether an object lies in a pack that is there now. An object
// that is only loose does not count: it is written again, see writeLoose.
func (o *objects) known(id ID) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, err := os.Stat(loosePath(o.common, id)); err == nil {
		return false
	}
	return o.store.HasEncodedObject(plumbing.Hash(id)) == nil
}

// fresh forgets the list of packs when git has changed it, so that known does not
// speak of a pack that is gone.
func (o *objects) fresh() error {
	packs, err := os.ReadDir(filepath.Join(o.common, "objects", "pack"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var names strings.Builder
	for _, pack := range packs {
		fmt.Fprintln(&names, pack.Name())
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if names.String() != o.packs {
		o.packs = names.String()
		o.reopen()
	}
	return nil
}

// withPrefix lists the objects whose id begins with the given bytes.
func (o *objects) withPrefix(prefix []byte) ([]ID, error) {
	var ids []ID
	err := o.twice(func() error {
		found, err := o.store.HashesWithPrefix(prefix)
		ids = ids[:0]
		for _, h := range found {
			ids = append(ids, ID(h))
		}
		return err
	})
	return ids, err
}

// shallow returns the commits at which a shallow clone ends: their parents are
// named but not there.
func (o *objects) shallow() map[ID]bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	found, err := o.store.Shallow()
	if err != nil || len(found) == 0 {
		return nil
	}
	ends := make(map[ID]bool, len(found))
	for _, h := range found {
		ends[ID(h)] = true
	}
	return ends
}

// tree returns a folder as git stores it. The result must not be changed.
func (o *objects) tree(id ID) (tree, error) {
	if id.IsZero() {
		return nil, nil
	}
	return o.trees.get(id, func() (tree, error) {
		content, err := o.read(kindTree, id)
		if err != nil {
			return nil, err
		}
		t, err := parseTree(content)
		if err != nil {
			return nil, fmt.Errorf("git tree %s: %w", id, err)
		}
		return t, nil
	})
}
