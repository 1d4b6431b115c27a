package batch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// stateVersion is the format of the state file.
const stateVersion = 1

// A job is the state file.
type job struct {
	Version int    `json:"version"`
	Model   string `json:"model"`
	// Probed is set once the first reply has passed.
	Probed  bool    `json:"probed"`
	Batches []batch `json:"batches"`
	// Tries counts how often an item was sent.
	Tries map[string]int `json:"tries"`
	path  string
}

// A batch is one that was, or was about to be, submitted. Its ID is empty from
// before Submit until after it.
type batch struct {
	Tag   string    `json:"tag"`
	ID    string    `json:"id,omitempty"`
	At    time.Time `json:"at"`
	Items []string  `json:"items"`
	State State     `json:"state"`
}

// open reads the state file of a job, or begins one. A file of another model or
// format is begun anew: its batches are not ours to use.
func open(path, model string) (*job, error) {
	fresh := &job{Version: stateVersion, Model: model, Tries: map[string]int{}, path: path}
	if path == "" {
		return fresh, nil
	}
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fresh, nil
	}
	if err != nil {
		return nil, fmt.Errorf("state of the batch: %w", err)
	}
	var j job
	if json.Unmarshal(raw, &j) != nil || j.Version != stateVersion || j.Model != model {
		return fresh, nil
	}
	if j.Tries == nil {
		j.Tries = map[string]int{}
	}
	j.path = path
	return &j, nil
}

// save writes the file whole, or leaves the one that is there.
func (j *job) save() error {
	if j.path == "" {
		return nil
	}
	raw, err := json.Marshal(j)
	if err != nil {
		return fmt.Errorf("state of the batch: %w", err)
	}
	next, err := os.CreateTemp(filepath.Dir(j.path), ".batch-*") // mode 0600
	if err != nil {
		return fmt.Errorf("state of the batch: %w", err)
	}
	_, err = next.Write(raw)
	err = errors.Join(err, next.Sync(), next.Close())
	if err == nil {
		err = os.Rename(next.Name(), j.path)
	}
	if err != nil {
		_ = os.Remove(next.Name())
		return fmt.Errorf("state of the batch: %w", err)
	}
	return nil
}

func (j *job) remove() error {
	if j.path == "" {
		return nil
	}
	if err := os.Remove(j.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("state of the batch: %w", err)
	}
	return nil
}
