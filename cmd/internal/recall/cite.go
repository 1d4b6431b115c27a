package recall

import (
	"slices"
	"strings"
	"unicode"
)

// A sentence is not believed for being said: it is kept where it cites items that
// were put before the model, and where every number in it stands in one of those
// items or in the question. Numbers are what models make up, and what people act
// on.

// cite keeps the sentences of an answer that are proved. Without one there is no
// answer.
func (a *machine) cite(t Turn) {
	var kept, unknown []string
	seen := map[string]bool{}
	unproved := 0
	for _, s := range t.Sentences {
		text := strings.TrimSpace(a.m.Clean(s.Text))
		var cited []Citation
		for _, id := range s.Cites {
			id = strings.Trim(strings.TrimSpace(id), "[]()")
			if c, ok := a.items[id]; ok {
				cited = append(cited, c)
			} else {
				unknown = append(unknown, id)
			}
		}
		if text == "" || len(cited) == 0 || !a.proved(text, cited) {
			unproved++
			continue
		}
		kept = append(kept, text)
		for _, c := range cited {
			if !seen[c.ID] {
				seen[c.ID] = true
				a.r.Citations = append(a.r.Citations, c)
			}
		}
	}
	if len(unknown) > 0 {
		a.note(Decide, "citations of nothing that was found are dropped", unknown, 0)
	}
	if unproved > 0 {
		a.note(Decide, "sentences without proof are dropped", nil, 0)
	}
	a.r.Dropped = unproved
	if len(kept) == 0 {
		a.r.Outcome = NotInMemory
		return
	}
	a.r.Outcome, a.r.Answer = Answered, strings.Join(kept, " ")
}

// proved reports whether every number of a sentence stands in what it cites, or in
// the question.
func (a *machine) proved(text string, cited []Citation) bool {
	have := numbers(a.question)
	for _, c := range cited {
		have = append(have, numbers(c.Text)...)
	}
	return !slices.ContainsFunc(numbers(text), func(n string) bool { return !slices.Contains(have, n) })
}

// numbers are the runs of digits in a text, without leading zeros, so that 2025-08-09
// proves "9 August 2025".
func numbers(text string) []string {
	var out []string
	for _, run := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsDigit(r) }) {
		if run = strings.TrimLeft(run, "0"); run == "" {
			run = "0"
		}
		out = append(out, run)
	}
	return out
}
