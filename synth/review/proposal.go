// Package review keeps what waits for the person: proposals, each a note in
// review/ that says what would change, why, and what was said.
//
// A proposal is decided on the command line or in Obsidian, by ticking one of its
// two boxes. Its diff may be edited before it is accepted. What is declined is
// remembered as a salted hash, like all that the person removed, and not proposed
// again; deleting the note declines it too.
package review

import (
	"errors"
	"fmt"
	"strings"

	"github.com/memsync/memsync/vault"
)

// What a proposal would do.
const (
	// Create adds the added lines to a ledger.
	Create = "create"
	// Supersede moves the removed lines of a ledger below "Superseded" and adds
	// the added ones in their place.
	Supersede = "supersede"
	// Replace applies the diff to the pages that it names.
	Replace = "replace"
	// Notice changes nothing: accepting it takes note of it.
	Notice = "notice"
)

// A Proposal is something that memsync would do and the person decides.
type Proposal struct {
	// Path is the proposal's note.
	Path    vault.Path `json:"path"`
	ID      string     `json:"id"`
	Title   string     `json:"title"`
	Action  string     `json:"action"`
	Target  vault.Path `json:"target"`
	Created string     `json:"created"` // YYYY-MM-DD
	// Reason is why it is proposed, in prose.
	Reason string `json:"reason"`
	// Diff is a unified diff; for ledgers only the lines that go and come.
	Diff string           `json:"diff"`
	From []vault.Evidence `json:"-"`
	// Accepted and Declined say which box is ticked.
	Accepted bool `json:"accepted"`
	Declined bool `json:"declined"`
}

// New makes a proposal; its id comes from what it would do. It is filed under the
// date created, in layout's review folder.
func New(l vault.Layout, p Proposal) Proposal {
	p.ID = vault.ContentID("pr", 6, p.Key())
	p.Path = l.Review(p.Created, p.Title)
	return p
}

// Key says what a proposal would do in a form that does not change with its
// wording around it: what is remembered of one that was declined.
func (p Proposal) Key() string {
	var b strings.Builder
	b.WriteString("proposal " + p.Action + " " + string(p.Target))
	for line := range strings.Lines(p.Diff) {
		line = strings.TrimRight(line, "\r\n")
		if p.Action == Replace {
			if strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-") {
				b.WriteString("\n" + line)
			}
			continue
		}
		if line == "" {
			continue
		}
		if c, ok := vault.ParseClaim(line[1:]); ok {
			b.WriteString("\n" + line[:1] + c.Text)
		}
	}
	return b.String()
}

const (
	acceptBox  = "accept"
	declineBox = "decline"
	editHint   = "Edit the added lines above before accepting, if they should read differently."
)

// Format writes the proposal's note.
func (p Proposal) Format() []byte {
	var b strings.Builder
	b.WriteString(vault.FormatFrontMatter(
		vault.NewProperty{Key: "id", Value: vault.Text(p.ID)},
		vault.NewProperty{Key: "type", Value: vault.Text(string(vault.TypeProposal))},
		vault.NewProperty{Key: "title", Value: vault.Text(p.Title)},
		vault.NewProperty{Key: "action", Value: vault.Text(p.Action)},
		vault.NewProperty{Key: "target", Value: vault.Text(vault.LinkTo(p.Target, "").String())},
		vault.NewProperty{Key: "created", Value: vault.Plain(p.Created)},
		vault.NewProperty{Key: "tags", Value: vault.List("proposal")},
	))
	b.WriteString("\n" + strings.TrimSpace(p.Reason) + "\n")
	if p.Diff != "" {
		fence := fenceFor(p.Diff)
		b.WriteString("\n" + fence + "diff\n" + strings.TrimRight(p.Diff, "\n") + "\n" + fence + "\n")
	}
	b.WriteString("\n- [ ] " + acceptBox + "\n- [ ] " + declineBox + "\n")
	if p.Diff != "" {
		b.WriteString("\n" + editHint + "\n")
	}
	for i, e := range p.From {
		sep := ",\n"
		if i == 0 {
			sep = "\nFrom: "
		}
		c := vault.Claim{Text: "x", From: []vault.Evidence{e}, Confidence: -1, Importance: -1}
		field := strings.TrimSuffix(strings.TrimPrefix(c.Format(), "- x (from:: "), ")")
		b.WriteString(sep + field)
	}
	if len(p.From) > 0 {
		b.WriteString(".\n")
	}
	return []byte(b.String())
}

func fenceFor(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence
}

// ErrProposal is wrapped by errors of a note that is no proposal.
var ErrProposal = errors.New("it is no proposal")

// Parse reads a proposal's note, as the person may have edited it.
func Parse(n *vault.Note) (Proposal, error) {
	p := Proposal{
		Path: n.Path, ID: n.ID(), Title: n.Title(), Action: n.Prop("action"), Created: n.Prop("created"),
	}
	if n.Type() != vault.TypeProposal {
		return p, fmt.Errorf("%s: %w", n.Path, ErrProposal)
	}
	if err := n.Err(); err != nil {
		return p, err
	}
	target := vault.ParseLink(strings.Trim(n.Prop("target"), "[]")).Target
	p.Target = vault.Path(strings.TrimSuffix(target, ".md") + ".md")
	fence := ""
	var reason, diff []string
	seen := false // the boxes or the diff: what stands before is the reason
	for line := range strings.Lines(string(n.Body())) {
		line = strings.TrimRight(line, "\r\n")
		mark := strings.TrimSpace(line)
		switch {
		case fence != "" && mark == fence:
			fence = ""
		case fence != "":
			diff = append(diff, line)
		case len(diff) == 0 && strings.HasPrefix(mark, "```") && strings.HasSuffix(mark, "`diff"):
			fence, seen = strings.TrimSuffix(mark, "diff"), true
		case ticked(mark, acceptBox) >= 0:
			p.Accepted, seen = ticked(mark, acceptBox) > 0, true
		case ticked(mark, declineBox) >= 0:
			p.Declined, seen = ticked(mark, declineBox) > 0, true
		case !seen:
			reason = append(reason, line)
		case strings.HasPrefix(mark, "From:"), strings.HasPrefix(mark, "[["):
			for _, part := range strings.Split(mark, "]]") {
				if i := strings.Index(part, "[["); i >= 0 {
					c, _ := vault.ParseClaim("- x (from:: " + part[i:] + "]])")
					p.From = append(p.From, c.From...)
				}
			}
		}
	}
	p.Reason = strings.TrimSpace(strings.Join(reason, "\n"))
	if len(diff) > 0 {
		p.Diff = strings.Join(diff, "\n") + "\n"
	}
	return p, nil
}

// ticked says whether a line is the box with a label: -1 no, 0 empty, 1 ticked.
func ticked(line, label string) int {
	rest, ok := strings.CutPrefix(line, "- [")
	if !ok || len(rest) < 3 || rest[1] != ']' || !strings.EqualFold(strings.TrimSpace(rest[2:]), label) {
		return -1
	}
	if rest[0] == ' ' {
		return 0
	}
	return 1
}

// Undecided reports whether neither box is ticked, or both.
func (p Proposal) Undecided() bool { return p.Accepted == p.Declined }
