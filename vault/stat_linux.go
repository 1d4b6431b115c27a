package vault

import (
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// A folder is an open one whose files are looked at by name. To name each by its whole
// path would have the kernel go through every folder above it again: on a vault of
// 10,000 notes that is more than half of what a look costs.
type folder struct{ *os.File }

// entry is a file of the folder, false where it is no regular file any more.
func (f folder) entry(p Path, e fs.DirEntry) (Entry, bool) {
	var st unix.Stat_t
	for {
		err := unix.Fstatat(int(f.Fd()), e.Name(), &st, unix.AT_SYMLINK_NOFOLLOW)
		if err == unix.EINTR {
			continue
		}
		if err != nil || st.Mode&unix.S_IFMT != unix.S_IFREG {
			return Entry{}, false
		}
		break
	}
	mode := fs.FileMode(st.Mode & 0o777)
	for _, special := range specials {
		if st.Mode&special.bit != 0 {
			mode |= special.mode
		}
	}
	return Entry{p, st.Size, time.Unix(st.Mtim.Unix()), mode}, true
}

var specials = []struct {
	bit  uint32
	mode fs.FileMode
}{{unix.S_ISUID, fs.ModeSetuid}, {unix.S_ISGID, fs.ModeSetgid}, {unix.S_ISVTX, fs.ModeSticky}}
