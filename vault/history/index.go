package history

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// git's index lists the files that the next commit of the person will have, with
// what the file system said of each when git last looked. A commit of ours must
// change the entries of its files, or git status would show them as undone; all
// else in it belongs to the person and is carried over as it is, bytes and all.

// A moment is a time as the index has it.
type moment struct{ sec, nsec uint32 }

func (m moment) before(n moment) bool {
	return m.sec < n.sec || (m.sec == n.sec && m.nsec < n.nsec)
}

// A stat is what the index remembers of a file, in the widths it has there.
type stat struct {
	ctime, mtime       moment
	dev, ino, uid, gid uint32
	size               uint32
}

// An item is one entry of the index.
type item struct {
	path  string
	stat  stat
	mode  mode
	id    ID
	flags uint16
	extra uint16 // the further flags, in an item that has flagExtended
	raw   []byte // the item as it was read, "" once it is changed
}

const (
	flagAssumeValid = 0x8000
	flagExtended    = 0x4000
	flagStage       = 0x3000
	flagName        = 0x0fff

	extraSkipWorktree = 0x4000
	extraIntentToAdd  = 0x2000
)

func (i item) stage() int { return int(i.flags&flagStage) >> 12 }

// less is git's order: by path, then by stage.
func (i item) less(j item) bool {
	if i.path != j.path {
		return i.path < j.path
	}
	return i.stage() < j.stage()
}

// An index is git's index, decoded as far as needed.
type index struct {
	version    uint32
	items      []item
	extensions []extension
	written    moment // the file's time: items as young as it cannot be trusted
	file       stat   // the file itself, zero for an index that is not there
	sum        ID     // the file's checksum, zero for an index that is not there
}

type extension struct {
	name string
	data []byte
}

// clone returns an index that can be changed without changing x.
func (x *index) clone() *index {
	y := *x
	y.items = slices.Clone(x.items)
	return &y
}

// An indexError says why the index was left alone.
type indexError struct{ reason string }

func (e *indexError) Error() string { return "git index: " + e.reason }

func badIndex(format string, args ...any) error {
	return &indexError{fmt.Sprintf(format, args...)}
}

func (r *Repo) indexFile() string { return filepath.Join(r.gitDir, "index") }

// readIndex reads the index; one that is not there is empty.
func (r *Repo) readIndex() (*index, error) {
	f, err := os.Open(r.indexFile())
	if errors.Is(err, fs.ErrNotExist) {
		return &index{version: 2}, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	data := make([]byte, info.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, err
	}
	x, err := parseIndex(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.indexFile(), err)
	}
	x.file = statOf(info)
	x.written = x.file.mtime
	return x, nil
}

const (
	indexHead  = 12
	itemHead   = 62 // everything of an item before its path
	sumLength  = 20
	itemAlign  = 8
	longestRun = 10 // bytes that a number in version 4 may take
)

func parseIndex(data []byte) (*index, error) {
	if len(data) < indexHead+sumLength || string(data[:4]) != "DIRC" {
		return nil, badIndex("it is not one")
	}
	body, sum := data[:len(data)-sumLength], ID(data[len(data)-sumLength:])
	// git leaves the checksum out when index.skipHash is on.
	if !sum.IsZero() && ID(sha1.Sum(body)) != sum {
		return nil, badIndex("its checksum is wrong")
	}
	x := &index{version: binary.BigEndian.Uint32(data[4:]), sum: sum}
	if x.version < 2 || x.version > 4 {
		return nil, badIndex("its version is %d", x.version)
	}
	count := int(binary.BigEndian.Uint32(data[8:]))
	if count > len(data)/itemHead {
		return nil, badIndex("it says that it has %d entries", count)
	}
	x.items = make([]item, 0, count)
	rest := body[indexHead:]
	for range count {
		i, n, err := x.parseItem(rest)
		if err != nil {
			return nil, err
		}
		if len(x.items) > 0 && !x.items[len(x.items)-1].less(i) {
			return nil, badIndex("its entries are out of order at %q", i.path)
		}
		x.items = append(x.items, i)
		rest = rest[n:]
	}
	return x, x.parseExtensions(rest)
}

func (x *index) parseItem(data []byte) (i item, length int, err error) {
	if len(data) < itemHead+2 {
		return item{}, 0, badIndex("it is cut short")
	}
	word := func(at int) uint32 { return binary.BigEndian.Uint32(data[at:]) }
	i.stat = stat{
		ctime: moment{word(0), word(4)}, mtime: moment{word(8), word(12)},
		dev: word(16), ino: word(20), uid: word(28), gid: word(32), size: word(36),
	}
	i.mode = mode(word(24))
	copy(i.id[:], data[40:])
	i.flags = binary.BigEndian.Uint16(data[60:])
	at := itemHead
	if i.flags&flagExtended != 0 {
		if x.version < 3 {
			return item{}, 0, badIndex("an entry of version 2 has flags of version 3")
		}
		i.extra = binary.BigEndian.Uint16(data[at:])
		at += 2
	}
	prefix := ""
	if x.version == 4 {
		drop, n := offset(data[at:])
		if n == 0 {
			return item{}, 0, badIndex("a path is malformed")
		}
		at += n
		if len(x.items) > 0 {
			prefix = x.items[len(x.items)-1].path
		}
		if drop > len(prefix) {
			return item{}, 0, badIndex("a path is malformed")
		}
		prefix = prefix[:len(prefix)-drop]
	}
	name := bytes.IndexByte(data[at:], 0)
	if name < 0 {
		return item{}, 0, badIndex("it is cut short")
	}
	i.path = prefix + string(data[at:at+name])
	length = at + name + 1
	if x.version < 4 {
		length = (at + name + itemAlign) / itemAlign * itemAlign
	}
	if i.path == "" || length > len(data) {
		return item{}, 0, badIndex("it is cut short")
	}
	i.raw = data[:length:length]
	return i, length, nil
}

// offset reads a number as version 4 and packs write it: seven bits a byte, one
// added for each byte that follows.
func offset(data []byte) (value, length int) {
	for length < min(len(data), longestRun) {
		b := data[length]
		value = value<<7 | int(b&0x7f)
		length++
		if b&0x80 == 0 {
			return value, length
		}
		value++
	}
	return 0, 0
}

func appendOffset(out []byte, value int) []byte {
	var digits [longestRun]byte
	at := len(digits) - 1
	digits[at] = byte(value & 0x7f)
	for value >>= 7; value > 0; value >>= 7 {
		value--
		at--
		digits[at] = byte(value&0x7f) | 0x80
	}
	return append(out, digits[at:]...)
}

// parseExtensions reads what stands behind the entries. An unknown extension with
// a capital first letter may be dropped by whoever changes the index; any other
// changes what the entries mean.
func (x *index) parseExtensions(data []byte) error {
	for len(data) > 0 {
		if len(data) < 8 {
			return badIndex("an extension is cut short")
		}
		name, size := string(data[:4]), int(binary.BigEndian.Uint32(data[4:]))
		data = data[8:]
		if size > len(data) {
			return badIndex("an extension is cut short")
		}
		switch {
		case name == "link":
			return badIndex("it is split in two files (core.splitIndex)")
		case name == "sdir":
			return badIndex("it is sparse (index.sparse)")
		case name[0] < 'A' || name[0] > 'Z':
			return badIndex("it has an extension that memsync does not know: %q", name)
		}
		x.extensions = append(x.extensions, extension{name, data[:size:size]})
		data = data[size:]
	}
	return nil
}

// encode writes the index. Entries that were not changed are the bytes that were
// read, but in version 4, where an entry's path is written as what it adds to
// the one before.
func (x *index) encode() []byte {
	size := indexHead + sumLength
	for _, i := range x.items {
		size += itemHead + len(i.path) + itemAlign + 2
	}
	out := make([]byte, 0, size)
	version := x.version
	out = append(out, "DIRC"...)
	out = binary.BigEndian.AppendUint32(out, version)
	out = binary.BigEndian.AppendUint32(out, uint32(len(x.items)))
	before := ""
	for _, i := range x.items {
		if i.raw != nil && version < 4 {
			out = append(out, i.raw...)
			continue
		}
		out = i.append(out, version, before)
		before = i.path
	}
	for _, e := range x.extensions {
		out = append(out, e.name...)
		out = binary.BigEndian.AppendUint32(out, uint32(len(e.data)))
		out = append(out, e.data...)
	}
	sum := sha1.Sum(out)
	return append(out, sum[:]...)
}

func (i item) append(out []byte, version uint32, before string) []byte {
	start := len(out)
	for _, word := range []uint32{
		i.stat.ctime.sec, i.stat.ctime.nsec, i.stat.mtime.sec, i.stat.mtime.nsec,
		i.stat.dev, i.stat.ino, uint32(i.mode), i.stat.uid, i.stat.gid, i.stat.size,
	} {
		out = binary.BigEndian.AppendUint32(out, word)
	}
	out = append(out, i.id[:]...)
	out = binary.BigEndian.AppendUint16(out, i.flags&^flagName|uint16(min(len(i.path), flagName)))
	if i.flags&flagExtended != 0 {
		out = binary.BigEndian.AppendUint16(out, i.extra)
	}
	if version == 4 {
		common := 0
		for common < min(len(before), len(i.path)) && before[common] == i.path[common] {
			common++
		}
		out = appendOffset(out, len(before)-common)
		return append(append(out, i.path[common:]...), 0)
	}
	out = append(out, i.path...)
	pad := itemAlign - (len(out)-start)%itemAlign
	return append(out, strings.Repeat("\x00", pad)...)
}
