package main

import (
	"context"
	"strconv"
	"time"

	"github.com/memsync/memsync/cmd/internal/daemon"
	"github.com/memsync/memsync/cmd/internal/output"
)

// A follower is the daemon as status shows it.
type follower struct {
	// Running says that its process is there, Stuck that it gives no sign of
	// life, Killed that it ended without a word.
	Running bool `json:"running"`
	Stuck   bool `json:"stuck"`
	Killed  bool `json:"killed"`
	daemon.State
}

func (f *follower) pid() string { return strconv.Itoa(f.PID) }

// follow asks the daemon how it does, and where that does not answer, its last
// words.
func (r *statusResult) follow(_ context.Context, a *app, s *session) error {
	state := daemon.ReadState(s.places.State)
	if a.hosts(s) {
		state = a.host.State()
	}
	r.LastReconcile = rfc3339(later(lastReconcile(s.places.State), state.Watch.Last))
	if state.PID == 0 {
		return nil
	}
	r.Daemon = &follower{State: state, Running: a.hosts(s) || daemonNow(s.places.State) != nil}
	r.Daemon.Killed = !r.Daemon.Running
	r.Daemon.Stuck = r.Daemon.Running && state.Stuck(a.now())
	if r.Daemon.Stuck {
		// It cannot tell, and the index may be behind what it believes.
		r.Notices = append(r.Notices, "the daemon does not do its work: end process "+r.Daemon.pid()+" and start memsync watch")
	}
	return nil
}

// text writes the lines about the daemon.
func (f *follower) text(p *output.Page, now time.Time, row func(name, format string, args ...any)) {
	switch {
	case f == nil:
		row("watch", "not running (memsync watch)")
		return
	case f.Killed:
		row("watch", "%s", p.Warn("not running: process "+output.Plain(f.pid())+" ended without a word, last seen "+ago(now, f.Beat)))
		return
	case f.Stuck:
		row("watch", "%s", p.Warn("process "+f.pid()+" gives no sign of life, last seen "+ago(now, f.Beat)))
	default:
		row("watch", "process %s since %s; %s watched, last look %s", f.pid(), f.Since.Local().Format(time.DateTime),
			output.Count(f.Watch.Folders, "folder", "folders"), ago(now, f.Watch.Last))
	}
	if f.Watch.Polled > 0 {
		row("", "%s polled: %s", output.Count(f.Watch.Polled, "folder is", "folders are"), f.Watch.Why)
	}
	for _, text := range []string{f.Error, f.Watch.Error, f.Edits.Error, f.Review.Error} {
		if text != "" {
			row("", "%s", p.Warn(output.Plain(text)))
		}
	}
	if f.Writing != "" {
		row("", "busy with %s", f.Writing)
	}
	if f.Edits.Waits != "" {
		row("edits", "not committed: %s", output.Plain(f.Edits.Waits))
	}
	for _, h := range f.Edits.Held {
		row("held", "%s: %s", output.Plain(string(h.Path)), h.Reason)
	}
	for _, h := range f.Review.Skipped {
		row("review", "%s is ticked and could not be carried out: %s", output.Plain(string(h.Path)), output.Plain(h.Reason))
	}
}
