package llm

import (
	"cmp"
	"slices"
)

// A Usages is what one model was asked for one pass, added up.
type Usages struct {
	Model string `json:"model"`
	Pass  string `json:"pass"`
	Calls int    `json:"calls"`
	// Failed counts the calls without an answer: down, refused, stopped.
	Failed int     `json:"failed"`
	In     int     `json:"in"`
	Out    int     `json:"out"`
	Cost   float64 `json:"cost_usd"`
	// P50Millis is the median latency of the calls that were answered, batches apart.
	P50Millis int64 `json:"p50_ms"`
}

// Summarise adds up the calls of a ledger, by model and pass.
func Summarise(calls []Call) []Usages {
	type key struct{ model, pass string }
	sums, times := map[key]*Usages{}, map[key][]int64{}
	for _, c := range calls {
		k := key{c.Model, c.Pass}
		u := sums[k]
		if u == nil {
			u = &Usages{Model: c.Model, Pass: c.Pass}
			sums[k] = u
		}
		u.Calls++
		u.In, u.Out, u.Cost = u.In+c.In, u.Out+c.Out, u.Cost+c.Cost
		switch c.Outcome {
		case "ok", "cut", "declined":
			if !c.Batch {
				times[k] = append(times[k], c.Millis)
			}
		default:
			u.Failed++
		}
	}
	out := []Usages{}
	for k, u := range sums {
		if t := times[k]; len(t) > 0 {
			slices.Sort(t)
			u.P50Millis = t[len(t)/2]
		}
		out = append(out, *u)
	}
	slices.SortFunc(out, func(a, b Usages) int { return cmp.Or(cmp.Compare(a.Model, b.Model), cmp.Compare(a.Pass, b.Pass)) })
	return out
}
