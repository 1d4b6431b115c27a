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

// Within scales all caps so that the whole is at most so many tokens. A part that
// would come out too small to say anything leaves its share to the others: the
// words as they were said first, then summaries, then the card.
func (c Caps) Within(tokens int) Caps {
	if tokens <= 0 || c.Total <= 0 {
		return Caps{}
	}
	out := c
	out.Total = tokens
	for _, part := range []struct {
		cap   *int
		least int
	}{{&out.Evidence, 2 * minCut}, {&out.Episodes, 3 * minCut}, {&out.Profile, minCut}, {nil, 0}} {
		// What headings and the lines around take does not shrink with the rest.
		room := max(tokens-min(around, tokens/2), 0)
		sum := out.Profile + out.Memory + out.Episodes + out.Evidence + out.Turns
		scale := func(v int) int { return int(int64(v) * int64(room) / int64(max(sum, 1))) }
		if part.cap != nil && *part.cap > 0 && scale(*part.cap) < part.least {
			*part.cap = 0
			continue
		}
		if part.cap == nil {
			out.EvidenceEach = min(scale(out.EvidenceEach), 4*c.EvidenceEach)
			out.Profile, out.Memory, out.Episodes = scale(out.Profile), scale(out.Memory), scale(out.Episodes)
			out.Evidence, out.Turns = scale(out.Evidence), scale(out.Turns)
		}
	}
	return out
}

// withTurns makes room for recent turns where there are any.
func (c Caps) withTurns(any bool) Caps {
	if !any {
		c.Turns = 0
	}
	c.Total += c.Turns
	return c
}
