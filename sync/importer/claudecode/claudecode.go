// Package claudecode reads the session files of Claude Code.
//
// A session file has one JSON object a line, appended while the agent works.
// Most lines are the agent's own: calls to tools, their results, snapshots,
// reasoning. What is imported is what the person and the assistant said to each
// other; a session of megabytes comes to some kilobytes.
//
// Left out: tools and their results, reasoning, the conversations of subagents
// (isSidechain), lines that the program hides from the person (isMeta), and
// errors of the service that stand where an answer should. Kept but marked
// (vault.FlagMeta) is what stands among the person's messages without being the
// person's: output of local commands, and the summary that replaces the
// beginning of a conversation when it was compacted.
//
// The lines are in order. When the person went back and asked again, two
// questions answer the same message; the last one is the active path, the others
// are branches.
//
// The session may still be running, so an unfinished last line is no error. A
// file {"loglines": [...]}, as the web version saves sessions, is read too.
package claudecode

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path"
	"strings"

	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/sync/importer/jsonpull"
)

// Format reads sessions of Claude Code.
type Format struct{}

// Source is "claude-code".
func (Format) Source() string { return "claude-code" }

// Sniff recognises session lines by their types and members. A file in which
// only a subagent speaks is none.
func (Format) Sniff(name string, head []byte) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".txt", ".md", ".markdown", ".html":
		return false
	}
	s := importer.ShapeOf(head)
	if s.Has("loglines") && !s.List {
		return true
	}
	if !s.JSON || s.List || !s.HasType("user", "assistant", "summary", "system", "file-history-snapshot", "queue-operation", "progress", "attachment", "custom-title") {
		return false
	}
	if !s.Has("sessionId") && !s.Has("leafUuid") && !s.Has("messageId") && !s.Has("uuid") {
		return false
	}
	spoken, side := 0, 0
	for line := range bytes.Lines(head) {
		e, _ := parse(jsonpull.New(line))
		if e.kind == "user" || e.kind == "assistant" {
			spoken++
			if e.sidechain {
				side++
			}
		}
	}
	return spoken == 0 || side < spoken
}

// Read hands over the sessions of one file, each when the file is read.
func (Format) Read(ctx context.Context, in importer.Input, emit func(importer.Conversation) error, warn func(importer.Warning)) error {
	r := reader{in: in, byID: map[string]*session{}, warn: warn}
	head, err := importer.Head(in)
	if err != nil {
		return err
	}
	if s := importer.ShapeOf(head); s.Has("loglines") {
		err = r.loglines(ctx)
	} else {
		err = importer.Lines(ctx, in, r.line, warn)
	}
	for _, s := range r.sessions {
		if c := s.conversation(in.Name, r.titles); len(c.Turns) > 0 {
			if err := emit(c); err != nil {
				return err
			}
		}
	}
	return err
}

// A reader collects the lines of a file by session.
type reader struct {
	in       importer.Input
	sessions []*session // in order of appearance
	byID     map[string]*session
	titles   []title
	warn     func(importer.Warning)
}

func (r *reader) complain(line int, text string) {
	r.warn(importer.Warning{File: r.in.Name, Line: line, Text: text})
}

func (r *reader) line(number int, data []byte, ended bool) error {
	c := jsonpull.New(data)
	if c.Kind() != jsonpull.Object {
		if ended {
			r.complain(number, "the line is not an object and is left out")
		}
		return nil
	}
	e, t := parse(c)
	if err := c.Err(); err != nil {
		if ended { // else the program is still writing it
			r.complain(number, "the line is left out: "+err.Error()+" of it")
		}
		return nil
	}
	r.take(number, e, t, c.Replaced)
	return nil
}

func (r *reader) take(number int, e entry, t title, replaced int) {
	if t.text != "" {
		r.titles = append(r.titles, t)
	}
	if replaced > 0 {
		r.complain(number, "characters that are not Unicode became U+FFFD")
	}
	switch e.kind {
	case "user", "assistant":
		if e.wrong != "" {
			r.complain(number, "the message is left out: "+e.wrong)
			return
		}
	case "":
		r.complain(number, "the line has no type and is left out")
		return
	}
	s := r.byID[e.session]
	if s == nil {
		if e.session == "" && e.kind != "user" && e.kind != "assistant" {
			return // a title or a snapshot, of no session
		}
		s = &session{id: e.session, parents: map[string]string{}}
		r.byID[e.session] = s
		r.sessions = append(r.sessions, s)
	}
	s.add(e)
}

// loglines reads a file {"loglines": [...]}.
func (r *reader) loglines(ctx context.Context) error {
	file, err := r.in.Open()
	if err != nil {
		return err
	}
	defer file.Close()
	values := importer.NewValues(r.in.Name, importer.Text(file), "loglines")
	var buf []byte
	for {
		v, err := values.Next(buf)
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := r.line(v.Line, v.Raw, true); err != nil {
			return err
		}
		buf = v.Raw
	}
}
