package main

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/index/pack"
	"github.com/memsync/memsync/vault"
)

func newExportCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "export",
		GroupID: groupRead,
		Short:   "Write what is remembered in the form of another program",
		Long: `Write what is remembered for another program to read. Secrets are taken out,
whatever the vault keeps, and what is no longer in force is left out.`,
		Example: `  memsync export profile --json
  memsync export profile`,
		Args: words(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newExportProfileCommand(a))
	return cmd
}

func newExportProfileCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "profile",
		Short: "Write the compact snapshot that an assistant loads at its start",
		Long: `Write a compact snapshot of the profile: the card, and the facts in force with
their confidence, when they were first and last seen, and the messages that
prove them. A fact that no message in the vault proves is not in it, and is
counted. At most 200 facts go in, those of the highest priority.`,
		Example: `  memsync export profile --json > profile.json
  memsync export profile`,
		Args: words(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runExportProfile(cmd.Context(), a)
		},
	}
}

func runExportProfile(ctx context.Context, a *app) (err error) {
	s, err := a.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	m, err := a.memoryOf(s, nil, nil)
	if err != nil {
		return err
	}
	r := snapshot{GeneratedAt: rfc3339(a.now())}
	if n, err := s.vault.Note(s.vault.Layout().Profile()); err == nil {
		r.Name, r.Timezone = m.Clean(n.Prop("name")), n.Prop("timezone")
		r.Card = m.Clean(strings.TrimSpace(vault.Visible(string(n.Body()))))
	}
	claims, err := m.Maker().Claims(ctx, a.now())
	if err != nil {
		return err
	}
	slices.SortStableFunc(claims, func(a, b pack.Claim) int {
		return cmp.Or(cmp.Compare(b.Priority, a.Priority), cmp.Compare(a.Key(), b.Key()))
	})
	all, _, err := s.vault.Walk(ctx)
	if err != nil {
		return err
	}
	var paths []vault.Path
	for _, e := range all {
		paths = append(paths, e.Path)
	}
	proof := proofs{v: s.vault, notes: vault.NewResolver(paths), read: map[vault.Path]*vault.Transcript{}}
	for _, c := range claims {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !c.InForce() || c.Status == "proposed" {
			continue
		}
		links, messages := proof.of(c)
		switch {
		case len(messages) == 0:
			r.Unproved++
			continue
		case len(r.Facts) == snapshotFacts:
			r.Dropped++
			continue
		}
		f := snapshotFact{
			ID: c.Key(), Text: m.Clean(vault.Fold(vault.Visible(c.Text))), Category: c.Kind,
			FirstSeenAt: c.FirstSeen, LastSeenAt: cmp.Or(c.LastSeen, c.FirstSeen), Evidence: messages, Turns: links,
			Domain: c.Domain, Topic: c.Topic, Priority: c.Priority,
		}
		if c.Confidence >= 0 {
			f.Confidence = &c.Confidence
		}
		r.Facts = append(r.Facts, f)
	}
	return a.print(r)
}

// proofs finds the messages that prove claims.
type proofs struct {
	v     *vault.Vault
	notes *vault.Resolver
	read  map[vault.Path]*vault.Transcript // nil for what is no transcript of the vault's
}

// of returns the turns that prove a claim and are in the vault, as links, and the ids of
// their messages. A turn that a person took out proves nothing any more.
func (p proofs) of(c pack.Claim) (links, messages []string) {
	for _, e := range c.From {
		path, ok := p.notes.Resolve(e.Link, c.Path)
		if !ok {
			continue
		}
		t, known := p.read[path]
		if !known {
			if n, err := p.v.Note(path); err == nil && n.Type() == vault.TypeTranscript {
				t = vault.ParseTranscript(n)
			}
			p.read[path] = t
		}
		if t == nil {
			continue
		}
		if turn, ok := t.Turn(e.Link.Block); ok && turn.MessageID != "" {
			link := e.Link
			link.Alias = ""
			links, messages = append(links, strings.Trim(link.String(), "[]")), append(messages, turn.MessageID)
		}
	}
	return links, messages
}

// snapshotFacts bounds a snapshot: some 5,000 tokens of facts, those of the
// highest priority.
const snapshotFacts = 200

// A snapshot is the profile as a program loads it.
type snapshot struct {
	GeneratedAt string         `json:"generated_at"`
	Name        string         `json:"name"`
	Timezone    string         `json:"timezone"`
	Card        string         `json:"card"`
	Facts       []snapshotFact `json:"facts"`
	// Dropped counts facts beyond the bound, Unproved those that no turn in the
	// vault proves, which are not in it.
	Dropped  int `json:"dropped"`
	Unproved int `json:"unproved"`
}

// A snapshotFact is a fact with its proof. Its first fields are those of the profile
// of source 4, under their names there.
type snapshotFact struct {
	Text     string `json:"fact_text"`
	Category string `json:"category"`
	// Confidence is from 0 to 1, null where none is given.
	Confidence  *float64 `json:"confidence"`
	FirstSeenAt string   `json:"first_seen_at"`
	LastSeenAt  string   `json:"last_seen_at"`
	// Evidence are the ids that the messages have at their provider, Turns where
	// they stand in the vault.
	Evidence []string `json:"evidence_message_ids"`
	Turns    []string `json:"evidence_turns"`
	ID       string   `json:"id"`
	Domain   string   `json:"domain"`
	Topic    string   `json:"topic"`
	Priority float64  `json:"priority"`
}

func (s snapshot) Text(p *output.Page) {
	if s.Card != "" {
		p.Printf("%s\n\n", output.Plain(s.Card))
	}
	for _, f := range s.Facts {
		p.Printf("- [%s] %s (%s; %s)\n", f.Category, output.Plain(f.Text), f.LastSeenAt, f.ID)
	}
	if s.Dropped > 0 {
		p.Println(p.Dim("(" + output.Count(s.Dropped, "fact", "facts") + " of lower priority left out)"))
	}
	if s.Unproved > 0 {
		p.Println(p.Dim("(" + output.Count(s.Unproved, "fact", "facts") + " without a turn that proves it left out)"))
	}
}
