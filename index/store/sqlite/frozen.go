package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
)

// OpenFrozen opens the index in the file at path as it lies there, for a disk on
// which not even a lock can be written. Nobody may write the file meanwhile. What
// its journal holds would be missing: where there is one the store is not opened.
func OpenFrozen(ctx context.Context, path string) (*Store, error) {
	if info, err := os.Stat(path + "-wal"); err == nil && info.Size() > 0 {
		return nil, fmt.Errorf("%s holds what the index does not", path+"-wal")
	}
	q := url.Values{"mode": {"ro"}, "immutable": {"1"}, "_pragma": {"query_only(1)", "temp_store(memory)"}}
	u := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path), RawQuery: q.Encode()}
	db, err := sql.Open("sqlite", u.String())
	if err != nil {
		return nil, err
	}
	s := &Store{path: path, write: db, read: db}
	if err := s.prepare(ctx); err != nil {
		return nil, errors.Join(trouble(path, err), s.Close())
	}
	return s, nil
}
