package review

import (
	"errors"
	"fmt"
	"strings"

	"github.com/memsync/memsync/synth/ledger"
	"github.com/memsync/memsync/vault"
)

// ErrStale is wrapped where a diff does not fit the page any more.
var ErrStale = errors.New("the page has changed since and the diff no longer fits")

// ToLedger carries a proposal for a ledger out on the ledgers of a vault. The
// lines that it adds are the person's words now: their status is confirmed. day
// is the date of the decision.
func (p Proposal) ToLedger(books *ledger.Books, day string) error {
	var gone []string
	var come []vault.Claim
	for line := range strings.Lines(p.Diff) {
		line = strings.TrimRight(line, "\r\n")
		rest, added := strings.CutPrefix(line, "+")
		removed := false
		if !added {
			rest, removed = strings.CutPrefix(line, "-")
		}
		c, ok := vault.ParseClaim(strings.TrimSpace(rest))
		switch {
		case !ok || c.Text == "" && added:
		case added:
			come = append(come, c)
		case removed && c.ID != "":
			gone = append(gone, c.ID)
		}
	}
	if len(come) == 0 {
		return fmt.Errorf("%s: the diff adds no line to %s", p.Path, p.Target)
	}
	for _, id := range gone {
		if c, _, ok := books.Find(id); !ok {
			return fmt.Errorf("%s: %s: %w", p.Path, id, ErrStale)
		} else if c.Superseded {
			continue
		}
		until := day
		if come[0].FirstSeen != "" {
			until = come[0].FirstSeen
		}
		if err := books.Edit(id, func(n *vault.Note) error { return n.Supersede(id, until) }); err != nil {
			return err
		}
	}
	for _, c := range come {
		c.Status = "confirmed"
		if len(c.From) == 0 {
			c.From = p.From
		}
		c.Supersedes = append(c.Supersedes, gone...)
		if c.ID == "" {
			c.ID = vault.ContentID("s", 6, strings.ToLower(c.Text))
		}
		if c.Version == 0 && p.schema() {
			c.Version = 1
		}
		if _, at, ok := books.Find(c.ID); ok && (!p.schema() || at == p.Target) {
			err := books.Edit(c.ID, func(n *vault.Note) error {
				if len(gone) > 0 {
					if err := n.SetClaimField(c.ID, "supersedes", "[[#^"+gone[0]+"]]"); err != nil {
						return err
					}
				}
				return n.SetClaimField(c.ID, "status", "confirmed")
			})
			if err != nil {
				return err
			}
			continue
		}
		domain, topic := p.Target.Dir().Base(), p.Target.Name()
		books.Add(p.Target, string(domain), topic, c)
	}
	return nil
}

func (p Proposal) schema() bool {
	return strings.HasPrefix(string(p.Target), "schema/") || strings.Contains(string(p.Target), "/schema/")
}

// A Patched is a page with a diff applied.
type Patched struct {
	Path vault.Path
	Over vault.Hash
	Data []byte
}

// ToPages applies a Replace proposal's diff to the pages that it names. read
// returns a page's bytes, nil where there is none.
func (p Proposal) ToPages(read func(vault.Path) []byte) ([]Patched, error) {
	var out []Patched
	for _, f := range splitFiles(p.Diff, p.Target) {
		before := read(f.path)
		after, err := applyHunks(string(before), f.hunks)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", p.Path, f.path, err)
		}
		over := vault.NoFile
		if before != nil {
			over = vault.HashOf(before)
		}
		if after != string(before) {
			out = append(out, Patched{f.path, over, []byte(after)})
		}
	}
	return out, nil
}

type fileDiff struct {
	path  vault.Path
	hunks []hunk
}

// A hunk is a run of lines that stands in a page, and what is to stand there.
type hunk struct{ old, next string }

// splitFiles reads a unified diff leniently: people edit it, so the counts in its
// headers are not believed.
func splitFiles(diff string, target vault.Path) []fileDiff {
	files := []fileDiff{{path: target}}
	var h *hunk
	for line := range strings.Lines(diff) {
		f := &files[len(files)-1]
		text := strings.TrimRight(line, "\r\n") + "\n"
		switch {
		case strings.HasPrefix(text, "--- ") && h == nil, strings.HasPrefix(text, "diff "):
			h = nil
		case strings.HasPrefix(text, "+++ ") && h == nil:
			name := strings.TrimPrefix(strings.TrimSpace(text[4:]), "b/")
			if len(f.hunks) == 0 {
				f.path = vault.Path(name)
			} else {
				files = append(files, fileDiff{path: vault.Path(name)})
			}
		case strings.HasPrefix(text, "@@"):
			f.hunks = append(f.hunks, hunk{})
			h = &f.hunks[len(f.hunks)-1]
		case strings.HasPrefix(text, `\`):
		case strings.HasPrefix(text, endOfFile):
			h = nil
		case h == nil:
		case strings.HasPrefix(text, "+"):
			h.next += text[1:]
		case strings.HasPrefix(text, "-"):
			h.old += text[1:]
		default:
			if text != "\n" {
				text = text[1:]
			}
			h.old += text
			h.next += text
		}
	}
	return files
}

// endOfFile parts the diffs of several pages in one proposal.
const endOfFile = "=== end"

// JoinDiffs makes one diff of those of several pages.
func JoinDiffs(diffs []string) string {
	var b strings.Builder
	for _, d := range diffs {
		b.WriteString(strings.TrimRight(d, "\n") + "\n" + endOfFile + "\n")
	}
	return b.String()
}

// applyHunks puts each hunk where its old lines stand.
func applyHunks(page string, hunks []hunk) (string, error) {
	from := 0
	for _, h := range hunks {
		if h.old == "" {
			if page != "" {
				if strings.Contains(page, h.next) {
					continue
				}
				return "", ErrStale
			}
			page = h.next
			continue
		}
		i := lineIndex(page, h.old, from)
		if i < 0 {
			i = lineIndex(page, h.old, 0)
		}
		if i < 0 {
			return "", ErrStale
		}
		page = page[:i] + h.next + page[i+len(h.old):]
		from = i + len(h.next)
	}
	return page, nil
}

// lineIndex finds whole lines in a page, from an offset on.
func lineIndex(page, lines string, from int) int {
	for at := from; ; {
		i := strings.Index(page[at:], lines)
		if i < 0 {
			return -1
		}
		i += at
		if i == 0 || page[i-1] == '\n' {
			return i
		}
		at = i + 1
	}
}

// Reword puts another text into the one line that a proposal for a ledger adds,
// and changes no other byte of its note.
func (p Proposal) Reword(note, text string) (string, error) {
	if p.Action != Create && p.Action != Supersede {
		return "", fmt.Errorf("%s: it changes a page; edit the note itself", p.Path)
	}
	var added []string
	for line := range strings.Lines(p.Diff) {
		if strings.HasPrefix(line, "+") {
			added = append(added, strings.TrimRight(line, "\r\n"))
		}
	}
	c, ok := vault.Claim{}, false
	if len(added) == 1 {
		c, ok = vault.ParseClaim(strings.TrimPrefix(added[0], "+"))
	}
	if !ok {
		return "", fmt.Errorf("%s: it adds no single line; edit the note itself", p.Path)
	}
	c.Text = vault.Fold(text)
	return strings.Replace(note, "\n"+added[0]+"\n", "\n+"+c.Format()+"\n", 1), nil
}
