//go:build !linux

package vault

import (
	"io/fs"
	"os"
)

// A folder is an open one whose files are looked at.
type folder struct{ *os.File }

// entry is a file of the folder, false where it is no regular file any more.
func (folder) entry(p Path, e fs.DirEntry) (Entry, bool) {
	info, err := e.Info()
	if err != nil || !info.Mode().IsRegular() {
		return Entry{}, false
	}
	return Entry{p, info.Size(), info.ModTime(), info.Mode()}, true
}
