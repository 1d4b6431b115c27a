//go:build !linux && !darwin

package history

import (
	"os"
	"runtime"
)

// trustMode says that this system's files have an executable bit to go by;
// platformConfig is what else git init would write here.
const (
	trustMode      = runtime.GOOS != "windows"
	platformConfig = "\tignorecase = true\n"
)

// statOf returns what git's index remembers of a file, as far as every system
// tells it. What is missing makes git look at the file's bytes once.
func statOf(info os.FileInfo) stat {
	return stat{
		mtime: moment{uint32(info.ModTime().Unix()), uint32(info.ModTime().Nanosecond())},
		size:  uint32(info.Size()),
	}
}
