package history

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// emptyConfig is what git init writes for a repository with files. The mode bit
// is trusted where the system has one.
const emptyConfig = "[core]\n\trepositoryformatversion = 0\n\tfilemode = %t\n\tbare = false\n\tlogallrefupdates = true\n"

// Init makes a repository in the existing folder dir, with the branch main and
// no commit. No file of dir is touched. Where dir is the root of a repository
// already, that one is opened as it is.
func Init(dir string, cfg Config) (*Repo, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if found, err := gitDirAt(dir); err != nil || found != "" {
		if err != nil {
			return nil, err
		}
		return Open(dir, cfg)
	}
	dot := filepath.Join(dir, ".git")
	var errs []error
	for _, folder := range []string{"objects/info", "objects/pack", "refs/heads", "refs/tags", "info", "hooks"} {
		errs = append(errs, os.MkdirAll(filepath.Join(dot, folder), 0o777))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("make a git repository: %w", err)
	}
	files := []struct{ name, text string }{
		{"config", fmt.Sprintf(emptyConfig, trustMode) + platformConfig},
		{"description", "A memsync vault.\n"},
		{"info/exclude", "# Files that only this machine ignores.\n"},
		{"HEAD", "ref: refs/heads/main\n"}, // last, since it makes the folder a repository
	}
	for _, file := range files {
		if err := writeNew(filepath.Join(dot, file.name), []byte(file.text)); err != nil {
			return nil, fmt.Errorf("make a git repository: %w", err)
		}
	}
	return Open(dir, cfg)
}

// writeNew makes a file durably, keeping one that is there.
func writeNew(name string, text []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Sync(), f.Close())
}
