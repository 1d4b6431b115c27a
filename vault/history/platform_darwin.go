package history

import (
	"os"
	"syscall"
)

// trustMode says that this system's files have an executable bit to go by;
// platformConfig is what else git init would write here.
const (
	trustMode      = true
	platformConfig = "\tignorecase = true\n\tprecomposeunicode = true\n"
)

// statOf returns what git's index remembers of a file.
func statOf(info os.FileInfo) stat {
	s := stat{
		mtime: moment{uint32(info.ModTime().Unix()), uint32(info.ModTime().Nanosecond())},
		size:  uint32(info.Size()),
	}
	if sys, ok := info.Sys().(*syscall.Stat_t); ok {
		s.ctime = moment{uint32(sys.Ctimespec.Sec), uint32(sys.Ctimespec.Nsec)}
		s.dev, s.ino, s.uid, s.gid = uint32(sys.Dev), uint32(sys.Ino), sys.Uid, sys.Gid
	}
	return s
}
