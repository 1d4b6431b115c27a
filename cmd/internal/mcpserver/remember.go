package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Rememberer is a Memory that can take in a session. Where a Memory is one,
// memory_remember is offered.
type Rememberer interface {
	// Remember keeps a session and what it came to, as one commit. It fails only
	// where the session cannot be read or nothing can be written.
	Remember(ctx context.Context, s Session) (Remembered, error)
}

// A Session is what memory_remember is given.
type Session struct {
	ID    string `json:"id,omitempty" jsonschema:"the session's id, the same each time: later calls then add what is new; without it the first message is the session's identity"`
	Title string `json:"title,omitempty" jsonschema:"what the session is about, in a few words"`
	// Messages are what was said.
	Messages []Said `json:"messages" jsonschema:"what was said, word for word and in order; the whole session, or the part that matters"`
	// Remember are things that are to be kept in any case.
	Remember []Thing `json:"remember,omitempty" jsonschema:"things to keep in any case, each proved by words of a message; the rest of the session is summed up by itself"`
}

// Said is one message.
type Said struct {
	Role string `json:"role" jsonschema:"who said it: user or assistant"`
	Text string `json:"text" jsonschema:"the words, unchanged"`
	Time string `json:"time,omitempty" jsonschema:"when, as 2025-09-01T10:00:00Z; left out, now"`
}

// A Thing is a claim about the person and the words that prove it.
type Thing struct {
	Text       string `json:"text" jsonschema:"the claim, one sentence of at most 400 characters: Prefers weights in grams."`
	Kind       string `json:"kind" jsonschema:"decision, preference, constraint, entity, definition, task, correction, identity, relationship, event, goal, value or policy"`
	Quote      string `json:"quote" jsonschema:"words of one of the messages that prove it, copied exactly"`
	Domain     string `json:"domain,omitempty" jsonschema:"area of life: work, health, relationships, finance, learning, travel, home, leisure or general"`
	Topic      string `json:"topic,omitempty" jsonschema:"what it is about, in a word or two"`
	Supersedes string `json:"supersedes,omitempty" jsonschema:"id of the claim that it corrects, from memory_search"`
}

// Remembered is what memory_remember answers.
type Remembered struct {
	Commit      string     `json:"commit" jsonschema:"the commit that holds all of it; empty where nothing was new"`
	Transcripts []string   `json:"transcripts" jsonschema:"where the words stand now"`
	Notes       []string   `json:"notes" jsonschema:"what became of the session's summary, where it was merged into an older one or added nothing to it"`
	Applied     []Applied  `json:"applied"`
	Rejected    []Rejected `json:"rejected" jsonschema:"things that were refused; mend them and send only those again, with the messages that prove them"`
}

// addRemember offers a session's end, where the memory can take one in.
func (s *Server) addRemember(m *mcp.Server) {
	memory, ok := s.memory.(Rememberer)
	if !ok {
		return
	}
	no := false
	mcp.AddTool(m, &mcp.Tool{
		Name:  "memory_remember",
		Title: "Remember a session",
		Description: `Remember a conversation with the person: when it ends, or when they ask to remember something now. Give the messages word for word; ` +
			`they are kept, summed up and compared with what is known, as one commit that the person can revert. ` +
			`What must not be lost goes into "remember", each with a quote that stands in one of the messages; what proves nothing is refused with its reason. ` +
			`Do not use it for what memory_search, memory_get or memory_context told you.`,
		InputSchema: schemaOf[Session](), OutputSchema: schemaOf[Remembered](),
		Annotations: &mcp.ToolAnnotations{Title: "Remember a session", DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &no},
	}, func(ctx context.Context, _ *mcp.CallToolRequest, in Session) (*mcp.CallToolResult, Remembered, error) {
		if len(in.Messages) == 0 {
			return nil, Remembered{}, errors.New(`there are no messages: give what was said in "messages", and what is to be kept in "remember" with words of them`)
		}
		done, err := memory.Remember(ctx, in)
		if err != nil {
			return nil, Remembered{}, err
		}
		for i := range done.Rejected {
			done.Rejected[i].Message = s.cfg.Clean(done.Rejected[i].Message)
		}
		for i := range done.Notes {
			done.Notes[i] = s.cfg.Clean(done.Notes[i])
		}
		done.Applied = slices.Grow(done.Applied, 1)[:len(done.Applied)] // lists, never null
		done.Rejected = slices.Grow(done.Rejected, 1)[:len(done.Rejected)]
		done.Transcripts = slices.Grow(done.Transcripts, 1)[:len(done.Transcripts)]
		done.Notes = slices.Grow(done.Notes, 1)[:len(done.Notes)]
		r := text(done.text())
		r.IsError = done.Commit == "" && len(done.Rejected) > 0
		return r, done, nil
	})
}

func (d Remembered) text() string {
	var b strings.Builder
	if d.Commit == "" {
		b.WriteString("nothing new was said: the session is remembered already\n")
	} else {
		fmt.Fprintf(&b, "remembered in commit %.10s\n", d.Commit)
	}
	for _, p := range d.Transcripts {
		b.WriteString("kept word for word: " + p + "\n")
	}
	for _, n := range d.Notes {
		b.WriteString(n + "\n")
	}
	for _, a := range d.Applied {
		fmt.Fprintf(&b, "filed: %s in %s", a.ID, a.Path)
		if a.Note != "" {
			b.WriteString(" (" + a.Note + ")")
		}
		b.WriteString("\n")
	}
	for _, r := range d.Rejected {
		fmt.Fprintf(&b, "refused: remember[%d]: %s (%s)\n", r.Index, r.Message, r.Reason)
	}
	return b.String()
}
