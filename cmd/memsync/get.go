package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/answer"
	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/vault"
)

type getOptions struct {
	at string
}

func newGetCommand(a *app) *cobra.Command {
	var opts getOptions
	cmd := &cobra.Command{
		Use:     "get ID...",
		GroupID: groupRead,
		Short:   "Print notes, turns and claims by their ids",
		Long: `Print what an id names, in full: a note by its path or id, a turn or a claim by
note#^block, a range of a transcript by note#^first..last, a passage by
path:line, a turn by its provider's message id. These are the ids that memsync
search prints. Secrets that somebody wrote into a note by hand are left out.`,
		Example: `  memsync get profile.md
  memsync get tr-7f2k9q#^t0003 --json
  memsync get tr-7f2k9q#^t0003..t0009
  memsync get MEMORY.md --at 2025-09-01`,
		Args: words(1, -1, "the id of what to print"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runGet(cmd.Context(), a, args, opts)
		},
	}
	cmd.Flags().StringVar(&opts.at, "at", "", "as it was at a revision or on a date")
	return cmd
}

func runGet(ctx context.Context, a *app, ids []string, opts getOptions) (err error) {
	a.brief()
	s, err := a.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	x, err := a.openReader(ctx, s, opts.at)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	clean, err := s.strictAfter()
	if err != nil {
		return err
	}
	r := getResult{Fresh: x.fresh, Notes: x.notes}
	var failed []error
	for _, id := range ids {
		items, err := x.Get(ctx, id)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		for _, found := range items {
			it, err := newItem(id, found, x.read, clean)
			if err != nil {
				failed = append(failed, err)
				continue
			}
			r.Items = append(r.Items, it)
		}
	}
	if len(r.Items) == 0 && len(failed) > 0 {
		return errors.Join(failed...)
	}
	if err := a.print(r); err != nil {
		return err
	}
	a.countAccess(s, r.Items)
	if len(failed) > 0 {
		return &partlyError{errors.Join(failed...)}
	}
	return nil
}

type getResult struct {
	Items []item   `json:"items"`
	Fresh bool     `json:"fresh"`
	Notes []string `json:"notes"`
}

// An item is a note, or a part of one.
type item struct {
	ID    string     `json:"id"`
	Path  vault.Path `json:"path"`
	Line  int        `json:"line"`
	Type  string     `json:"type"`
	Title string     `json:"title"`
	Text  string     `json:"text"`
	// ConversationID, MessageIDs, Provider, Speaker and CreatedAt belong to a
	// turn of a conversation.
	ConversationID string   `json:"conversation_id"`
	MessageIDs     []string `json:"message_ids"`
	Provider       string   `json:"provider"`
	Speaker        string   `json:"speaker,omitempty"`
	CreatedAt      string   `json:"created_at"`
}

// newItem makes an item of what the index found, secrets taken out. A whole note is
// read from the vault, so that nothing of its form is lost.
func newItem(id string, found index.Item, read func(vault.Path) ([]byte, error), clean func(previous, text string) string) (item, error) {
	it := item{ID: found.NoteID, Path: vault.Path(found.Path), Line: found.Line, Type: found.Type, Title: clean("", found.Title)}
	for i, c := range found.Chunks {
		if i == 0 {
			it.ConversationID, it.Provider, it.Speaker, it.CreatedAt = c.ConversationID, c.Provider, c.Speaker, rfc3339(c.Time)
		}
		it.MessageIDs = append(it.MessageIDs, c.MessageIDs...)
	}
	if id == found.NoteID || id == found.Path || strings.EqualFold(id, found.Title) {
		raw, err := read(it.Path)
		if err != nil {
			return it, err
		}
		n := vault.Parse(it.Path, raw)
		it.Text, it.Line, it.Speaker = answer.CleanBody(n, clean), n.Line(n.BodyStart()), ""
		return it, nil
	}
	it.ID, it.Speaker, it.Text = found.ID(), found.Speaker(), clean("", found.Text())
	return it, nil
}

func (r getResult) Text(p *output.Page) {
	for i, it := range r.Items {
		if len(r.Items) > 1 {
			if i > 0 {
				p.Println()
			}
			p.Printf("%s\n", p.Bold(output.Plain(string(it.Path))))
		}
		text := output.Plain(it.Text)
		p.Printf("%s", text)
		if !strings.HasSuffix(text, "\n") {
			p.Println()
		}
	}
	for _, n := range r.Notes {
		p.Println(p.Dim("(" + n + ")"))
	}
}
