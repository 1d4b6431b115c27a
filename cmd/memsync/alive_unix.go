//go:build unix

package main

import (
	"errors"
	"os"
	"syscall"
)

// alive reports whether a process runs, also one of another user.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, syscall.EPERM)
}
