package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Operated is what memory_ops answers.
type Operated struct {
	Applied  []Applied  `json:"applied"`
	Rejected []Rejected `json:"rejected" jsonschema:"what was refused; mend it and send only that again"`
	Commit   string     `json:"commit" jsonschema:"the commit that holds the change; empty where nothing changed"`
	DryRun   bool       `json:"dry_run"`
}

// Applied is an operation that was carried out.
type Applied struct {
	Op    string `json:"op"`
	Index int    `json:"index"`
	ID    string `json:"id" jsonschema:"the claim that it made or changed"`
	Path  string `json:"path"`
	Note  string `json:"note,omitempty"`
}

// Rejected is an operation that was refused.
type Rejected struct {
	Op      string `json:"op"`
	Index   int    `json:"index" jsonschema:"its place in its list, from 0"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// addOps offers the operations in the schema that the validator has.
func (s *Server) addOps(m *mcp.Server) {
	var in jsonschema.Schema
	if err := json.Unmarshal(s.cfg.Operations, &in); err != nil { // our own, and a test reads it
		panic(err)
	}
	in.Properties = maps.Clone(in.Properties)
	in.Properties["dry_run"] = &jsonschema.Schema{Type: "boolean", Description: "say what would be applied, and change nothing"}
	yes, no := true, false
	mcp.AddTool(m, &mcp.Tool{
		Name:  "memory_ops",
		Title: "Change the memory",
		Description: `Change claims of the memory: create, update, supersede, delete, pin. Each operation must name turns of transcripts ` +
			`that prove it and quote words that stand in them exactly; find them with memory_search (type transcript) and memory_get. ` +
			`What proves nothing is refused with its reason, the rest is applied as one commit that the person can revert.`,
		InputSchema: &in, OutputSchema: schemaOf[Operated](),
		Annotations: &mcp.ToolAnnotations{Title: "Change the memory", DestructiveHint: &yes, IdempotentHint: true, OpenWorldHint: &no},
	}, func(ctx context.Context, _ *mcp.CallToolRequest, in map[string]any) (*mcp.CallToolResult, Operated, error) {
		dryRun, _ := in["dry_run"].(bool)
		delete(in, "dry_run")
		raw, err := json.Marshal(in)
		if err != nil {
			return nil, Operated{}, err
		}
		done, err := s.memory.Operate(ctx, raw, dryRun)
		if err != nil {
			return nil, Operated{}, err
		}
		for i := range done.Rejected {
			done.Rejected[i].Message = s.cfg.Clean(done.Rejected[i].Message)
		}
		done.Applied = slices.Grow(done.Applied, 1)[:len(done.Applied)] // lists, never null
		done.Rejected = slices.Grow(done.Rejected, 1)[:len(done.Rejected)]
		r := text(done.text())
		r.IsError = len(done.Rejected) > 0 && len(done.Applied) == 0
		return r, done, nil
	})
}

func (d Operated) text() string {
	var b strings.Builder
	verb := "applied"
	if d.DryRun {
		verb = "would apply"
	}
	for _, a := range d.Applied {
		fmt.Fprintf(&b, "%s: %s[%d] %s in %s", verb, a.Op, a.Index, a.ID, a.Path)
		if a.Note != "" {
			b.WriteString(" (" + a.Note + ")")
		}
		b.WriteString("\n")
	}
	for _, r := range d.Rejected {
		fmt.Fprintf(&b, "refused: %s[%d]: %s (%s)\n", r.Op, r.Index, r.Message, r.Reason)
	}
	if b.Len() == 0 {
		b.WriteString("nothing to do: no operation was given\n")
	}
	return b.String()
}
