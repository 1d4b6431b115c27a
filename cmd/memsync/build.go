package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sync"
)

// buildID tells builds of the program apart: a daemon does not run the commands
// of another. A release is known by its version and revision. Two builds of a tree
// with changes of its own share these, so they are known by what the linker wrote
// into them, too.
var buildID = sync.OnceValue(func() string {
	v := thisVersion()
	id := v.Version + " " + v.Revision
	if v.Revision != "" && !v.Modified {
		return id
	}
	self, err := os.Executable()
	if err != nil {
		return id + " modified"
	}
	return id + " modified " + linkerID(self)
})

// linkerID is the id that Go's linker writes into an executable, which follows
// from all its content; or its size and time, where it was built without one.
func linkerID(name string) string {
	f, err := os.Open(name)
	if err != nil {
		return "unknown"
	}
	defer f.Close()
	// The id stands near the beginning: in an ELF note, else in front of the code.
	head := make([]byte, 64<<10)
	n, _ := io.ReadFull(f, head)
	head = head[:n]
	if _, rest, ok := bytes.Cut(head, []byte("\xff Go build ID: \"")); ok {
		if id, _, ok := bytes.Cut(rest, []byte("\"")); ok {
			return string(id)
		}
	}
	if at := bytes.Index(head, []byte("\x04\x00\x00\x00Go\x00\x00")); at >= 4 {
		size, desc := int(head[at-4]), at+8 // below 256 bytes, little endian
		if size > 0 && desc+size <= len(head) {
			return string(head[desc : desc+size])
		}
	}
	info, err := f.Stat()
	if err != nil {
		return "unknown"
	}
	return fmt.Sprint(info.Size(), " ", info.ModTime().UnixNano())
}
