package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/memsync/memsync/cmd/internal/daemon"
	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/cmd/internal/service"
	"github.com/memsync/memsync/vault"
)

// watching checks the daemon, what a dead one left behind, and whether the system
// lets so many folders be watched.
func (e *examination) watching(ctx context.Context) error {
	state := daemon.ReadState(e.s.places.State)
	switch {
	case state.PID == 0:
		e.fine("watch", "not running: edits are indexed by the next search and committed by the next run that touches them")
	case daemonNow(e.s.places.State) == nil:
		e.deadDaemon(state)
	default:
		e.livingDaemon(e.present(ctx, state))
	}
	if e.a.host == nil {
		e.staleLock()
	}
	if err := e.leftovers(ctx); err != nil {
		return err
	}
	return e.watchLimit(ctx)
}

// deadDaemon finds what a daemon left that was killed.
func (e *examination) deadDaemon(state daemon.State) {
	if !e.opts.fix {
		e.found("watch", stateNote, "memsync doctor --fix", "process %d ended without a word, last seen %s", state.PID, ago(e.a.now(), state.Beat))
		return
	}
	if err := daemon.RemoveState(e.s.places.State, state); err != nil {
		e.found("watch", stateBroken, "", "what a daemon that was killed left cannot be removed: %v", err)
		return
	}
	e.found("watch", stateFixed, "", "removed what a daemon left that was killed (process %d)", state.PID)
}

// present is what a daemon says of itself now; what it wrote last, up to 30 s ago,
// where it does not answer.
func (e *examination) present(ctx context.Context, last daemon.State) daemon.State {
	ctx, stop := context.WithTimeout(ctx, presentTimeout)
	defer stop()
	var out bytes.Buffer
	r := daemon.Request{Version: buildID(), Args: []string{"status", "--json", "--vault", e.s.dir}, Dir: e.s.dir, Env: e.a.environment()}
	if status, err := daemon.Relay(ctx, last.Socket, r, strings.NewReader(""), &out, io.Discard); err != nil || status != exitDone {
		return last
	}
	var now struct {
		Daemon daemon.State `json:"daemon"`
	}
	if json.Unmarshal(out.Bytes(), &now) != nil || now.Daemon.PID != last.PID {
		return last
	}
	return now.Daemon
}

// presentTimeout bounds the wait for a daemon that says how it is: it looks through
// the vault for that.
const presentTimeout = 10 * time.Second

func (e *examination) livingDaemon(state daemon.State) {
	restart := "kill " + strconv.Itoa(state.PID) + " && memsync watch"
	var refused *daemon.RefusedError
	switch err := daemon.Answers(state.Socket, buildID()); {
	case errors.As(err, &refused):
		e.found("watch", stateNote, restart, "the daemon is of another version: commands work without it")
	case err != nil:
		e.found("watch", stateBroken, restart, "process %d holds the vault and does not answer at %s", state.PID, state.Socket)
	case state.Stuck(e.a.now()):
		e.found("watch", stateBroken, restart, "process %d gives no sign of life, last seen %s", state.PID, ago(e.a.now(), state.Beat))
	case state.Error != "" || state.Watch.Error != "":
		e.found("watch", stateBroken, "", "the vault is not followed: %s", strings.TrimSpace(state.Error+" "+state.Watch.Error))
	default:
		e.fine("watch", "process %d, last look at the vault %s", state.PID, ago(e.a.now(), state.Watch.Last))
	}
	if state.Watch.Polled > 0 {
		e.found("watch", stateNote, "", "%s looked at every few seconds only: %s",
			output.Count(state.Watch.Polled, "folder is", "folders are"), state.Watch.Why)
	}
	if state.Edits.Waits != "" {
		e.found("watch", stateNote, "git status", "your edits are not committed: %s", state.Edits.Waits)
	}
	for _, h := range state.Edits.Held {
		e.found("watch", stateNote, "", "%s is not committed: %s", h.Path, h.Reason)
	}
}

// staleLock finds the words of a process that died with the vault's lock, which
// the system took back.
func (e *examination) staleLock() {
	h := vault.ReadHolder(e.s.places.State)
	if h.PID == 0 || alive(h.PID) {
		return
	}
	if !e.opts.fix {
		e.found("lock", stateNote, "memsync doctor --fix", "process %d (%s) ended without giving the lock back; the next writer gets it all the same", h.PID, h.What)
		return
	}
	lock, err := vault.Acquire(e.s.places.State, vault.Holder{PID: os.Getpid(), What: "doctor", Since: e.a.now()})
	if err == nil {
		err = lock.Release() // which takes the words away
	}
	if err != nil {
		e.found("lock", stateNote, "", "%v", err)
		return
	}
	e.found("lock", stateFixed, "", "cleared the lock of a process that died")
}

// leftovers finds temporary files of writes that died.
func (e *examination) leftovers(ctx context.Context) error {
	n := 0
	err := filepath.WalkDir(e.s.dir, func(_ string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return nil // the check of the notes names it
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && d.Name() != ".":
			return fs.SkipDir
		case vault.IsTemp(d.Name()):
			n++
		}
		return nil
	})
	if err != nil || n == 0 {
		return err
	}
	if !e.opts.fix {
		e.found("vault", stateNote, "memsync doctor --fix", "%s of an interrupted write", output.Count(n, "temporary file", "temporary files"))
		return nil
	}
	lock, err := vault.Acquire(e.s.places.State, vault.Holder{PID: os.Getpid(), What: "doctor", Since: e.a.now()})
	var locked *vault.LockedError
	if errors.As(err, &locked) {
		e.found("vault", stateNote, "", "%s may belong to what writes now: %v", output.Count(n, "temporary file", "temporary files"), err)
		return nil
	}
	if err != nil {
		return err
	}
	if err := errors.Join(e.s.vault.Sweep(), lock.Release()); err != nil {
		return err
	}
	e.found("vault", stateFixed, "", "removed %s of an interrupted write", output.Count(n, "temporary file", "temporary files"))
	return nil
}

// service compares the unit that starts the daemon at login, where there is one,
// with what this program would write now.
func (e *examination) service(context.Context) error {
	_, _, at, err := e.a.settings()
	if err != nil {
		return err
	}
	unit, err := e.a.unit(e.s.dir, at)
	if errors.Is(err, service.ErrUnsupported) {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := os.Lstat(unit.File); err != nil || unit.Installed() {
		return nil
	}
	e.found("watch", stateNote, "memsync watch --install", "%s is not as this program would write it: it may start another memsync, or none", unit.File)
	return nil
}

// watchLimits is where Linux says how many folders a person may watch.
const watchLimits = "/proc/sys/fs/inotify/max_user_watches"

// watchLimit compares the vault's folders with how many the system lets be
// watched, where it says so.
func (e *examination) watchLimit(ctx context.Context) error {
	raw, err := os.ReadFile(watchLimits)
	if err != nil {
		return nil // not Linux
	}
	most, err := strconv.Atoi(strings.TrimSpace(string(raw)))
	if err != nil {
		return nil
	}
	entries, _, err := e.s.vault.Walk(ctx)
	if err != nil {
		return err
	}
	folders := map[vault.Path]bool{}
	for _, n := range entries {
		folders[n.Path.Dir()] = true
	}
	if text, try := tooManyFolders(len(folders), most); text != "" {
		e.found("watch", stateNote, try, "%s", text)
	}
	return nil
}

// tooManyFolders says that a vault's folders come near to what may be watched; ""
// where they do not. The limit is the person's as a whole: their editor and
// desktop watch too, so half of it is near.
func tooManyFolders(folders, most int) (text, try string) {
	if 2*folders <= most {
		return "", ""
	}
	return fmt.Sprintf("the vault has %d folders and the system lets %d be watched; the rest is looked at every few seconds", folders, most),
		"sudo sysctl fs.inotify.max_user_watches=" + strconv.Itoa(8*folders)
}
