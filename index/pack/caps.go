package pack

import "fmt"

// Caps bound the parts of a pack, in o200k tokens. A section's cap counts its
// items; headings and the lines around the sections count to Total alone.
type Caps struct {
	// Total bounds the whole text.
	Total int
	// Profile bounds the profile card.
	Profile int
	// Memory bounds the claims, which the sections of an intent share.
	Memory int
	// Episodes bounds the summaries of sessions.
	Episodes int
	// Evidence bounds the verbatim turns: EvidenceItems of them, of EvidenceEach
	// tokens at most.
	Evidence, EvidenceItems, EvidenceEach int
	// Turns bounds the recent turns of the conversation at hand, where they are
	// given; without them nothing is set aside for them.
	Turns int
}

// around is what headings and the lines around the sections take at most.
const around = 250

// Small are the caps of a pack that goes before every message: sources 1 and 2
// give the figures.
func Small() Caps {
	return total(Caps{Profile: 200, Memory: 900, Episodes: 600, Evidence: 750, EvidenceItems: 3, EvidenceEach: 250, Turns: 4500})
}

// Large are the caps for a question that may take most of a context of 128,000
// tokens; source 4 gives the figures. What is left is for the dialogue and the
// answer.
func Large() Caps {
	return total(Caps{Profile: 5000, Memory: 9000, Episodes: 20_000, Evidence: 60_000, EvidenceItems: 60, EvidenceEach: 2000, Turns: 20_000})
}

func total(c Caps) Caps {
	c.Total = around + c.Profile + c.Memory + c.Episodes + c.Evidence
	return c
}

// Preset returns the caps of a name.
func Preset(name string) (Caps, error) {
	switch name {
	case "", "small":
		return Small(), nil
	case "large":
		return Large(), nil
	}
	return Caps{}, fmt.Errorf("there is no preset %q; there are small and large", name)
}

// Within scales all caps so that the whole is at most so many tokens.
func (c Caps) Within(tokens int) Caps {
	if tokens <= 0 || c.Total <= 0 {
		return Caps{}
	}
	scale := func(v int) int { return int(int64(v) * int64(tokens) / int64(c.Total)) }
	return Caps{
		Total: tokens, Profile: scale(c.Profile), Memory: scale(c.Memory), Episodes: scale(c.Episodes),
		Evidence: scale(c.Evidence), EvidenceItems: c.EvidenceItems, EvidenceEach: min(scale(c.EvidenceEach), 4*c.EvidenceEach), Turns: scale(c.Turns),
	}
}

// withTurns makes room for recent turns where there are any.
func (c Caps) withTurns(any bool) Caps {
	if !any {
		c.Turns = 0
	}
	c.Total += c.Turns
	return c
}
