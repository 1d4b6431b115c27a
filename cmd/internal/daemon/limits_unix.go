//go:build unix

package daemon

import "syscall"

// openFiles is how many files this process may have open; 0 where nothing is known.
func openFiles() uint64 {
	var l syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l) != nil {
		return 0
	}
	return uint64(l.Cur)
}
