package vault

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// A Lock is the right to write a vault. One process holds it at a time; the
// system takes it back when the process ends, however it ends.
type Lock struct{ file *flock.Flock }

// A Holder is the process that holds a vault's lock.
type Holder struct {
	PID   int       `json:"pid"`
	What  string    `json:"what"`
	Since time.Time `json:"since"`
}

// A LockedError says who holds the lock.
type LockedError struct{ Holder Holder }

func (e *LockedError) Error() string {
	if e.Holder.PID == 0 {
		return "the vault is locked by another process"
	}
	return fmt.Sprintf("the vault is locked by memsync %s (process %d) since %s",
		e.Holder.What, e.Holder.PID, e.Holder.Since.Local().Format(time.DateTime))
}

// Acquire takes the lock that lies in a vault's state folder, without waiting.
// It fails with a *LockedError when another process holds it.
func Acquire(stateDir string, holder Holder) (*Lock, error) {
	if err := os.MkdirAll(stateDir, 0o700); err != nil {
		return nil, err
	}
	path := filepath.Join(stateDir, "lock")
	l := flock.New(path, flock.SetPermissions(0o600))
	ok, err := l.TryLock()
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, &LockedError{ReadHolder(stateDir)}
	}
	text, err := json.Marshal(holder)
	if err == nil {
		err = os.WriteFile(path+".json", text, 0o600)
	}
	if err != nil {
		return nil, errors.Join(err, l.Unlock())
	}
	return &Lock{l}, nil
}

// Release gives the lock back.
func (l *Lock) Release() error {
	err := os.Remove(l.file.Path() + ".json")
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, l.file.Unlock())
}

// ReadHolder says who holds the lock; zero where nothing is known. A process
// that was killed is still named: its PID is no longer alive.
func ReadHolder(stateDir string) Holder {
	var h Holder
	if text, err := os.ReadFile(filepath.Join(stateDir, "lock.json")); err == nil {
		_ = json.Unmarshal(text, &h)
	}
	return h
}
