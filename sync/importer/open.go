package importer

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A Bundle is what a path holds: one file, or the readable files of a folder or
// an archive. Close it when its inputs are no longer read.
type Bundle struct {
	Path string
	// Inputs are the files that may hold conversations, in natural order, so
	// that conversations-2.json comes before conversations-10.json.
	Inputs []Input
	// Skipped are files that were left out, with the reason. Media and other
	// kinds of file that no format reads are not listed.
	Skipped []Skip

	single  bool
	limits  Limits
	closers []func() error
}

// A Skip is a file that was left out, and why.
type Skip struct {
	Name   string `json:"file"`
	Reason string `json:"reason"`
}

// Open lists the inputs of a file, a folder or a zip archive.
//
// A folder is walked without following symbolic links, and without hidden
// folders below it. Archives in it, and archives in an archive (one level), are
// opened. Nothing of an archive is ever written under its own name.
func Open(name string, limits Limits) (*Bundle, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, plain(name, err)
	}
	b := &Bundle{Path: name, limits: limits.withDefaults()}
	switch {
	case info.IsDir():
		err = b.folder(name)
	case !info.Mode().IsRegular():
		err = refuse(name, "is neither a file nor a folder")
	default:
		var isZip bool
		if isZip, err = hasZipMark(name); err != nil {
			break
		}
		if isZip {
			err = b.archive(name, nil)
		} else {
			b.single = true
			b.Inputs = append(b.Inputs, Input{Name: name, Size: info.Size(), Modified: info.ModTime(), Open: func() (io.ReadCloser, error) {
				f, err := os.Open(name)
				return f, plain(name, err)
			}})
		}
	}
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	slices.SortStableFunc(b.Inputs, func(x, y Input) int { return natural(x.Name, y.Name) })
	return b, nil
}

// Close releases archives and removes what was unpacked to disk.
func (b *Bundle) Close() error {
	var errs []error
	for _, c := range slices.Backward(b.closers) {
		errs = append(errs, c())
	}
	b.closers = nil
	return errors.Join(errs...)
}

func (b *Bundle) skip(name, reason string) { b.Skipped = append(b.Skipped, Skip{name, reason}) }

// folder lists the files of a folder. Files are opened through an os.Root, so
// that a link put there after the walk leads nowhere.
func (b *Bundle) folder(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return plain(dir, err)
	}
	b.closers = append(b.closers, root.Close)
	return fs.WalkDir(root.FS(), ".", func(rel string, d fs.DirEntry, err error) error {
		name := filepath.Join(dir, filepath.FromSlash(rel))
		switch {
		case err != nil && rel == ".":
			return plain(dir, err)
		case err != nil:
			b.skip(name, reason(name, err))
			return nil
		case rel == ".":
			return nil
		case d.IsDir():
			if strings.HasPrefix(d.Name(), ".") || d.Name() == "__MACOSX" {
				return fs.SkipDir
			}
			return nil
		case !readable(rel) && !isZipName(rel):
			return nil
		case d.Type()&fs.ModeSymlink != 0:
			b.skip(name, "is a symbolic link; name its target to import it")
			return nil
		case !d.Type().IsRegular():
			b.skip(name, "is not a regular file")
			return nil
		}
		if isZipName(rel) {
			f, err := root.Open(rel)
			if err == nil {
				b.closers = append(b.closers, f.Close)
				err = b.archive(name, f)
			}
			if err != nil {
				b.skip(name, reason(name, err))
			}
			return nil
		}
		in := Input{Name: name, Size: -1, Open: func() (io.ReadCloser, error) {
			f, err := root.Open(rel)
			return f, plain(name, err)
		}}
		if info, err := d.Info(); err == nil {
			in.Size, in.Modified = info.Size(), info.ModTime()
		}
		return b.add(in)
	})
}

func (b *Bundle) add(in Input) error {
	if len(b.Inputs) >= b.limits.Files {
		return refuse(b.Path, "holds more than %d files", b.limits.Files)
	}
	b.Inputs = append(b.Inputs, in)
	return nil
}

// readable reports whether a file's name is one that some format reads. A file
// that a person names is read whatever its name.
func readable(name string) bool {
	if strings.HasPrefix(path.Base(name), ".") {
		return false
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".json", ".jsonl", ".ndjson", ".txt", ".md", ".markdown", ".html":
		return true
	}
	return false
}

// plain turns an error of the file system into one sentence about name.
func plain(name string, err error) error {
	var already *RefusedError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &already):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return &RefusedError{name, "does not exist"}
	case errors.Is(err, fs.ErrPermission):
		return &RefusedError{name, "may not be read by this user"}
	}
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return fmt.Errorf("%s cannot be read: %w", name, err)
}

// natural compares names with their numbers as numbers.
func natural(a, b string) int {
	for a != "" && b != "" {
		na, nb := digits(a), digits(b)
		if na > 0 && nb > 0 {
			x, errX := strconv.ParseUint(a[:na], 10, 64)
			y, errY := strconv.ParseUint(b[:nb], 10, 64)
			if errX == nil && errY == nil && x != y {
				if x < y {
					return -1
				}
				return 1
			}
			if c := strings.Compare(a[:na], b[:nb]); c != 0 {
				return c
			}
			a, b = a[na:], b[nb:]
			continue
		}
		if a[0] != b[0] {
			return int(a[0]) - int(b[0])
		}
		a, b = a[1:], b[1:]
	}
	return len(a) - len(b)
}

// digits counts the digits at the beginning of s.
func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}
