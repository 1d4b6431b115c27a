package sync

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// importedFile lists the conversations that were ever imported into a vault, by
// source. It lies in the vault's state folder. A conversation that it names and
// the vault does not have was removed by the person.
const importedFile = "imported.json"

// imported is the set of conversations that were imported, by source and id.
type imported map[string]map[string]bool

func readImported(state string) imported {
	set := imported{}
	if state == "" {
		return set
	}
	raw, err := os.ReadFile(filepath.Join(state, importedFile))
	if err != nil || json.Unmarshal(raw, &set) != nil {
		return imported{}
	}
	return set
}

func (s imported) has(source, id string) bool { return s[source][id] }

func (s imported) add(source, id string) {
	if s[source] == nil {
		s[source] = map[string]bool{}
	}
	s[source][id] = true
}

func (s imported) write(state string) error {
	if state == "" {
		return nil
	}
	raw, err := json.Marshal(s)
	if err != nil {
		return err
	}
	name := filepath.Join(state, importedFile)
	if err := os.WriteFile(name+".tmp", raw, 0o600); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	return os.Rename(name+".tmp", name)
}
