package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/answer"
	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/index/pack"
	"github.com/memsync/memsync/index/priority"
	"github.com/memsync/memsync/synth/salience"
	"github.com/memsync/memsync/vault"
)

func newInspectCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "inspect ID...",
		GroupID: groupRead,
		Short:   "Explain how a claim, a session or a turn stands",
		Long: `Explain an item: where it comes from, its priority with its parts, how warm it
is, what it replaces and what replaced it, a session's salience, a turn's flags.
The ids are those that search and context print.`,
		Example: `  memsync inspect f-4k7q
  memsync inspect tr-7f2k9q#^t0003 --json`,
		Args: words(1, -1, "the id of what to explain"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runInspect(cmd.Context(), a, args)
		},
	}
}

func runInspect(ctx context.Context, a *app, ids []string) (err error) {
	s, err := a.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	x, err := a.openReader(ctx, s, "")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	m, err := a.memoryOf(s, x, nil)
	if err != nil {
		return err
	}
	claims, err := m.Maker().Claims(ctx, a.now())
	if err != nil {
		return err
	}
	in := &inspector{m: m, claims: claims, now: a.now(), explain: s.explain}
	var r inspectResult
	var failed []error
	for _, id := range ids {
		it, err := in.item(ctx, x, id)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		r.Items = append(r.Items, it)
	}
	if len(r.Items) == 0 {
		return errors.Join(failed...)
	}
	if err := a.print(r); err != nil {
		return err
	}
	if len(failed) > 0 {
		return &partlyError{errors.Join(failed...)}
	}
	return nil
}

type inspectResult struct {
	Items []inspected `json:"items"`
}

// An inspected item is what there is to know of one.
type inspected struct {
	ID    string     `json:"id"`
	Path  vault.Path `json:"path"`
	Line  int        `json:"line"`
	Type  string     `json:"type"`
	Title string     `json:"title"`
	// Kind, Status, InForce, Confidence and the chain are a claim's. Confidence
	// is -1 where none is given.
	Kind         string   `json:"kind"`
	Status       string   `json:"status"`
	InForce      bool     `json:"in_force"`
	Confidence   float64  `json:"confidence"`
	FirstSeen    string   `json:"first_seen"`
	LastSeen     string   `json:"last_seen"`
	Until        string   `json:"until"`
	Supersedes   []string `json:"supersedes"`
	SupersededBy []string `json:"superseded_by"`
	From         []proof  `json:"from"`
	// Salience is a session's, Flags and Languages a turn's.
	Salience string `json:"salience"`
	// SalienceParts are the parts of the score as they stand today.
	SalienceParts []salience.Part `json:"salience_parts,omitempty"`
	Flags         []string        `json:"flags"`
	Languages     []string        `json:"languages"`
	Speaker       string          `json:"speaker"`
	Message       string          `json:"message_id"`
	Standing      *standing       `json:"standing,omitempty"`
}

type proof struct {
	Turn  string `json:"turn"`
	Quote string `json:"quote"`
}

// A standing is a priority with its parts, and a heat.
type standing struct {
	Priority     float64 `json:"priority"`
	Recency      float64 `json:"recency"`
	Importance   float64 `json:"importance"`
	Frequency    float64 `json:"frequency"`
	Energy       float64 `json:"energy"`
	HalfLifeDays float64 `json:"half_life_days"`
	Heat         string  `json:"heat"`
	Pinned       bool    `json:"pinned"`
	Accesses     int     `json:"accesses"`
	LastAccess   string  `json:"last_access"`
}

func newStanding(s priority.Standing) *standing {
	return &standing{
		Priority: s.Priority, Recency: s.Recency, Importance: s.Importance, Frequency: s.Frequency, Energy: s.Energy,
		HalfLifeDays: s.HalfLife.Hours() / 24, Heat: string(s.Heat), Pinned: s.Pinned, Accesses: s.Hits, LastAccess: rfc3339(s.LastAccess),
	}
}

// An inspector looks things up for one run of the command.
type inspector struct {
	m      *answer.Memory
	claims []pack.Claim
	now    time.Time
	// explain scores a transcript.
	explain func(ctx context.Context, transcript *vault.Note) (salience.Score, error)
}

func (in *inspector) item(ctx context.Context, x *reader, id string) (inspected, error) {
	bare := strings.TrimPrefix(id[strings.LastIndexByte(id, '#')+1:], "^")
	for _, c := range in.claims {
		if c.Key() == id || c.ID != "" && c.ID == bare {
			return in.claim(c), nil
		}
	}
	found, err := x.Get(ctx, id)
	if err != nil {
		return inspected{}, err
	}
	f := found[0]
	n, err := in.m.Vault().Note(vault.Path(f.Path))
	if err != nil {
		return inspected{}, err
	}
	it := inspected{ID: f.NoteID, Path: n.Path, Line: f.Line, Type: f.Type, Title: in.m.Clean(f.Title), Confidence: -1, InForce: true}
	if n.Type() == vault.TypeTranscript && len(f.Chunks) > 0 && f.NoteID != id && f.Path != id {
		return in.turn(it, n, f.Chunks[0].ID, f.Chunks[0].Turn), nil
	}
	it.Salience = n.Prop("salience")
	it.Standing = newStanding(pack.Session(n, in.now, in.m.Access(n.ID())))
	it.FirstSeen, it.LastSeen = cmp.Or(n.Prop("start"), n.Prop("created")), cmp.Or(n.Prop("end"), n.Prop("updated"))
	if t := n.Prop("transcript"); t != "" {
		it.From = append(it.From, proof{Turn: strings.Trim(t, "[]")})
		n, err = in.m.Vault().Note(vault.Path(strings.Trim(t, "[]") + ".md"))
	}
	if err == nil && n.Type() == vault.TypeTranscript {
		score, err := in.explain(ctx, n)
		if err != nil {
			return inspected{}, err
		}
		it.SalienceParts = score.Parts
	}
	return it, nil
}

func (in *inspector) claim(c pack.Claim) inspected {
	it := inspected{
		ID: c.Key(), Path: c.Path, Line: c.Line, Type: string(vault.TypeFacts), Title: in.m.Clean(c.Text), Kind: c.Kind, Status: c.Status,
		InForce: c.InForce(), Confidence: c.Confidence, FirstSeen: c.FirstSeen, LastSeen: c.LastSeen, Until: c.Until,
		Supersedes: c.Supersedes, Standing: newStanding(c.Standing),
	}
	for _, o := range in.claims {
		if c.ID != "" && slices.Contains(o.Supersedes, c.ID) {
			it.SupersededBy = append(it.SupersededBy, o.Key())
		}
	}
	for _, e := range c.From {
		link := e.Link
		link.Alias = ""
		it.From = append(it.From, proof{strings.Trim(link.String(), "[]"), in.m.Clean(e.Quote)})
	}
	return it
}

func (in *inspector) turn(it inspected, n *vault.Note, id, block string) inspected {
	turn, ok := vault.ParseTranscript(n).Turn(block)
	if !ok {
		return it
	}
	it.ID, it.Line = id, n.Line(turn.Header.Start)
	it.Flags, it.Languages, it.Speaker, it.Message = turn.Flags, turn.Languages, turn.Sender, turn.MessageID
	it.FirstSeen = turn.Time.Property()
	it.LastSeen = it.FirstSeen
	at, _ := vault.ParseStamp(it.FirstSeen)
	it.Standing = newStanding(priority.Weigh(in.now, priority.Item{Seen: at.Time}, in.m.Access(id)))
	for _, c := range in.claims {
		for _, e := range c.From {
			if e.Link.Block == block && strings.HasSuffix(n.Path.Stem(), e.Link.Target) {
				it.From = append(it.From, proof{Turn: c.Key(), Quote: in.m.Clean(e.Quote)})
			}
		}
	}
	return it
}

func (r inspectResult) Text(p *output.Page) {
	for i, it := range r.Items {
		if i > 0 {
			p.Println()
		}
		it.text(p)
	}
}

func (it inspected) text(p *output.Page) {
	row := func(name, format string, args ...any) {
		if text := strings.TrimSpace(fmt.Sprintf(format, args...)); text != "" {
			p.Printf("%-12s %s\n", name, output.Plain(text))
		}
	}
	p.Printf("%s  %s\n", p.Bold(it.ID), output.Plain(it.Title))
	row("stands in", "%s:%d", it.Path, it.Line)
	if it.Kind != "" {
		state := "in force"
		if !it.InForce {
			state = "no longer in force"
		}
		row("kind", "%s, %s %s", it.Kind, state, it.Status)
	}
	if it.Confidence >= 0 {
		row("confidence", "%.2f", it.Confidence)
	}
	seen := it.FirstSeen
	if it.LastSeen != "" && it.LastSeen != seen {
		seen += " to " + it.LastSeen
	}
	row("seen", "%s", seen)
	row("until", "%s", it.Until)
	row("salience", "%s", it.Salience)
	for _, part := range it.SalienceParts {
		row("", "%.2f x %s %.2f: %s", part.Weight, part.Name, part.Value, part.Because)
	}
	row("speaker", "%s", it.Speaker)
	row("message", "%s", it.Message)
	row("languages", "%s", strings.Join(it.Languages, " "))
	row("flags", "%s", strings.Join(it.Flags, " "))
	row("supersedes", "%s", strings.Join(it.Supersedes, " "))
	row("replaced by", "%s", strings.Join(it.SupersededBy, " "))
	if s := it.Standing; s != nil {
		row("priority", "%.2f = 0.5 x recency %.2f + 0.3 x importance %.2f + 0.2 x frequency %.2f", s.Priority, s.Recency, s.Importance, s.Frequency)
		pinned := ""
		if s.Pinned {
			pinned = ", pinned"
		}
		row("heat", "%s: energy %.2f, halved every %s days%s", s.Heat, s.Energy, strconv.FormatFloat(s.HalfLifeDays, 'f', -1, 64), pinned)
		row("accesses", "%d %s", s.Accesses, s.LastAccess)
	}
	for _, f := range it.From {
		if f.Quote == "" {
			row("from", "%s", f.Turn)
		} else {
			row("from", "%s %q", f.Turn, f.Quote)
		}
	}
}
