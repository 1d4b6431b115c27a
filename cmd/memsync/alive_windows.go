package main

import "os"

// alive reports whether a process runs. On Windows only one that does can be
// found.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = p.Release()
	return true
}
