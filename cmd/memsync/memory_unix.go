//go:build unix

package main

import (
	"runtime"
	"syscall"
)

// peakMemory is the most memory that this process ever held, in megabytes; 0
// where nobody knows.
func peakMemory() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return float64(u.Maxrss) / 1e6 // bytes there, kilobytes elsewhere
	}
	return float64(u.Maxrss) / 1e3
}
