package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/answer"
	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/index/pack"
	"github.com/memsync/memsync/index/priority"
	"github.com/memsync/memsync/synth/llm"
	"github.com/memsync/memsync/vault"
)

func newStatsCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "stats",
		GroupID: groupRead,
		Short:   "Show what is remembered, by kind, source, month and heat",
		Long: `Show what is remembered: notes by type and by source, conversations by month,
how the claims grew, claims by kind and by heat, how many tokens summaries save
to who reads them instead of what they sum up, and what was asked of the memory
and of the language model on this machine.`,
		Example: `  memsync stats
  memsync stats --json`,
		Args: words(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runStats(cmd.Context(), a)
		},
	}
}

func runStats(ctx context.Context, a *app) (err error) {
	s, err := a.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	m, err := a.memoryOf(s, nil, nil)
	if err != nil {
		return err
	}
	r := statsResult{Types: map[string]int{}, Sources: map[string]int{}, Months: map[string]int{}, Kinds: map[string]int{}, Heat: map[string]int{}}
	bar := a.progress()
	bar.Start("counting", -1, output.Items)
	defer bar.Done()
	notes, _, err := s.vault.Walk(ctx)
	if err != nil {
		return err
	}
	for _, e := range notes {
		if err := ctx.Err(); err != nil {
			return err
		}
		head, err := s.vault.Head(e.Path)
		if err != nil {
			continue // it went away, or cannot be read: status says so
		}
		r.add(vault.Parse(e.Path, head), e)
		bar.Add(1)
	}
	claims, err := m.Maker().Claims(ctx, a.now())
	if err != nil {
		return err
	}
	for _, c := range claims {
		if !c.InForce() {
			r.Superseded++
			continue
		}
		r.Claims++
		kind := c.Kind
		if kind == "" {
			kind = "fact"
		}
		r.Kinds[kind]++
		r.Heat[string(c.Heat)]++
	}
	r.grow(claims)
	r.RawTokens, r.SummaryTokens = r.RawBytes/bytesPerToken, r.SummaryBytes/bytesPerToken
	r.SavedTokens = max(r.RawTokens-r.SummaryTokens, 0)
	records, err := answer.OpenLog(s.places.State).Records()
	if err != nil {
		return err
	}
	r.Asked = answer.Summarise(records)
	calls, err := llm.NewLedger(s.places.State).Calls()
	if err != nil {
		return err
	}
	r.Model = llm.Summarise(calls)
	bar.Done()
	return a.print(r)
}

type statsResult struct {
	Notes   int            `json:"notes"`
	Types   map[string]int `json:"types"`
	Sources map[string]int `json:"sources"`
	// Months counts conversations by the month in which they began.
	Months map[string]int `json:"months"`
	// Growth is what was new in each month, oldest first.
	Growth []growth `json:"growth"`
	// Claims are those in force, Superseded those that hold no more.
	Claims     int            `json:"claims"`
	Superseded int            `json:"superseded"`
	Kinds      map[string]int `json:"kinds"`
	Heat       map[string]int `json:"heat"`
	// RawBytes are the transcripts', SummaryBytes the live sessions'.
	RawBytes     int64 `json:"raw_bytes"`
	SummaryBytes int64 `json:"summary_bytes"`
	// RawTokens and SummaryTokens are about what a model would read of either, at
	// four bytes a token; SavedTokens is the difference.
	RawTokens     int64          `json:"raw_tokens"`
	SummaryTokens int64          `json:"summary_tokens"`
	SavedTokens   int64          `json:"saved_tokens"`
	Asked         answer.Summary `json:"asked"`
	// Model is what the language model was asked, by model and pass.
	Model []llm.Usages `json:"model"`
}

// growth is what one month brought, and what there was at its end.
type growth struct {
	Month         string `json:"month"`
	Conversations int    `json:"conversations"`
	Claims        int    `json:"claims"`
	AllClaims     int    `json:"all_claims"`
}

// grow fills in how the memory grew: claims by the month in which each was first
// said, also those that hold no more. Claims without a day are in the sums alone.
func (r *statsResult) grow(claims []pack.Claim) {
	said := map[string]int{}
	all := 0
	for _, c := range claims {
		if day := cmp.Or(c.FirstSeen, c.LastSeen); len(day) >= len("2006-01") {
			said[day[:7]]++
		} else {
			all++
		}
	}
	months := map[string]bool{}
	for m := range said {
		months[m] = true
	}
	for m := range r.Months {
		months[m] = true
	}
	delete(months, unknown)
	r.Growth = []growth{}
	for _, m := range slices.Sorted(maps.Keys(months)) {
		all += said[m]
		r.Growth = append(r.Growth, growth{m, r.Months[m], said[m], all})
	}
}

// unknown stands for a source or a month that a note does not name.
const unknown = "unknown"

// bytesPerToken is about how many bytes of text a token has.
const bytesPerToken = 4

func (r *statsResult) add(n *vault.Note, e vault.Entry) {
	r.Notes++
	r.Types[string(n.Type())]++
	switch n.Type() {
	case vault.TypeTranscript:
		r.RawBytes += e.Size
		source := n.Prop("source")
		if source == "" {
			source = unknown
		}
		r.Sources[source]++
		month := n.Prop("created")
		if len(month) < len("2006-01") {
			month = unknown
		}
		r.Months[month[:min(7, len(month))]]++
	case vault.TypeSession:
		r.SummaryBytes += e.Size
	}
}

// shownMonths is how many months a terminal shows, the newest ones; --json has all.
const shownMonths = 12

func (r statsResult) Text(p *output.Page) {
	p.Printf("%s in %s\n", p.Bold(output.Count(r.Claims, "claim", "claims")), output.Count(r.Notes, "note", "notes"))
	heat := map[string]int{}
	for _, h := range []priority.Heat{priority.Hot, priority.Warm, priority.Cold} {
		heat[string(h)] = r.Heat[string(h)]
	}
	bars(p, "notes", r.Types, byCount(r.Types))
	bars(p, "sources", r.Sources, byCount(r.Sources))
	months := slices.Sorted(maps.Keys(r.Months))
	bars(p, "conversations", r.Months, months[max(0, len(months)-shownMonths):])
	all, grown := map[string]int{}, []string{}
	for _, g := range r.Growth[max(0, len(r.Growth)-shownMonths):] {
		all[g.Month], grown = g.AllClaims, append(grown, g.Month)
	}
	bars(p, "claims, all that there were at the end of each month", all, grown)
	bars(p, "claims", r.Kinds, byCount(r.Kinds))
	bars(p, "heat", heat, []string{string(priority.Hot), string(priority.Warm), string(priority.Cold)})
	if r.Superseded > 0 {
		p.Printf("\n%s no longer in force\n", output.Count(r.Superseded, "claim is", "claims are"))
	}
	if r.RawBytes > 0 && r.SummaryBytes > 0 {
		p.Printf("\nsummaries are %.1f%% of the transcripts (%s of %s): about %s tokens saved for who reads them instead\n",
			100*float64(r.SummaryBytes)/float64(r.RawBytes), size(r.SummaryBytes), size(r.RawBytes), thousands(r.SavedTokens))
	}
	if q := r.Asked; q.Records > 0 {
		p.Printf("asked %s since %.10s: p50 %.1f ms", output.Count(q.Records, "time", "times"), q.Since, q.P50MS)
		if q.MeanTokens > 0 {
			p.Printf(", packs of %.0f tokens", q.MeanTokens)
			if all := float64(r.RawTokens); all > q.MeanTokens {
				p.Printf(" (%.2f%% of all conversations)", 100*q.MeanTokens/all)
			}
		}
		p.Println()
	}
	if len(r.Model) > 0 {
		p.Printf("\n%s\n", p.Bold("language model"))
	}
	for _, u := range r.Model {
		p.Printf("  %s, %-10s %5d calls, %d not answered  %9d tokens in %8d out%s  p50 %.1f s\n",
			output.Plain(u.Model), output.Plain(u.Pass), u.Calls, u.Failed, u.In, u.Out, dollars(u.Cost), float64(u.P50Millis)/1000)
	}
}

// thousands is a number as people read large ones: 950, 12 k, 3.4 M.
func thousands(n int64) string {
	switch {
	case n >= 1_000_000:
		return fmt.Sprintf("%.1f M", float64(n)/1e6)
	case n >= 10_000:
		return fmt.Sprintf("%d k", n/1000)
	}
	return strconv.FormatInt(n, 10)
}

func byCount(m map[string]int) []string {
	keys := slices.Sorted(maps.Keys(m))
	slices.SortStableFunc(keys, func(a, b string) int { return m[b] - m[a] })
	return keys
}

// barWidth is the length of the longest bar in characters.
const barWidth = 30

func bars(p *output.Page, title string, m map[string]int, keys []string) {
	if len(keys) == 0 {
		return
	}
	most, wide := 1, 0
	for _, k := range keys {
		most, wide = max(most, m[k]), max(wide, len([]rune(k)))
	}
	p.Printf("\n%s\n", p.Bold(title))
	for _, k := range keys {
		n := (m[k]*barWidth + most - 1) / most
		p.Printf("  %s%s %6d %s\n", output.Plain(k), strings.Repeat(" ", wide-len([]rune(k))), m[k], p.Dim(strings.Repeat("█", n)))
	}
}
