package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/memsync/memsync/index/store"
)

// trouble says what an error of SQLite's means for the file at path: that it
// cannot be trusted, or that the disk it lies on cannot be written, with the
// system's own word for it, which SQLite keeps to itself.
func trouble(path string, err error) error {
	if err == nil || errors.Is(err, store.ErrDamaged) {
		return err
	}
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code() & 0xff {
	case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB, lib.SQLITE_FORMAT, lib.SQLITE_MISMATCH:
		return fmt.Errorf("%w: %w", store.ErrDamaged, err)
	case lib.SQLITE_ERROR:
		if strings.Contains(e.Error(), "no such table") { // somebody emptied it
			return fmt.Errorf("%w: %w", store.ErrDamaged, err)
		}
	case lib.SQLITE_FULL:
		return &fs.PathError{Op: "write", Path: path, Err: syscall.ENOSPC}
	case lib.SQLITE_IOERR, lib.SQLITE_CANTOPEN, lib.SQLITE_READONLY:
		if _, gone := os.Stat(path); errors.Is(gone, fs.ErrNotExist) {
			return fmt.Errorf("%w: its file is gone", store.ErrDamaged)
		}
		if why := writable(path); why != nil {
			return &fs.PathError{Op: "write", Path: path, Err: why}
		}
	}
	return err
}

// probeBytes is what writable writes: more than SQLite asks for at once, 32 KiB
// for the map of the journal.
const probeBytes = 64 << 10

// writable says why nothing can be written beside the file at path: a full disk, a
// read-only one, a quota, a folder of somebody else's. It is nil where that works.
func writable(path string) error {
	name := path + ".probe"
	f, err := os.OpenFile(name, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.Write(make([]byte, probeBytes))
		err = errors.Join(err, f.Close(), os.Remove(name))
	}
	var why syscall.Errno
	if errors.As(err, &why) {
		return why
	}
	return nil
}
