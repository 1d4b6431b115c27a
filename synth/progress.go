package synth

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// An Input is something that a pass has read, as it was then.
type Input struct {
	ID      string
	Version string
}

// progress says, for each pass, which version of each input it has read. It is
// only a saving: a pass that reads an input twice finds nothing new in it.
type progress map[string]map[string]string

const progressFile = "synth.json"

func readProgress(state string) progress {
	p := progress{}
	if raw, err := os.ReadFile(filepath.Join(state, progressFile)); err == nil && state != "" {
		if json.Unmarshal(raw, &p) != nil {
			return progress{}
		}
	}
	return p
}

// done reports whether a pass has read an input in this version.
func (r *Runner) done(pass, id, version string) bool {
	was, ok := r.seen[pass][id]
	return ok && was == version
}

// remember notes what a pass has read, and how it left the ledgers.
func (r *Runner) remember(pass string, made Made) error {
	if len(made.Done)+len(made.Ledgers) == 0 || r.cfg.State == "" {
		return nil
	}
	changed := r.note(pass, made.Done)
	if !r.note("ledgers", made.Ledgers) && !changed {
		return nil
	}
	raw, err := json.Marshal(r.seen)
	if err != nil {
		return err
	}
	file := filepath.Join(r.cfg.State, progressFile)
	temp := file + ".tmp"
	if err := os.WriteFile(temp, raw, 0o600); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	return os.Rename(temp, file)
}

func (r *Runner) note(pass string, inputs []Input) (changed bool) {
	for _, in := range inputs {
		if r.seen[pass] == nil {
			r.seen[pass] = map[string]string{}
		}
		changed = changed || r.seen[pass][in.ID] != in.Version
		r.seen[pass][in.ID] = in.Version
	}
	return changed
}
