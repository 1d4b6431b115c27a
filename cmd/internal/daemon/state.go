package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/memsync/memsync/sync/watch"
)

// A State is what a daemon says of itself.
type State struct {
	PID     int       `json:"pid"`
	Since   time.Time `json:"since"`
	Version string    `json:"version"`
	Vault   string    `json:"vault"`
	Socket  string    `json:"socket"`
	// Beat is when this was written. A daemon that works writes it every 30 s.
	Beat time.Time `json:"beat"`
	// Watch says how the watching goes, and when the vault was last looked at.
	Watch watch.Status `json:"watch"`
	// Changed is when the index last changed, Pending how many of its chunks
	// wait for the embedding model, Problems how many notes are not indexed as
	// a whole.
	Changed  time.Time `json:"changed,omitzero"`
	Pending  int       `json:"pending"`
	Problems int       `json:"problems"`
	// Writing is what writes the vault now, empty for nothing.
	Writing string `json:"writing,omitempty"`
	Edits   Edits  `json:"edits"`
	// Review says what became of boxes that were ticked in review/.
	Review Review `json:"review"`
	// Commands counts those served, Clients those being served.
	Commands int64 `json:"commands"`
	Clients  int   `json:"clients"`
	// Error is why the vault is not followed, empty where it is.
	Error string `json:"error,omitempty"`
}

// Edits say what became of the person's edits.
type Edits struct {
	// Commit is the last commit of edits, When it was made.
	Commit string    `json:"commit,omitempty"`
	When   time.Time `json:"when,omitzero"`
	// Held are not committed, each for a reason; Waits is why none is.
	Held  []watch.Held `json:"held"`
	Waits string       `json:"waits,omitempty"`
	Error string       `json:"error,omitempty"`
}

// Review says what became of decisions that were made in the notes.
type Review struct {
	// Commit is the last commit of decisions, When it was made.
	Commit string    `json:"commit,omitempty"`
	When   time.Time `json:"when,omitzero"`
	// Skipped could not be carried out, each for a reason.
	Skipped []watch.Held `json:"skipped,omitempty"`
	Error   string       `json:"error,omitempty"`
}

// late is how old a beat may be before its daemon counts as stuck: four beats,
// so that a machine under load is not slandered.
const late = 2 * time.Minute

// Stuck reports whether a daemon that runs has not given a sign for too long, or
// has not looked at the vault, where that is there.
func (s State) Stuck(now time.Time) bool {
	return now.Sub(s.Beat) > late || s.Error == "" && !s.Watch.Last.IsZero() && now.Sub(s.Watch.Last) > longestLook
}

// Stuck reports whether the daemon has failed to look at the vault, or is at one
// look, for longer than any look should take.
func (d *Daemon) Stuck(now time.Time) bool {
	o, done := d.Open()
	defer done()
	if o == nil {
		return false // waiting for the vault is work as well
	}
	last := o.watcher.Status().Last
	return !last.IsZero() && now.Sub(last) > longestLook
}

// longestLook is how long a look at the vault may take, or the looks may fail:
// building the index of a very large vault takes minutes.
const longestLook = 30 * time.Minute

func stateFile(dir string) string { return filepath.Join(dir, "daemon.json") }

// ReadState reads what the daemon of a vault last said of itself. The zero State
// means that there is none. One that was killed leaves its State behind.
func ReadState(dir string) State {
	var s State
	raw, err := os.ReadFile(stateFile(dir))
	if err != nil || json.Unmarshal(raw, &s) != nil {
		return State{}
	}
	return s
}

func (d *Daemon) set(change func(*State)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	change(&d.state)
}

// State says what the daemon is doing.
func (d *Daemon) State() State {
	o, done := d.Open()
	defer done()
	d.mu.Lock()
	s := d.state
	d.mu.Unlock()
	if o != nil {
		s.Watch = o.watcher.Status()
	}
	s.Beat = d.cfg.Now()
	return s
}

// beat writes the state every few seconds until ctx is done.
func (d *Daemon) beat(ctx context.Context) {
	t := time.NewTicker(d.cfg.Beat)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			d.show()
			d.rest(restAfter)
			d.cfg.Beats()
		}
	}
}

// show writes the state for others to read.
func (d *Daemon) show() {
	if err := d.writeState(); err != nil {
		d.cfg.Log.Warn("heartbeat", "error", err)
	}
}

// restAfter is how long nothing must change before memory that only updates and
// commits need is given back.
const restAfter = time.Minute

// rest gives memory back once after each change, when nothing has changed since
// for so long.
func (d *Daemon) rest(after time.Duration) {
	o, done := d.Open()
	defer done()
	d.mu.Lock()
	changed, rested := d.state.Changed, d.rested
	d.mu.Unlock()
	if o == nil || !changed.After(rested) || d.cfg.Now().Sub(changed) < after || !o.watcher.InStep() {
		return
	}
	o.Index.Rest()
	if o.Repo != nil {
		o.Repo.Rest()
	}
	debug.FreeOSMemory()
	d.mu.Lock()
	d.rested = changed
	d.mu.Unlock()
}

func (d *Daemon) writeState() error {
	raw, err := json.Marshal(d.State())
	if err != nil {
		return err
	}
	name := stateFile(d.cfg.State)
	if err := os.WriteFile(name+".tmp", raw, 0o600); err != nil {
		return err
	}
	return os.Rename(name+".tmp", name)
}

// RemoveState removes what a daemon that died left: its State and its socket.
func RemoveState(dir string, s State) error {
	var errs []error
	for _, name := range []string{s.Socket, stateFile(dir)} {
		if name == "" {
			continue
		}
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
