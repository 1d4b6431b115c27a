package vault

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// ErrChanged is wrapped when a file is not what the writer read before: the
// person, or another program, saved it meanwhile. Their text stays.
var ErrChanged = errors.New("changed meanwhile")

// A Step is one step of a durable write, in this order.
type Step string

// The steps that Config.Fault sees.
const (
	StepCreate  Step = "create"      // the temporary file
	StepWrite   Step = "write"       // twice: before each half of the bytes
	StepSync    Step = "sync"        // the file's bytes to the disk
	StepRename  Step = "rename"      // the file into its place
	StepSyncDir Step = "sync folder" // the new name to the disk
	StepRemove  Step = "remove"      // a file that goes away
)

// NoFile is the Hash of a file that does not exist.
const NoFile Hash = ""

// tempPrefix and tempSuffix mark files that are being written.
const (
	tempPrefix = ".memsync-"
	tempSuffix = ".tmp"
)

// Write puts data into the file p, atomically and durably: after a crash the
// file is the old one or the new one. old is what the caller read there, NoFile
// for a file that is to be made; where the file is something else by now the
// write fails with ErrChanged and changes nothing. Folders are made as needed,
// the file's mode bits are kept, and a symbolic link is not written through.
func (v *Vault) Write(p Path, old Hash, data []byte) error {
	if err := v.write(p, old, data); err != nil {
		return pathError(p, err)
	}
	return nil
}

func (v *Vault) write(p Path, old Hash, data []byte) error {
	mode, err := v.checkOld(p, old)
	if err != nil {
		return err
	}
	if dir := p.Dir(); dir != "" {
		if err := v.root.MkdirAll(string(dir), 0o755); err != nil {
			return err
		}
	}
	dir, err := v.root.OpenRoot(dirName(p))
	if err != nil {
		return err
	}
	defer dir.Close()
	temp, err := v.writeTemp(dir, p, mode, data)
	if err == nil {
		err = v.place(dir, p, temp, old)
	}
	if err != nil {
		_ = dir.Remove(temp)
		return err
	}
	return v.syncDir(dir, p)
}

// dirName is the folder of p as os.Root wants it.
func dirName(p Path) string {
	if d := p.Dir(); d != "" {
		return string(d)
	}
	return "."
}

// checkOld compares the file with what the caller read, and returns its mode.
func (v *Vault) checkOld(p Path, old Hash) (fs.FileMode, error) {
	info, err := v.root.Lstat(string(p))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if old != NoFile {
			return 0, fmt.Errorf("%w: it was removed", ErrChanged)
		}
		return 0o644, nil
	case err != nil:
		return 0, err
	case info.Mode()&fs.ModeSymlink != 0:
		return 0, errors.New("it is a symbolic link, which is not written through")
	case !info.Mode().IsRegular():
		return 0, errors.New("it is not a regular file")
	case old == NoFile:
		return 0, fmt.Errorf("%w: it exists by now", ErrChanged)
	}
	raw, err := v.root.ReadFile(string(p))
	if err != nil {
		return 0, err
	}
	if HashOf(raw) != old {
		return 0, ErrChanged
	}
	return info.Mode().Perm(), nil
}

func (v *Vault) step(s Step, p Path) error {
	if v.fault == nil {
		return nil
	}
	return v.fault(s, p)
}

func tempName() string {
	var salt [8]byte
	rand.Read(salt[:])
	return tempPrefix + hex.EncodeToString(salt[:]) + tempSuffix
}

// writeTemp writes data beside its place and to the disk.
func (v *Vault) writeTemp(dir *os.Root, p Path, mode fs.FileMode, data []byte) (temp string, err error) {
	temp = tempName()
	if err := v.step(StepCreate, p); err != nil {
		return temp, err
	}
	f, err := dir.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return temp, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for _, half := range [][]byte{data[:len(data)/2], data[len(data)/2:]} {
		if err := v.step(StepWrite, p); err != nil {
			return temp, err
		}
		if _, err := f.Write(half); err != nil {
			return temp, err
		}
	}
	if err := f.Chmod(mode); err != nil { // the umask may have taken bits
		return temp, err
	}
	if err := v.step(StepSync, p); err != nil {
		return temp, err
	}
	return temp, f.Sync()
}

// place moves the temporary file into its place. A new file must not exist yet;
// an old one is exchanged for the new where the system can do that, so that a
// save which came at the very last moment is seen and put back.
func (v *Vault) place(dir *os.Root, p Path, temp string, old Hash) error {
	if err := v.step(StepRename, p); err != nil {
		return err
	}
	base := p.Base()
	if old == NoFile {
		err := dir.Link(temp, base)
		switch {
		case err == nil:
			return dir.Remove(temp)
		case errors.Is(err, fs.ErrExist):
			return fmt.Errorf("%w: it exists by now", ErrChanged)
		}
		return dir.Rename(temp, base) // a file system without hard links
	}
	switch err := exchange(dir, temp, base); {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: it was removed", ErrChanged)
	case err != nil: // a system that cannot exchange two files
		return dir.Rename(temp, base)
	}
	was, err := dir.ReadFile(temp)
	if err == nil && HashOf(was) == old {
		return dir.Remove(temp)
	}
	if back := exchange(dir, temp, base); back != nil {
		return errors.Join(ErrChanged, err, back)
	}
	return errors.Join(ErrChanged, err)
}

func (v *Vault) syncDir(dir *os.Root, p Path) error {
	if err := v.step(StepSyncDir, p); err != nil {
		return err
	}
	f, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	return ignoreUnsupported(f.Sync())
}

// Remove takes the file p away if it still is what the caller read. It is put
// aside before it is looked at the last time, so that a save which came at the very
// last moment is seen and put back.
func (v *Vault) Remove(p Path, old Hash) error {
	if err := v.remove(p, old); err != nil {
		return pathError(p, err)
	}
	return nil
}

func (v *Vault) remove(p Path, old Hash) error {
	if _, err := v.checkOld(p, old); err != nil {
		return err
	}
	dir, err := v.root.OpenRoot(dirName(p))
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := v.step(StepRemove, p); err != nil {
		return err
	}
	base, aside := p.Base(), tempName()
	if err := dir.Rename(base, aside); err != nil {
		return err
	}
	was, err := dir.ReadFile(aside)
	if err != nil || HashOf(was) != old {
		return errors.Join(ErrChanged, err, putBack(dir, aside, base))
	}
	if err := dir.Remove(aside); err != nil {
		return errors.Join(err, putBack(dir, aside, base))
	}
	return v.syncDir(dir, p)
}

// putBack gives a file that was put aside its name again, unless there is a newer
// one of that name.
func putBack(dir *os.Root, aside, base string) error {
	err := dir.Link(aside, base)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return dir.Remove(aside)
	}
	return dir.Rename(aside, base) // a file system without hard links
}

// Sweep removes temporary files that a process which died left in the vault.
// Only whoever holds the vault's Lock may call it.
func (v *Vault) Sweep() error {
	return fs.WalkDir(v.root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // what cannot be read holds nothing of ours
		case e.IsDir() && e.Name() != "." && strings.HasPrefix(e.Name(), "."):
			return fs.SkipDir
		case e.Type().IsRegular() && IsTemp(e.Name()):
			return v.root.Remove(name)
		}
		return nil
	})
}

// IsTemp reports whether a file, by its base name, is one that is being written,
// or was when its process died.
func IsTemp(base string) bool {
	return strings.HasPrefix(base, tempPrefix) && strings.HasSuffix(base, tempSuffix)
}
