package pass

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
)

// journalFile lists the writes of the pass under way, one JSON object a line:
// the pass's trailers, then a path and the hash of what is written there.
const journalFile = "pass.jsonl"

// ErrUnfinished is returned by Begin when an earlier pass wrote notes that are in
// no commit yet. Recover commits them.
var ErrUnfinished = errors.New("an earlier change of the vault is not committed yet")

type entry struct {
	Path     vault.Path        `json:"path,omitempty"`
	Hash     vault.Hash        `json:"hash,omitempty"`
	Trailers *history.Trailers `json:"trailers,omitempty"`
}

// A journal is the list on disk. Lines reach the disk before add returns;
// writers that come together share one sync.
type journal struct {
	file string

	mu      sync.Mutex
	f       *os.File
	written int

	syncMu sync.Mutex
	synced int
	head   []byte
}

func openJournal(state string, t history.Trailers) (*journal, error) {
	if err := os.MkdirAll(state, 0o700); err != nil {
		return nil, err
	}
	j := &journal{file: filepath.Join(state, journalFile)}
	if _, err := os.Stat(j.file); err == nil {
		return nil, ErrUnfinished
	}
	return j, j.begin(t)
}

// begin sets the line that the file will begin with.
func (j *journal) begin(t history.Trailers) error {
	head, err := json.Marshal(entry{Trailers: &t})
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.head = append(head, '\n')
	return nil
}

func (j *journal) add(p vault.Path, h vault.Hash) error {
	line, err := json.Marshal(entry{Path: p, Hash: h})
	if err != nil {
		return err
	}
	n, err := j.write(append(line, '\n'))
	if err != nil {
		return err
	}
	j.syncMu.Lock()
	defer j.syncMu.Unlock()
	if j.synced >= n {
		return nil
	}
	j.mu.Lock()
	f, upTo := j.f, j.written
	j.mu.Unlock()
	if err := f.Sync(); err != nil {
		return err
	}
	j.synced = upTo
	return nil
}

// write appends a line and returns its number. The file is made with the first.
func (j *journal) write(line []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.f == nil {
		f, err := os.OpenFile(j.file, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			return 0, err
		}
		j.f = f
		line = append(bytes.Clone(j.head), line...)
	}
	if _, err := j.f.Write(line); err != nil {
		return 0, err
	}
	j.written++
	return j.written, nil
}

func (j *journal) close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.f == nil {
		return nil
	}
	err := j.f.Close()
	j.f = nil
	return err
}

// clear ends the journal of a pass whose writes are committed.
func (j *journal) clear() error {
	if err := j.close(); err != nil {
		return err
	}
	if err := os.Remove(j.file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Unfinished reports whether a pass wrote notes that are in no commit yet: one is
// under way, or one was interrupted and waits for Recover.
func Unfinished(state string) bool {
	_, err := os.Stat(filepath.Join(state, journalFile))
	return err == nil
}

// Recover commits what a pass wrote that did not get to its commit, and sweeps
// its temporary files. A file that the journal does not describe as it stands
// on disk is left alone: the person has edited it since, or the write never
// happened. The caller holds the vault's lock. The result is empty when there
// was nothing to recover.
func Recover(ctx context.Context, v *vault.Vault, repo History, state string, now time.Time) (history.Result, error) {
	name := filepath.Join(state, journalFile)
	raw, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return history.Result{}, nil
	}
	if err != nil {
		return history.Result{}, err
	}
	if err := v.Sweep(); err != nil {
		return history.Result{}, err
	}
	files, t := readJournal(raw)
	var c history.Change
	for p, h := range files {
		if stands(v, p, h) {
			c.Files = append(c.Files, history.File{Path: p, Hash: h})
		}
	}
	var res history.Result
	if repo != nil && len(c.Files) > 0 {
		who := history.Machine(now)
		c.Author, c.Committer, c.Trailers = who, who, t
		c.Subject = fmt.Sprintf("%s: finish what was interrupted", t.Pass)
		if res, err = repo.Commit(ctx, c); err != nil {
			return res, fmt.Errorf("commit what was interrupted: %w", err)
		}
	}
	return res, os.Remove(name)
}

// readJournal reads the writes of a journal, the last for each path. A torn line
// at its end, and any line that is not ours, is passed over.
func readJournal(raw []byte) (map[vault.Path]vault.Hash, history.Trailers) {
	files := map[vault.Path]vault.Hash{}
	var t history.Trailers
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e entry
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			continue
		}
		if e.Trailers != nil {
			t = *e.Trailers
		}
		if p, err := vault.ParsePath(string(e.Path)); err == nil {
			files[p] = e.Hash
		}
	}
	return files, t
}

// stands reports whether the file at p is what h is the hash of.
func stands(v *vault.Vault, p vault.Path, h vault.Hash) bool {
	raw, err := v.Read(p)
	if errors.Is(err, fs.ErrNotExist) {
		return h == vault.NoFile
	}
	return err == nil && vault.HashOf(raw) == h
}
