package llm

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// A Call is one line of the ledger of calls: what was asked for and what it cost,
// never a word of what was said.
type Call struct {
	At    time.Time `json:"at"`
	Pass  string    `json:"pass"`
	Model string    `json:"model"`
	In    int       `json:"in"`
	Out   int       `json:"out"`
	// Cost is in US dollars, 0 where the price is not known.
	Cost float64 `json:"cost_usd"`
	// Millis is the latency.
	Millis int64 `json:"ms"`
	Batch  bool  `json:"batch,omitempty"`
	// Outcome is "ok", "cut", "declined", "down", "refused", "stopped" or "error".
	Outcome string `json:"outcome"`
	// Why is the status or the network's error of a call that was not answered,
	// without what the server said, which may repeat what it was sent.
	Why string `json:"why,omitempty"`
}

// A Ledger keeps calls in a file, a line each, the newest last. A nil Ledger
// keeps nothing.
type Ledger struct {
	path string
	mu   sync.Mutex
}

// LedgerName is the file's name in the vault's state folder.
const LedgerName = "llm-calls.jsonl"

// maxLedger bounds the file, in bytes: some 40,000 calls. When it is full, the
// older half goes.
const maxLedger = 8 << 20

// NewLedger keeps calls in the state folder dir; the file is made with the first.
func NewLedger(dir string) *Ledger { return &Ledger{path: filepath.Join(dir, LedgerName)} }

// Add appends a call.
func (l *Ledger) Add(c Call) error {
	if l == nil {
		return nil
	}
	line, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("ledger of calls: %w", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if info, err := os.Stat(l.path); err == nil && info.Size() > maxLedger {
		if err := l.halve(info.Size()); err != nil {
			return fmt.Errorf("ledger of calls: %w", err)
		}
	}
	f, err := os.OpenFile(l.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("ledger of calls: %w", err)
	}
	if _, err := f.Write(append(line, '\n')); err != nil {
		f.Close()
		return fmt.Errorf("ledger of calls: %w", err)
	}
	return f.Close()
}

// halve drops the older half of the file.
func (l *Ledger) halve(size int64) error {
	f, err := os.Open(l.path)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Seek(size/2, io.SeekStart); err != nil {
		return err
	}
	r := bufio.NewReader(f)
	if _, err := r.ReadString('\n'); err != nil && err != io.EOF {
		return err
	}
	rest, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	next := l.path + ".new"
	if err := os.WriteFile(next, rest, 0o600); err != nil {
		return err
	}
	return os.Rename(next, l.path)
}

// Calls reads the ledger, the oldest first. Lines that cannot be read, such as
// one that a crash left half written, are passed over.
func (l *Ledger) Calls() ([]Call, error) {
	if l == nil {
		return nil, nil
	}
	f, err := os.Open(l.path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("ledger of calls: %w", err)
	}
	defer f.Close()
	var calls []Call
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var c Call
		if json.Unmarshal(lines.Bytes(), &c) == nil {
			calls = append(calls, c)
		}
	}
	return calls, lines.Err()
}
