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
their confidence, when they were first and last seen, and the turns that prove
them. A fact without a turn that proves it is not in it.`,
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
	for _, c := range claims {
		if !c.InForce() || c.Status == "proposed" || len(c.From) == 0 {
			continue
		}
		if len(r.Facts) == snapshotFacts {
			r.Dropped++
			continue
		}
		f := snapshotFact{
			ID: c.Key(), Text: m.Clean(vault.Fold(vault.Visible(c.Text))), Category: c.Kind, Confidence: c.Confidence,
			FirstSeenAt: c.FirstSeen, LastSeenAt: c.LastSeen, Domain: c.Domain, Topic: c.Topic, Priority: c.Priority,
		}
		for _, e := range c.From {
			link := e.Link
			link.Alias = ""
			f.Evidence = append(f.Evidence, strings.Trim(link.String(), "[]"))
		}
		r.Facts = append(r.Facts, f)
	}
	return a.print(r)
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
	// Dropped counts facts beyond the bound.
	Dropped int `json:"dropped"`
}

// A snapshotFact is a fact with its proof. Confidence is -1 where none is given.
type snapshotFact struct {
	ID          string   `json:"id"`
	Text        string   `json:"fact_text"`
	Category    string   `json:"category"`
	Confidence  float64  `json:"confidence"`
	FirstSeenAt string   `json:"first_seen_at"`
	LastSeenAt  string   `json:"last_seen_at"`
	Evidence    []string `json:"evidence_message_ids"`
	Domain      string   `json:"domain"`
	Topic       string   `json:"topic"`
	Priority    float64  `json:"priority"`
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
}
