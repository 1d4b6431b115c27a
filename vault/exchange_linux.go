package vault

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// exchange swaps two files of a folder in one step.
func exchange(dir *os.Root, a, b string) error {
	f, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	fd := int(f.Fd())
	return unix.Renameat2(fd, a, fd, b, unix.RENAME_EXCHANGE)
}

// ignoreUnsupported drops the error of file systems that cannot sync a folder.
func ignoreUnsupported(err error) error {
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		return nil
	}
	return err
}
