package sync

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"time"
)

// auditFile holds one line of JSON for each file that was imported, the newest
// last. It lies in the vault's state folder.
const auditFile = "imports.jsonl"

// maxAudit bounds the file: beyond it the older half is dropped.
const maxAudit = 4 << 20

type auditRecord struct {
	At time.Time `json:"at"`
	Run
}

// Audit appends the records of an import to the vault's log of imports, also of
// runs that changed nothing.
func Audit(state string, at time.Time, runs []Run) error {
	if len(runs) == 0 {
		return nil
	}
	name := filepath.Join(state, auditFile)
	if info, err := os.Stat(name); err == nil && info.Size() > maxAudit {
		if err := dropOlderHalf(name); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	enc := json.NewEncoder(f)
	for _, r := range runs {
		err = errors.Join(err, enc.Encode(auditRecord{at.UTC(), r}))
	}
	return errors.Join(err, f.Close())
}

func dropOlderHalf(name string) error {
	raw, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	half := raw[len(raw)/2:]
	for i, c := range half {
		if c == '\n' {
			half = half[i+1:]
			break
		}
	}
	return os.WriteFile(name, half, 0o600)
}
