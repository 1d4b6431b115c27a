package synth

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/memsync/memsync/synth/dedup"
	"github.com/memsync/memsync/synth/gate"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
)

// foldedSource links a conversation for merged_from, showing when its transcript
// ended.
func foldedSource(w *View, c conversation) vault.Link {
	ended := c.end.Property()
	if head, err := w.Head(c.path); err == nil {
		ended = transcriptEnd(head)
	}
	return vault.LinkTo(c.path, ended)
}

// folded is a session's page with another body, which a further transcript went
// into.
func folded(n *vault.Note, body string, from vault.Link, topics []string) (*vault.Note, error) {
	next := vault.Parse(n.Path, []byte(string(n.Bytes()[:n.BodyStart()])+"\n"+body))
	links := slices.DeleteFunc(n.MergedFrom(), func(l vault.Link) bool { return l.Target == from.Target })
	var items []string
	for _, l := range append(links, from) {
		items = append(items, l.String())
	}
	all := n.List("topics")
	for _, t := range topics {
		if len(all) < maxPhrases && !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	err := errors.Join(
		next.Set("tokens", vault.Number(Tokens(body))),
		next.Set("merged_from", vault.List(items...)),
	)
	if len(all) > 0 {
		err = errors.Join(err, next.Set("topics", vault.List(all...)))
	}
	return next, err
}

// lastMade is a generated page as memsync last made it, without what the person
// did to it since; the page itself where nothing else is known.
func (r *Runner) lastMade(ctx context.Context, n *vault.Note) (*vault.Note, error) {
	if raw, err := r.v.Read(r.v.Layout().Base(n.Path)); err == nil {
		return vault.Parse(n.Path, raw), nil
	}
	if r.cfg.History == nil || r.joint != nil && r.joint.Wrote(n.Path, vault.HashOf(n.Bytes())) {
		return n, nil // in no commit yet
	}
	raw, was, err := r.cfg.History.LastBy(ctx, n.Path, history.MachineEmail)
	if errors.Is(err, history.ErrNotFound) {
		return n, nil
	}
	if err != nil {
		return nil, err
	}
	if base, err := r.v.Read(r.v.Layout().Base(was.Path)); err == nil { // it was renamed
		raw = base
	}
	return vault.Parse(n.Path, raw), nil
}

// withMerged is the page that a session's own transcript gives, with what other
// transcripts brought into the session before.
func (r *Runner) withMerged(ctx context.Context, was *vault.Note, c conversation, page []byte) ([]byte, error) {
	if len(was.MergedFrom()) == 0 {
		return page, nil
	}
	made, err := r.lastMade(ctx, was)
	if err != nil {
		return nil, err
	}
	var foreign []string
	for line := range strings.Lines(bodyOf(made)) {
		links := vault.Parse("line.md", []byte(line)).Links()
		if len(links) > 0 && !slices.ContainsFunc(links, func(l vault.Link) bool { return l.Target == c.path.Stem() }) {
			foreign = append(foreign, strings.TrimRight(line, "\n"))
		}
	}
	next := vault.Parse(was.Path, page)
	body := bodyOf(next)
	own := strings.Split(strings.TrimRight(body, "\n"), "\n")
	for {
		if body = dedup.Union(strings.Join(own, "\n"), strings.Join(foreign, "\n")); Tokens(body) <= gate.SessionTokens {
			break
		}
		last := -1 // the last item of its own makes room
		for i, line := range own {
			if strings.HasPrefix(line, "- ") {
				last = i
			}
		}
		if last < 0 {
			body = bodyOf(next)
			break
		}
		own = slices.Delete(own, last, last+1)
	}
	links := made.MergedFrom()
	for i, l := range links {
		if next, err = folded(next, body, l, made.List("topics")); err != nil {
			return nil, err
		}
		if at := made.Prop("merged_at"); i == 0 && at != "" {
			err = next.Set("merged_at", vault.Plain(at))
		}
	}
	return next.Bytes(), err
}

// A sitting is a transcript that a session was made of.
type sitting struct {
	path vault.Path
	// id and version tell a pass whether it has read it.
	id, version string
}

// sittings are the transcripts of sessions: each session's own, and those that
// were merged into it.
func (w *View) sittings(sessions []*vault.Note) iter.Seq2[*vault.Note, sitting] {
	return func(yield func(*vault.Note, sitting) bool) {
		for _, s := range sessions {
			me := ""
			if name := s.Prop("me"); name != "" {
				me = " " + name
			}
			own := w.transcriptOf(s)
			if own.Target != "" && !yield(s, sitting{vault.Path(own.Target + ".md"), s.ID(), s.Prop("end") + me}) {
				return
			}
			for _, l := range w.mergedFrom(s) {
				if !yield(s, sitting{vault.Path(l.Target + ".md"), s.ID() + " " + l.Target, cmp.Or(l.Alias, s.Prop("end")) + me}) {
					return
				}
			}
		}
	}
}
