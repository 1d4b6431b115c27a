package synth

import (
	"context"
	"slices"
	"strings"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/vault"
)

// unsay takes the lines out of summaries that say what a claim said, of the turns
// that proved it: an assistant is not to read there what was forgotten. Topics and
// the pages above are made of summaries, and follow. The statement is passed over
// when the summary is made anew (readConversation). A summary that the person edited
// loses the line as well: it is their word that it is to be forgotten.
func (r *Runner) unsay(ctx context.Context, w *View, c vault.Claim, made *Made) error {
	for _, folder := range []string{"sessions", "archive"} {
		notes, err := w.Notes(ctx, folder)
		if err != nil {
			return err
		}
		for _, n := range notes {
			body, gone := bodyOf(n), false
			if i := slices.IndexFunc(made.Pages, func(p Page) bool { return p.Path == n.Path }); i >= 0 {
				body = bodyOf(vault.Parse(n.Path, made.Pages[i].Data)) // two claims of one summary
			}
			var kept strings.Builder
			for line := range strings.Lines(body) {
				if w.says(line, c) {
					gone = true
					continue
				}
				kept.WriteString(line)
			}
			if !gone {
				continue
			}
			next := vault.Parse(n.Path, []byte(string(n.Bytes()[:n.BodyStart()])+"\n"+kept.String()))
			if next.Prop("tokens") != "" {
				if err := next.Set("tokens", vault.Number(Tokens(kept.String()))); err != nil {
					return err
				}
			}
			made.Pages = slices.DeleteFunc(made.Pages, func(p Page) bool { return p.Path == n.Path })
			made.edit(n.Path, vault.HashOf(n.Bytes()), next.Bytes())
		}
	}
	return nil
}

// says reports whether a line of a summary cites a turn that proved a claim, and
// says the same.
func (w *View) says(line string, c vault.Claim) bool {
	item, ok := strings.CutPrefix(line, "- ")
	if !ok || !strings.Contains(line, "[[") {
		return false
	}
	if extract.Overlap(Visible(item), c.Text) < sameLine {
		return false
	}
	return slices.ContainsFunc(vault.Parse("line.md", []byte(line)).Links(), func(l vault.Link) bool {
		return slices.ContainsFunc(c.From, func(e vault.Evidence) bool { return e.Link.Target == w.full(l) && e.Link.Block == l.Block })
	})
}
