package vault

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"time"

	"golang.org/x/sys/unix"
)

// A folder is an open one whose files are looked at by name. To name each by its whole
// path would have the kernel go through every folder above it again: on a vault of
// 10,000 notes that is more than half of what a look costs.
type folder struct{ fd int }

// openFolder opens a folder and reads what is in it, in no order, appending to
// children. buf is used for reading.
func openFolder(name string, buf []byte, children []child) (folder, []child, error) {
	fd, err := again(func() (int, error) {
		return unix.Open(name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return folder{}, nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	f := folder{fd}
	for {
		n, err := again(func() (int, error) { return unix.ReadDirent(fd, buf) })
		if err != nil {
			_ = f.Close()
			return folder{}, nil, &fs.PathError{Op: "readdirent", Path: name, Err: err}
		}
		if n == 0 {
			return f, children, nil
		}
		children = f.parse(buf[:n], children)
	}
}

// again repeats what a signal interrupted.
func again[T any](do func() (T, error)) (T, error) {
	for {
		if v, err := do(); err != unix.EINTR {
			return v, err
		}
	}
}

// Where the fields of a linux_dirent64 begin, and the type bits that its d_type is.
const (
	direntLength, direntType, direntName = 16, 18, 19
	typeShift                            = 12
)

// parse reads what getdents64 wrote (see getdents(2)).
func (f folder) parse(raw []byte, children []child) []child {
	for len(raw) >= direntName {
		length := int(binary.NativeEndian.Uint16(raw[direntLength:]))
		if length < direntName || length > len(raw) {
			break
		}
		name, _, _ := bytes.Cut(raw[direntName:length], []byte{0})
		kind := uint32(raw[direntType]) << typeShift
		raw = raw[length:]
		if s := string(name); s != "." && s != ".." {
			children = append(children, child{s, f.kind(s, kind)})
		}
	}
	return children
}

// kind is what a name stands for; some file systems leave it open.
func (f folder) kind(name string, mode uint32) fs.FileMode {
	if mode == unix.DT_UNKNOWN {
		st, err := f.stat(name)
		if err != nil {
			return fs.ModeIrregular // it went away, or says nothing
		}
		mode = st.Mode
	}
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
		return 0
	case unix.S_IFDIR:
		return fs.ModeDir
	case unix.S_IFLNK:
		return fs.ModeSymlink
	}
	return fs.ModeIrregular
}

func (f folder) stat(name string) (unix.Stat_t, error) {
	var st unix.Stat_t
	_, err := again(func() (int, error) { return 0, unix.Fstatat(f.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW) })
	return st, err
}

// entry is a file of the folder, false where it is no regular file any more.
func (f folder) entry(p Path, name string) (Entry, bool) {
	st, err := f.stat(name)
	if err != nil || st.Mode&unix.S_IFMT != unix.S_IFREG {
		return Entry{}, false
	}
	mode := fs.FileMode(st.Mode & 0o777)
	for _, special := range specials {
		if st.Mode&special.bit != 0 {
			mode |= special.mode
		}
	}
	return Entry{p, st.Size, time.Unix(st.Mtim.Unix()), mode}, true
}

// Close closes the folder.
func (f folder) Close() error { return unix.Close(f.fd) }

var specials = []struct {
	bit  uint32
	mode fs.FileMode
}{{unix.S_ISUID, fs.ModeSetuid}, {unix.S_ISGID, fs.ModeSetgid}, {unix.S_ISVTX, fs.ModeSticky}}
