package history

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"github.com/memsync/memsync/vault"
)

// A staged file is one that was read from disk, and whose blob git has.
type staged struct {
	path string
	mode mode // 0 for a deleted file
	id   ID
	stat stat
}

// packAbove is the number of files from which on a commit writes one pack, not
// loose objects: by then the pack's two flushes cost less than the files'.
// packBytes does the same for the size of files.
const (
	packAbove = 64
	packBytes = 16 << 20
)

// heldBytes bounds the file content in memory at any time. A file larger than
// that is read alone.
const heldBytes = 48 << 20

// A stager reads the files of a change.
type stager struct {
	r     *Repo
	index *index
	head  ID // the tree of HEAD
	rules *rules
	pack  *pack // nil for loose objects
	held  *semaphore.Weighted

	mu      sync.Mutex
	folders map[string]Reason // what speaks against files in a folder
	staged  []staged
	left    []LeftOut
	loose   []object
}

// stage reads all files, in parallel. Of a large change it writes the blobs at once,
// durably; of a small one it leaves them in loose, to be written with the commit.
// The files are in staged, and those left out in left, sorted by path.
func (r *Repo) stage(ctx context.Context, files []File, x *index, head ID) (s *stager, err error) {
	s = &stager{
		r: r, index: x, head: head, rules: r.rules(),
		held: semaphore.NewWeighted(heldBytes), folders: map[string]Reason{"": ""},
	}
	if len(files) > packAbove || r.bytesOf(files) > packBytes {
		if s.pack, err = r.newPack(); err != nil {
			return nil, err
		}
	}
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(max(2, runtime.GOMAXPROCS(0)))
	for _, f := range files {
		work.Go(func() error { return s.file(ctx, f) })
	}
	err = work.Wait()
	switch {
	case s.pack != nil && err != nil:
		s.pack.abandon()
	case s.pack != nil:
		err = s.pack.finish()
	}
	slices.SortFunc(s.staged, func(a, b staged) int { return strings.Compare(a.path, b.path) })
	slices.SortFunc(s.left, func(a, b LeftOut) int { return strings.Compare(string(a.Path), string(b.Path)) })
	return s, err
}

func (r *Repo) bytesOf(files []File) (sum int64) {
	for _, f := range files {
		if info, err := os.Lstat(r.file(r.tracked(f.Path))); err == nil {
			sum += info.Size()
		}
	}
	return sum
}

func (s *stager) leave(p vault.Path, why Reason) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left = append(s.left, LeftOut{p, why})
	return nil
}

func (s *stager) keep(f staged) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.staged = append(s.staged, f)
	return nil
}

// file deals with one file.
func (s *stager) file(ctx context.Context, f File) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	path := s.r.tracked(f.Path)
	inHead, tracked, err := s.r.objects.lookup(s.head, path)
	if err != nil {
		return err
	}
	if inHead.mode == modeSubmodule {
		return s.leave(f.Path, InSubmodule)
	}
	if why := s.folder(parent(path)); why != "" {
		return s.leave(f.Path, why)
	}
	info, err := os.Lstat(s.r.file(path))
	gone := isAbsent(err) || (err == nil && info.IsDir() && f.Hash == vault.NoFile)
	switch {
	case gone && f.Hash != vault.NoFile && f.Hash != OnDisk:
		return s.leave(f.Path, Gone)
	case gone && !tracked && !s.index.has(path):
		return nil // never was in git, and is not on disk
	case gone:
		return s.keep(staged{path: path})
	case err != nil:
		return err
	case f.Hash == vault.NoFile:
		return s.leave(f.Path, Reappeared)
	case !info.Mode().IsRegular():
		return s.leave(f.Path, NotRegular)
	case !tracked && !s.index.has(path) && s.rules.ignored(path):
		return s.leave(f.Path, Ignored)
	}
	convert := s.rules.conversion(path)
	if convert.filter {
		return s.leave(f.Path, NeedsFilter)
	}
	weight := min(info.Size(), heldBytes)
	if err := s.held.Acquire(ctx, weight); err != nil {
		return err
	}
	defer s.held.Release(weight)
	return s.content(f, path, inHead, convert)
}

// content reads a file, checks that it is what its writer left there, and writes
// its blob.
func (s *stager) content(f File, path string, inHead entry, convert conversion) error {
	content, info, err := readStable(s.r.file(path))
	switch {
	case errors.Is(err, errUnstable):
		return s.leave(f.Path, Changed)
	case isAbsent(err):
		return s.leave(f.Path, Gone)
	case err != nil:
		return err
	case f.Hash != OnDisk && vault.HashOf(content) != f.Hash:
		return s.leave(f.Path, Changed)
	}
	blob := convert.blob(content, func() []byte { return s.r.indexed(s.index, path) })
	now := staged{path: path, id: idOf(kindBlob, blob), mode: s.r.modeOf(info, inHead.mode), stat: statOf(info)}
	if now.id != inHead.id {
		if err := s.write(object{kindBlob, now.id, blob}); err != nil {
			return err
		}
	}
	return s.keep(now)
}

func (s *stager) write(o object) error {
	if s.pack == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.loose = append(s.loose, o)
		return nil
	}
	if s.r.objects.known(o.id) {
		return nil
	}
	return s.pack.add(o)
}

// folder returns what speaks against committing a file in a folder, "" for
// nothing: a symbolic link on the way, or a repository of its own.
func (s *stager) folder(path string) Reason {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.folderLocked(path)
}

func (s *stager) folderLocked(path string) Reason {
	why, known := s.folders[path]
	if known {
		return why
	}
	if why = s.folderLocked(parent(path)); why == "" {
		dir := s.r.file(path)
		info, err := os.Lstat(dir)
		switch {
		case err != nil: // gone, as are its files
		case info.Mode()&os.ModeSymlink != 0:
			why = NotRegular
		case info.IsDir():
			if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
				why = InSubmodule
			}
		}
	}
	s.folders[path] = why
	return why
}

// modeOf is a file's mode in git: by the executable bit, where that is trusted,
// else as git has it.
func (r *Repo) modeOf(info fs.FileInfo, before mode) mode {
	if r.git().on("core.filemode", trustMode) {
		if info.Mode()&0o100 != 0 {
			return modeProgram
		}
		return modeFile
	}
	if before.regular() {
		return before
	}
	return modeFile
}

// indexed returns the blob that the index has for a path, nil when it has none.
func (r *Repo) indexed(x *index, path string) []byte {
	at, ok := x.find(path)
	if !ok || !x.items[at].mode.regular() {
		return nil
	}
	content, err := r.objects.read(kindBlob, x.items[at].id)
	if err != nil {
		return nil
	}
	return content
}

var errUnstable = errors.New("the file changed while it was read")

// readStable reads a file that nobody writes to meanwhile.
func readStable(name string) ([]byte, fs.FileInfo, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	before, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, nil, errUnstable
	}
	content := make([]byte, before.Size())
	if _, err := io.ReadFull(f, content); errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return nil, nil, errUnstable
	} else if err != nil {
		return nil, nil, err
	}
	after, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if statOf(before) != statOf(after) || before.Size() != after.Size() {
		return nil, nil, errUnstable
	}
	return content, after, nil
}
