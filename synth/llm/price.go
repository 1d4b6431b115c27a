package llm

import "strings"

// A Price is what a model costs, in US dollars per million tokens.
type Price struct{ In, Out float64 }

// Cost is the price of a usage.
func (p Price) Cost(u Usage) float64 { return (float64(u.In)*p.In + float64(u.Out)*p.Out) / 1e6 }

// Prices are the list prices of models, by the beginning of their names, the
// longest that fits deciding. They are the providers' published prices as known
// when this was written, and change: they serve the ceiling of a run, not an
// invoice. Batches cost half.
var prices = map[string]Price{
	"claude-opus-4-1":  {15, 75},
	"claude-opus-4":    {15, 75},
	"claude-opus-4-5":  {5, 25},
	"claude-opus":      {15, 75},
	"claude-sonnet":    {3, 15},
	"claude-haiku":     {1, 5},
	"claude-3-5-haiku": {0.8, 4},
	"claude-3-haiku":   {0.25, 1.25},
	"claude":           {15, 75},
	"gpt-4.1":          {2, 8},
	"gpt-4.1-mini":     {0.4, 1.6},
	"gpt-4.1-nano":     {0.1, 0.4},
	"gpt-4o":           {2.5, 10},
	"gpt-4o-mini":      {0.15, 0.6},
	"gpt-5":            {1.25, 10},
	"gpt-5-mini":       {0.25, 2},
	"gpt-5-nano":       {0.05, 0.4},
	"gpt-5-pro":        {15, 120},
	"o3":               {2, 8},
	"o4-mini":          {1.1, 4.4},
}

// PriceOf is the price of a model where it is known. Names may carry the
// provider's before a slash, as routers write them.
func PriceOf(model string) (Price, bool) {
	model = strings.ToLower(model)
	model = model[strings.LastIndexByte(model, '/')+1:]
	best := ""
	for name := range prices {
		if strings.HasPrefix(model, name) && len(name) > len(best) {
			best = name
		}
	}
	return prices[best], best != ""
}
