package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/config"
	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/index/rank"
	"github.com/memsync/memsync/vault"
)

type searchOptions struct {
	mode                          string
	limit                         int
	types, sources, domains, tags []string
	since, until, at              string
	explain                       bool
}

func newSearchCommand(a *app) *cobra.Command {
	var opts searchOptions
	cmd := &cobra.Command{
		Use:     "search WORDS...",
		GroupID: groupRead,
		Short:   "Find what is in the notes, by words and by meaning",
		Long: `Search the vault: by keywords, by meaning, or by both (hybrid), which is the
default. Each hit is path:line, so that an editor opens it, with its score.

The index is brought in step with the vault first. With --at the answer is that
of the vault as it was at a revision or on a date.`,
		Example: `  memsync search what did I decide about the school pilot
  memsync search allergies --type facts --json
  memsync search running --since 2025-06-01 --at 2025-09-01`,
		Args: words(1, -1, "what to look for"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runSearch(cmd.Context(), a, strings.Join(args, " "), opts, cmd.Flags().Changed)
		},
	}
	f := cmd.Flags()
	f.IntVarP(&opts.limit, "limit", "n", 0, "how many hits (default: search.limit, 10)")
	f.StringVar(&opts.mode, "mode", "", "hybrid, keyword or vector (default: search.mode, hybrid)")
	f.StringSliceVar(&opts.types, "type", nil, "only notes of these types: session, facts, topic, transcript, note, ...")
	f.StringSliceVar(&opts.sources, "source", nil, "only what came from these sources: chatgpt, claude, whatsapp, ...")
	f.StringSliceVar(&opts.domains, "domain", nil, "only notes of these domains: work, health, ...")
	f.StringSliceVar(&opts.tags, "tag", nil, "only notes with one of these tags")
	f.StringVar(&opts.since, "since", "", "only what is dated on or after this day")
	f.StringVar(&opts.until, "until", "", "only what is dated on or before this day")
	f.StringVar(&opts.at, "at", "", "search the vault as it was at a revision or on a date")
	f.BoolVar(&opts.explain, "explain", false, "show the parts of each score")
	_ = cmd.RegisterFlagCompletionFunc("mode", cobra.FixedCompletions([]string{"hybrid", "keyword", "vector"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func runSearch(ctx context.Context, a *app, query string, opts searchOptions, given func(string) bool) (err error) {
	a.brief()
	var flags []config.Flag
	if given("limit") {
		flags = append(flags, config.Flag{Key: "search.limit", Flag: "--limit", Value: strconv.Itoa(opts.limit)})
	}
	if given("mode") {
		flags = append(flags, config.Flag{Key: "search.mode", Flag: "--mode", Value: opts.mode})
	}
	s, err := a.open(flags...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	q := index.Query{
		Text: query, Mode: mode(s.settings.Search.Mode), Limit: s.settings.Search.Limit,
		Types: opts.types, Sources: opts.sources, Domains: opts.domains, Tags: opts.tags,
	}
	if q.Since, err = day(opts.since, "--since", 0); err != nil {
		return err
	}
	if q.Until, err = day(opts.until, "--until", 1); err != nil {
		return err
	}
	x, err := a.openReader(ctx, s, opts.at)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	r, err := x.ask(ctx, q, opts.explain)
	if err != nil {
		return err
	}
	a.logSearch(s, r)
	return a.print(r)
}

// ask answers one query.
func (x *reader) ask(ctx context.Context, q index.Query, explain bool) (searchResult, error) {
	found, err := x.Search(ctx, q)
	if err != nil {
		return searchResult{}, err
	}
	r := searchResult{
		Query: q.Text, Mode: found.Mode.String(), Fresh: x.fresh,
		Notes: slices.Concat(x.notes, found.Notes), TookMS: ms(found.Took),
	}
	for _, h := range found.Hits {
		r.Hits = append(r.Hits, newHit(h, explain))
	}
	return r, nil
}

func mode(word string) rank.Mode {
	switch word {
	case "keyword":
		return rank.Keyword
	case "vector":
		return rank.Vector
	}
	return rank.Hybrid
}

// day reads a day, or a moment, and moves it by so many days: the end of a day
// is the beginning of the next.
func day(text, flag string, later int) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	s, err := vault.ParseStamp(text)
	if err != nil {
		return time.Time{}, usagef("%s: %q is not a day such as 2025-09-01", flag, text)
	}
	if len(text) == len("2006-01-02") {
		return s.Time.AddDate(0, 0, later), nil
	}
	return s.Time, nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// searchResult is an answer and what should be known about it.
type searchResult struct {
	Query string `json:"query"`
	Mode  string `json:"mode"`
	// Fresh says that the index was in step with the vault.
	Fresh bool  `json:"fresh"`
	Hits  []hit `json:"hits"`
	// Notes are sentences about what is missing, stale or degraded.
	Notes  []string `json:"notes"`
	TookMS float64  `json:"took_ms"`
}

// A hit is one thing that was found.
type hit struct {
	ID    string     `json:"id"`
	Path  vault.Path `json:"path"`
	Line  int        `json:"line"`
	Type  string     `json:"type"`
	Title string     `json:"title"`
	// Snippet is the part of the text that is nearest to the query.
	Snippet        string   `json:"snippet"`
	Score          float64  `json:"score"`
	ConversationID string   `json:"conversation_id"`
	MessageIDs     []string `json:"message_ids"`
	Provider       string   `json:"provider"`
	// CreatedAt is in RFC 3339, empty where no time is known.
	CreatedAt  string `json:"created_at"`
	Speaker    string `json:"speaker,omitempty"`
	Heading    string `json:"heading,omitempty"`
	Superseded bool   `json:"superseded,omitempty"`
	// Same are up to ten places that say nearly the same and are no hits of their
	// own.
	Same []place `json:"same"`
	// Parts explain the score, with --explain.
	Parts *parts `json:"parts,omitempty"`
}

// A place is where something stands.
type place struct {
	ID   string     `json:"id"`
	Path vault.Path `json:"path"`
	Line int        `json:"line"`
}

func (p place) String() string { return fmt.Sprintf("%s:%d", unbroken(string(p.Path)), p.Line) }

func newHit(h index.Hit, explain bool) hit {
	out := hit{
		ID: h.ID, Path: h.Path, Line: h.Line, Type: h.Type, Title: h.Title, Snippet: h.Snippet, Score: h.Score,
		ConversationID: h.ConversationID, MessageIDs: h.MessageIDs, Provider: h.Provider, CreatedAt: rfc3339(h.Time),
		Speaker: h.Speaker, Heading: h.Heading, Superseded: h.Superseded,
	}
	for _, p := range h.Same {
		out.Same = append(out.Same, place{p.ID, p.Path, p.Line})
	}
	if explain {
		p := h.Parts
		out.Parts = &parts{
			Keyword: p.Keyword, Cosine: p.Cosine, KeywordRank: p.KeywordRank, VectorRank: p.VectorRank,
			Speaker: p.Speaker, Time: p.Time, Relevance: p.Relevance,
			Importance: p.Importance, Pin: p.Pin, Recency: p.Recency, Superseded: p.Superseded,
		}
	}
	return out
}

// parts are what a score is made of, with the names that the JSON contract gives
// them.
type parts struct {
	Keyword     float64 `json:"keyword"`
	Cosine      float64 `json:"cosine"`
	KeywordRank int     `json:"keyword_rank"`
	VectorRank  int     `json:"vector_rank"`
	Relevance   float64 `json:"relevance"`
	Speaker     float64 `json:"speaker"`
	Time        float64 `json:"time"`
	Importance  float64 `json:"importance"`
	Pin         float64 `json:"pin"`
	Recency     float64 `json:"recency"`
	Superseded  float64 `json:"superseded"`
}

func (p parts) String() string {
	return fmt.Sprintf("relevance %.3f (keyword %.2f at %d, cosine %.3f at %d) speaker %.2f time %.2f importance %+.3f pin %+.3f recency %+.3f superseded %+.3f",
		p.Relevance, p.Keyword, p.KeywordRank, p.Cosine, p.VectorRank, p.Speaker, p.Time, p.Importance, p.Pin, p.Recency, p.Superseded)
}

func rfc3339(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// unbroken is text for a line that an editor or a script reads: a file's name may
// hold a line break.
func unbroken(text string) string {
	return strings.NewReplacer("\n", " ", "\r", " ").Replace(output.Plain(text))
}

// shownSame is how many of a hit's other places are shown to people.
const shownSame = 3

// also names the other places of a hit.
func also(same []place) string {
	text := "also"
	for i, p := range same[:min(shownSame, len(same))] {
		if i > 0 {
			text += ","
		}
		text += " " + p.String()
	}
	if more := len(same) - shownSame; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func (r searchResult) Text(p *output.Page) {
	for _, h := range r.Hits {
		p.Printf("%.2f  %s  %s\n", h.Score, p.Bold(place{h.ID, h.Path, h.Line}.String()), unbroken(h.Title))
		for line := range strings.Lines(output.Plain(vault.Visible(h.Snippet))) {
			p.Printf("      %s\n", strings.TrimRight(line, "\n"))
		}
		if len(h.Same) > 0 {
			p.Println("      " + p.Dim(also(h.Same)))
		}
		if h.Parts != nil {
			p.Println("      " + p.Dim(h.Parts.String()))
		}
	}
	if len(r.Hits) == 0 {
		p.Println("No hits.")
	}
	for _, n := range r.Notes {
		p.Println(p.Dim("(" + n + ")"))
	}
}
