package main

import (
	"fmt"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/synth"
	"github.com/memsync/memsync/synth/llm"
)

// modelCalls are what a run asked of the language model, or would ask in a dry run.
type modelCalls struct {
	Model string `json:"model"`
	// Spent is what was used.
	Spent *llm.Spending `json:"spent,omitempty"`
	// Estimates are what would be asked at most, pass by pass.
	Estimates []llm.Estimate `json:"estimates,omitempty"`
}

// calls is what was asked, nil where nothing was.
func (m *languageModel) calls(dryRun bool) *modelCalls {
	if m == nil {
		return nil
	}
	c := &modelCalls{Model: m.Writer.Model.Name()}
	if dryRun {
		if m.Counter != nil {
			c.Estimates = m.Counter.Estimates()
		}
		return c
	}
	spent := m.Budget.Spent()
	c.Spent = &spent
	return c
}

func (c *modelCalls) text(p *output.Page) {
	switch {
	case c == nil:
	case c.Spent != nil && c.Spent.Requests > 0:
		p.Printf("%s: %s, %d tokens in and %d out%s\n", output.Plain(c.Model), output.Count(c.Spent.Requests, "call", "calls"),
			c.Spent.Tokens.In, c.Spent.Tokens.Out, dollars(c.Spent.Cost))
	case len(c.Estimates) > 0:
		p.Printf("%s would be asked at most, where every first answer can be used:\n", output.Plain(c.Model))
		var all llm.Estimate
		for _, e := range c.Estimates {
			p.Printf("  %-10s %5d calls  %9d tokens in  %8d out%s\n", e.Pass, e.Requests, e.Tokens.In, e.Tokens.Out, dollars(e.Cost))
			all.Requests, all.Tokens, all.Cost, all.PriceKnown = all.Requests+e.Requests, all.Tokens.Add(e.Tokens), all.Cost+e.Cost, e.PriceKnown
		}
		p.Printf("  %-10s %5d calls  %9d tokens in  %8d out%s\n", "all", all.Requests, all.Tokens.In, all.Tokens.Out, dollars(all.Cost))
		if !all.PriceKnown {
			p.Println(p.Dim("  the price of this model is not known"))
		}
	}
}

// dollars is a cost, empty where nothing is known of it.
func dollars(cost float64) string {
	if cost == 0 {
		return ""
	}
	return fmt.Sprintf("  $%.4f", cost)
}

// showModel says what a pass had of the model.
func showModel(p *output.Page, u *synth.ModelUse) {
	if u == nil {
		return
	}
	if u.Wrote > 0 {
		p.Println(p.Dim(output.Plain("  " + output.Count(u.Wrote, "answer", "answers") + " of " + u.Name + dropped(u.Dropped))))
	}
	if u.Rules > 0 {
		p.Printf("  %s %s could not be used and were written by rules: %s\n", p.Warn("note:"), output.Count(u.Rules, "answer", "answers"), output.Plain(u.Why))
	}
	if u.Waits > 0 {
		p.Printf("  %s %s for the next run: %s\n", p.Warn("note:"), output.Count(u.Waits, "answer waits", "answers wait"), output.Plain(u.Why))
	}
}

func dropped(n int) string {
	if n == 0 {
		return ""
	}
	return "; " + output.Count(n, "sentence", "sentences") + " without proof left out"
}
