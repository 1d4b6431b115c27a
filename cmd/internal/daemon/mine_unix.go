//go:build unix

package daemon

import (
	"io/fs"
	"os"
	"syscall"
)

// mine reports whether a file belongs to the user of this process.
func mine(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Getuid()
}
