package mcpserver

import (
	"context"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Message is what memory_context packs for.
type Message struct {
	Message string `json:"message" jsonschema:"the person's message that is about to be answered"`
	Intent  string `json:"intent,omitempty" jsonschema:"what the message wants; told from the message where not given"`
	Preset  string `json:"preset,omitempty" jsonschema:"how much to pack; small where not given"`
	Budget  int    `json:"budget,omitempty" jsonschema:"at most so many tokens; the preset's where not given"`
}

// A Pack is what memory_context answers.
type Pack struct {
	Intent string   `json:"intent"`
	Text   string   `json:"text" jsonschema:"the context, in sections"`
	Tokens int      `json:"tokens"`
	Budget int      `json:"budget"`
	Used   []string `json:"used" jsonschema:"the ids of all that is in it, for memory_get"`
	// Dropped and Notice say what is not in it, Fresh whether it is in step.
	Dropped int    `json:"dropped" jsonschema:"how many items did not fit"`
	Notice  string `json:"notice"`
	Fresh   bool   `json:"fresh" jsonschema:"whether the index was in step with the notes"`
}

// maxMessage is how many characters of a message are read. Its point stands in
// far fewer.
const maxMessage = 100_000

func (s *Server) addContext(m *mcp.Server) {
	in := schemaOf[Message]()
	in.Properties["message"].MinLength = ptr(1)
	in.Properties["message"].MaxLength = ptr(maxMessage)
	in.Properties["intent"].Enum = []any{"plan", "reflect", "recall", "decide", "nudge"}
	in.Properties["preset"].Enum = []any{"small", "large"}
	in.Properties["budget"].Minimum = ptr(1.0)
	mcp.AddTool(m, &mcp.Tool{
		Name:  "memory_context",
		Title: "Pack the context for a message",
		Description: `Pack what should be known before a message of the person is answered: the profile, what is in force, what was decided ` +
			`and what happened, within a budget of tokens, each item with its id. For one fact, memory_search is nearer.`,
		InputSchema: in, OutputSchema: schemaOf[Pack](),
		Annotations: reads("Pack the context for a message"),
	}, func(ctx context.Context, _ *mcp.CallToolRequest, in Message) (*mcp.CallToolResult, Pack, error) {
		if strings.TrimSpace(in.Message) == "" {
			return nil, Pack{}, errors.New("the message is empty: give the person's message")
		}
		p, err := s.memory.Context(ctx, in)
		if err != nil {
			return nil, Pack{}, err
		}
		if p.Text = s.cfg.Clean(p.Text); p.Used == nil {
			p.Used = []string{}
		}
		return text(p.Text), p, nil
	})
}
