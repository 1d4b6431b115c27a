package synth

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/synth/salience"
	"github.com/memsync/memsync/vault"
)

// This file decides which transcripts are distilled when, and how deep. They
// are taken newest first, in windows; each window is one commit, so that a run
// that ends early leaves what it finished and the next one goes on below it.

// windowSize is the number of transcripts in a window: few enough that a window
// takes seconds and its texts a few MB, enough that a share of it means something.
const windowSize = 400

// A pending transcript has no session yet, or has grown since.
type pending struct {
	path    vault.Path
	id      string // source and the provider's id
	created string
	version string      // hash of the note, and what else decides about it
	session *vault.Note // the one it has
}

// A queue is the transcripts that wait, the newest first.
type queue struct {
	waits  []pending
	newest time.Time // of all transcripts
	vault  salience.Vault
	// twice are the sessions that went into another one and whose page is still there:
	// a run was killed before it took it away.
	twice []*vault.Note
}

// pending lists the transcripts that wait and were not tried in this run.
func (r *Runner) pending(ctx context.Context, w *View, made *Made) (q queue, err error) {
	byConversation := map[string]*vault.Note{}
	merged := map[vault.Path]string{} // into other sessions, and when they ended then
	for _, folder := range []string{"sessions", "archive"} {
		sessions, err := w.Notes(ctx, folder)
		if err != nil {
			return q, err
		}
		for _, n := range sessions {
			byConversation[conversationKey(n)] = n
			for _, l := range w.mergedFrom(n) {
				merged[vault.Path(l.Target+".md")] = l.Alias
			}
			if salience.Tier(n.Prop("tier")) == salience.Brief {
				q.vault.Brief++
			} else {
				q.vault.Deep++
			}
		}
	}
	heads, err := r.transcripts(ctx, w)
	if err != nil {
		return q, err
	}
	made.Skipped = append(made.Skipped, r.unread...)
	for _, h := range heads {
		if err := ctx.Err(); err != nil {
			return q, err
		}
		created, _ := vault.ParseStamp(cmp.Or(h.created, h.updated))
		if created.Time.After(q.newest) {
			q.newest = created.Time
		}
		session := byConversation[h.key]
		if ended, ok := merged[h.path]; ok && session == nil && (ended == "" || ended == h.ended) {
			continue
		} else if ok && session != nil && ended != "" && ended == session.Prop("end") {
			q.twice = append(q.twice, session)
			continue
		}
		me := r.meAmong(h.people)
		if session != nil && session.Prop("end") == h.ended && session.Prop("me") == me && !r.writtenAnew(session) {
			continue
		}
		if r.tried[h.key] {
			continue
		}
		version, ok := r.versions[h.path]
		if !ok {
			raw, err := r.v.Read(h.path)
			if err != nil {
				made.skip(h.path, err)
				continue
			}
			version = string(vault.HashOf(raw)) + " " + me
			r.versions[h.path] = version
		}
		c := pending{h.path, h.key, created.Property(), version, session}
		if r.done("summaries", c.id, c.version) {
			continue
		}
		q.waits = append(q.waits, c)
	}
	slices.SortStableFunc(q.waits, func(a, b pending) int {
		return cmp.Or(strings.Compare(b.created, a.created), strings.Compare(string(a.path), string(b.path)))
	})
	q.vault.Waiting, q.vault.All = len(q.waits)+len(r.tried), len(heads)
	return q, nil
}

func conversationKey(n *vault.Note) string { return n.Prop("source") + "\x00" + n.Prop("conversation") }

// meAmong is the name of the person's that stands among the people of a chat.
func (r *Runner) meAmong(people []string) string {
	for _, p := range people {
		if !roles[p] && r.isMe(p) {
			return p
		}
	}
	return ""
}

// window cuts the next window off those that wait and are not older than
// Config.Since: what a run before has begun, or the newest. rest are the others.
func (r *Runner) window(waits []pending) (window, rest []pending) {
	if !r.cfg.Since.IsZero() {
		since := vault.Stamp{Time: r.cfg.Since, Floating: true}.Property()
		waits = slices.DeleteFunc(slices.Clone(waits), func(p pending) bool { return p.created < since })
	}
	size := cmp.Or(r.cfg.Window, windowSize)
	if r.cfg.Bulk != nil {
		size = max(size, bulkWindow)
	}
	if window = r.depths.begun(waits); len(window) == 0 {
		window = waits
	}
	window = window[:min(len(window), size)]
	in := map[vault.Path]bool{}
	for _, p := range window {
		in[p.path] = true
	}
	return window, slices.DeleteFunc(slices.Clone(waits), func(p pending) bool { return in[p.path] })
}

// readAll reads the conversations of a window, several at a time.
func (r *Runner) readAll(ctx context.Context, window []pending) ([]conversation, []Skipped, error) {
	all := make([]conversation, len(window))
	failed := make([]error, len(window))
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(max(1, min(runtime.GOMAXPROCS(0), maxWorkers)))
	for i, p := range window {
		work.Go(func() error {
			raw, err := r.v.Read(p.path)
			if err != nil {
				failed[i] = err
				return ctx.Err()
			}
			all[i] = r.readConversation(vault.Parse(p.path, raw))
			return ctx.Err()
		})
	}
	if err := work.Wait(); err != nil {
		return nil, nil, err
	}
	var skipped []Skipped
	for i, err := range failed {
		if err != nil {
			skipped = append(skipped, Skipped{window[i].path, err.Error()})
		}
	}
	return all, skipped, nil
}

// maxWorkers bounds how many conversations are read at the same time; each holds
// its text in memory.
const maxWorkers = 8

// rate scores the conversations of a window and gives each its tier. What the
// vault's sessions and the window's other conversations are about tells what
// comes again.
func (r *Runner) rate(all []conversation, topics *topicNames, newest time.Time, v salience.Vault) {
	scores := make([]salience.Score, len(all))
	for i := range all {
		all[i].score = salience.Rate(all[i].signals(topics, newest))
		scores[i] = all[i].score
	}
	for i, tier := range r.cfg.Shares.Assign(scores, v) {
		all[i].tier = tier
		if all[i].summary != "" && tier == salience.Stored {
			all[i].tier = salience.Brief // its provider has summed it up already
		}
	}
}

// signals counts what a conversation's score is made of.
func (c *conversation) signals(topics *topicNames, newest time.Time) salience.Signals {
	s := salience.Signals{
		Age:   max(0, newest.Sub(c.start.Time)),
		Known: len(c.people) == 0 || c.me != "", Phrases: len(c.phrases),
	}
	for _, p := range c.phrases {
		if topics.shared[p.Key] > 1 {
			s.Shared++
		}
	}
	for _, st := range c.said {
		if st.Kind.Lasting() {
			s.Lasting += st.Score
		}
	}
	texts := c.texts
	if c.me != "" { // else texts are what everybody said
		for _, h := range c.heard {
			texts = append(texts[:len(texts):len(texts)], h.text)
		}
	}
	for i, t := range texts {
		words, events := salience.Count(t)
		s.Words, s.Events = s.Words+words, s.Events+events
		if i < len(c.texts) {
			s.Own += words
		}
		if salience.Moved(t) {
			s.Feeling++
		}
	}
	s.Names = len(extract.Names(texts, maxNames))
	return s
}

// maxNames bounds the names that are counted in a conversation.
const maxNames = 50

// Explain scores one transcript and says in which parts the score lies.
func (r *Runner) Explain(ctx context.Context, n *vault.Note) (salience.Score, error) {
	w := NewView(r.v)
	sessions, err := w.Notes(ctx, "sessions")
	if err != nil {
		return salience.Score{}, err
	}
	var made Made
	q, err := r.pending(ctx, w, &made)
	if err != nil {
		return salience.Score{}, err
	}
	c := r.readConversation(n) // pending has found out who the person is
	return salience.Rate(c.signals(newTopicNames(sessions, nil), q.newest)), nil
}
