//go:build !linux

package vault

import (
	"errors"
	"os"
	"path/filepath"
)

// A folder is an open one whose files are looked at.
type folder struct{ *os.File }

// openFolder opens a folder and reads what is in it, appending to children.
func openFolder(name string, _ []byte, children []child) (folder, []child, error) {
	f, err := os.Open(name)
	if err != nil {
		return folder{}, nil, err
	}
	entries, err := f.ReadDir(-1)
	if err != nil {
		return folder{}, nil, errors.Join(err, f.Close())
	}
	for _, e := range entries {
		children = append(children, child{e.Name(), e.Type()})
	}
	return folder{f}, children, nil
}

// entry is a file of the folder, false where it is no regular file any more.
func (f folder) entry(p Path, name string) (Entry, bool) {
	info, err := os.Lstat(filepath.Join(f.Name(), name))
	if err != nil || !info.Mode().IsRegular() {
		return Entry{}, false
	}
	return Entry{p, info.Size(), info.ModTime(), info.Mode()}, true
}
