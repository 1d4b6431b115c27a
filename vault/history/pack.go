package history

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
	"github.com/klauspost/compress/zlib"
)

// Objects of a large commit, a first import say, are written into one pack: two
// files to flush instead of thousands. They are compressed by whoever adds them,
// in parallel, and appended one at a time. No deltas are made; `git gc` finds
// them when it packs again.

// A pack is one being written. Its methods may be called from several goroutines.
type pack struct {
	r *Repo

	mu    sync.Mutex
	file  *os.File
	out   *bufio.Writer
	at    int64
	index idxfile.Writer
	seen  map[ID]bool
	err   error
}

const packVersion = 2

// packKinds are the numbers of kinds in a pack.
var packKinds = map[kind]byte{kindCommit: 1, kindTree: 2, kindBlob: 3, kindTag: 4}

func (r *Repo) newPack() (*pack, error) {
	if err := r.step(StepWriteObject); err != nil {
		return nil, err
	}
	dir := filepath.Join(r.common, "objects", "pack")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(dir, tempPrefix+"pack_*")
	if err != nil {
		return nil, err
	}
	p := &pack{r: r, file: f, out: bufio.NewWriterSize(f, 1<<20), seen: map[ID]bool{}}
	p.write(packHeader(0)) // the count is filled in at the end
	return p, p.err
}

func packHeader(count int) []byte {
	head := binary.BigEndian.AppendUint32([]byte("PACK"), packVersion)
	return binary.BigEndian.AppendUint32(head, uint32(count))
}

// write appends bytes; the caller holds the lock, except in newPack.
func (p *pack) write(b []byte) {
	if p.err != nil {
		return
	}
	n, err := p.out.Write(b)
	p.at += int64(n)
	p.err = err
}

// add compresses an object and appends it.
func (p *pack) add(o object) error {
	if err := p.r.step(StepWriteObject); err != nil {
		return err
	}
	var packed bytes.Buffer
	packed.Grow(len(o.content)/2 + 64)
	packed.Write(packObjectHeader(packKinds[o.kind], len(o.content)))
	z := deflaters.Get().(*zlib.Writer)
	defer deflaters.Put(z)
	z.Reset(&packed)
	z.Write(o.content)
	if err := z.Close(); err != nil {
		return err
	}
	sum := crc32.ChecksumIEEE(packed.Bytes())

	p.mu.Lock()
	defer p.mu.Unlock()
	if p.seen[o.id] {
		return p.err
	}
	p.seen[o.id] = true
	p.index.Add(plumbing.Hash(o.id), uint64(p.at), sum)
	p.write(packed.Bytes())
	return p.err
}

// packObjectHeader is the kind and the size: three bits of kind and four of size
// in the first byte, seven of size in each that follows.
func packObjectHeader(kind byte, size int) []byte {
	b := kind<<4 | byte(size&0x0f)
	var out []byte
	for size >>= 4; size > 0; size >>= 7 {
		out = append(out, b|0x80)
		b = byte(size & 0x7f)
	}
	return append(out, b)
}

// abandon removes an unfinished pack.
func (p *pack) abandon() {
	p.file.Close()
	os.Remove(p.file.Name())
}

// finish completes the pack and makes it visible, durably: first the pack, then
// the index, by which git finds it. A pack without objects is dropped.
func (p *pack) finish() (err error) {
	if p.err != nil || len(p.seen) == 0 {
		p.abandon()
		return p.err
	}
	sum, err := p.seal()
	if err == nil {
		err = p.r.syncClose(p.file, StepSyncObject)
	}
	if err != nil {
		p.abandon()
		return err
	}
	index, err := p.writeIndex(sum)
	if err != nil {
		os.Remove(p.file.Name())
		return err
	}
	return p.name(index, sum)
}

// seal fills in the count and appends the checksum of the whole.
func (p *pack) seal() (plumbing.Hash, error) {
	if err := p.out.Flush(); err != nil {
		return plumbing.ZeroHash, err
	}
	if _, err := p.file.WriteAt(packHeader(len(p.seen)), 0); err != nil {
		return plumbing.ZeroHash, err
	}
	if _, err := p.file.Seek(0, io.SeekStart); err != nil {
		return plumbing.ZeroHash, err
	}
	h := sha1.New()
	if _, err := io.Copy(h, p.file); err != nil {
		return plumbing.ZeroHash, err
	}
	sum := plumbing.Hash(h.Sum(nil))
	_, err := p.file.Write(sum[:])
	return sum, err
}

func (p *pack) writeIndex(sum plumbing.Hash) (name string, err error) {
	if err := p.index.OnFooter(sum); err != nil {
		return "", err
	}
	index, err := p.index.Index()
	if err != nil {
		return "", err
	}
	f, err := os.CreateTemp(filepath.Dir(p.file.Name()), tempPrefix+"idx_*")
	if err != nil {
		return "", err
	}
	out := bufio.NewWriter(f)
	_, err = idxfile.NewEncoder(out).Encode(index)
	err = errors.Join(err, out.Flush())
	if err != nil {
		f.Close()
	} else {
		err = p.r.syncClose(f, StepSyncObject)
	}
	if err != nil {
		os.Remove(f.Name())
		return "", err
	}
	return f.Name(), nil
}

func (p *pack) name(index string, sum plumbing.Hash) error {
	dir := filepath.Dir(index)
	final := filepath.Join(dir, "pack-"+sum.String())
	fail := func(err error) error {
		os.Remove(p.file.Name())
		os.Remove(index)
		return err
	}
	if _, err := os.Stat(final + ".idx"); err == nil {
		return fail(nil) // the very same pack is there already
	}
	if err := p.r.step(StepNamePack); err != nil {
		return fail(err)
	}
	if err := os.Rename(p.file.Name(), final+".pack"); err != nil {
		return fail(err)
	}
	err := p.r.step(StepNamePack)
	if err == nil {
		err = os.Rename(index, final+".idx")
	}
	if err != nil {
		os.Remove(final + ".pack")
		return fail(err)
	}
	return p.r.syncFolders(map[string]bool{dir: true})
}
