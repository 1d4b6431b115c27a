package importer

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
)

// hasZipMark reports whether a file begins as a zip archive does.
func hasZipMark(name string) (bool, error) {
	f, err := os.Open(name)
	if err != nil {
		return false, plain(name, err)
	}
	defer f.Close()
	mark := make([]byte, 4)
	n, err := io.ReadFull(f, mark)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return false, plain(name, err)
	}
	return isZipMark(mark[:n]) || isZipName(name), nil
}

func isZipMark(mark []byte) bool {
	return string(mark) == "PK\x03\x04" || string(mark) == "PK\x05\x06"
}

func isZipName(name string) bool { return strings.EqualFold(path.Ext(name), ".zip") }

// archive lists the readable files of a zip. With f nil it opens name itself.
func (b *Bundle) archive(name string, f *os.File) error {
	if f == nil {
		var err error
		if f, err = os.Open(name); err != nil {
			return plain(name, err)
		}
		b.closers = append(b.closers, f.Close)
	}
	info, err := f.Stat()
	if err != nil {
		return plain(name, err)
	}
	return b.entries(name, f, info.Size(), false)
}

// entries lists the readable files of the zip in r. nested says that the zip is
// itself in a zip.
func (b *Bundle) entries(name string, r io.ReaderAt, size int64, nested bool) error {
	zr, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		mark := make([]byte, 4)
		if n, _ := r.ReadAt(mark, 0); isZipMark(mark[:n]) {
			return refuse(name, "is a zip archive that is cut short or damaged: download it again")
		}
		return refuse(name, "is named as a zip archive but is not one")
	}
	var unpacked int64
	var inner []*zip.File
	for _, f := range zr.File {
		entry := name + "/" + f.Name
		// Archives made by old Windows programs have backslashes.
		slashed := strings.ReplaceAll(f.Name, `\`, "/")
		isZip := isZipName(slashed)
		if f.FileInfo().IsDir() || !readable(slashed) && !isZip || strings.HasPrefix(slashed, "__MACOSX/") {
			continue
		}
		if f.Flags&1 != 0 {
			return refuse(name, "is encrypted: unpack it with its password and import the folder")
		}
		if why := unsafePath(slashed); why != "" {
			b.skip(entry, why)
			continue
		}
		if !f.Mode().IsRegular() {
			b.skip(entry, "is not a regular file")
			continue
		}
		declared, packed := int64(f.UncompressedSize64), int64(f.CompressedSize64)
		unpacked += declared
		if declared < 0 || declared > b.limits.allowed(packed) || unpacked < 0 || unpacked > b.limits.allowed(size) {
			return refuse(name, "unpacks to far more than a chat export does (%s in %s): it looks like a zip bomb", f.Name, bytesText(packed))
		}
		if unpacked > b.limits.Unpacked {
			return refuse(name, "unpacks to more than %s", bytesText(b.limits.Unpacked))
		}
		if isZip {
			inner = append(inner, f)
			continue
		}
		if err := b.add(Input{Name: entry, Size: declared, Modified: f.Modified, Open: func() (io.ReadCloser, error) {
			rc, err := f.Open()
			if err != nil {
				return nil, damaged(entry, err)
			}
			return &entryReader{rc, entry}, nil
		}}); err != nil {
			return err
		}
	}
	for _, f := range inner {
		entry := name + "/" + f.Name
		if nested {
			b.skip(entry, "is an archive in an archive in an archive: unpack it first")
			continue
		}
		if err := b.inner(entry, f); err != nil {
			var refused *RefusedError
			if !errors.As(err, &refused) {
				return err
			}
			b.skip(entry, refused.Reason)
		}
	}
	return nil
}

// inner unpacks an archive of an archive to a temporary file and lists it.
func (b *Bundle) inner(entry string, f *zip.File) error {
	if size := int64(f.UncompressedSize64); size > b.limits.Nested {
		return refuse(entry, "is larger than %s: unpack it first", bytesText(b.limits.Nested))
	}
	tmp, err := os.CreateTemp("", "memsync-*.zip")
	if err != nil {
		return fmt.Errorf("%s cannot be unpacked: %w", entry, err)
	}
	b.closers = append(b.closers, func() error { return errors.Join(tmp.Close(), os.Remove(tmp.Name())) })
	rc, err := f.Open()
	if err != nil {
		return damaged(entry, err)
	}
	defer rc.Close()
	n, err := io.Copy(tmp, &entryReader{rc, entry})
	if err != nil {
		var refused *RefusedError
		if errors.As(err, &refused) {
			return err
		}
		return fmt.Errorf("%s cannot be unpacked: %w", entry, err)
	}
	return b.entries(entry, tmp, n, true)
}

// An entryReader turns the archive's errors into sentences. That no more comes
// out than the directory says, and so no more than the limits allow, archive/zip
// sees to itself.
type entryReader struct {
	io.ReadCloser
	name string
}

func (r *entryReader) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		err = damaged(r.name, err)
	}
	return n, err
}

func damaged(name string, err error) error {
	if errors.Is(err, zip.ErrAlgorithm) {
		return refuse(name, "is packed by a method that memsync does not know: unpack it first")
	}
	return refuse(name, "is damaged in its archive (%v): download it again", err)
}

// unsafePath says why a name would lead out of the archive, or "".
func unsafePath(name string) string {
	if path.IsAbs(name) || len(name) > 1 && name[1] == ':' {
		return "has a path that is not inside its archive"
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			return "has a path that leads out of its archive"
		}
	}
	return ""
}

// bytesText says a size as people do.
func bytesText(n int64) string {
	for _, unit := range []struct {
		size int64
		name string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if n >= unit.size {
			return fmt.Sprintf("%.4g %s", float64(n)/float64(unit.size), unit.name)
		}
	}
	return count(int(n), "byte", "bytes")
}
