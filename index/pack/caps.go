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
// would come out too small to say anything leaves its share to the others: the words
// as they were said first, then summaries. The card is in every pack that has room for
// a few lines of it, and the turns at hand, which the host has anyway, take no more
// than half.
func (c Caps) Within(tokens int) Caps {
	if tokens <= 0 || c.Total <= 0 {
		return Caps{}
	}
	out := c
	out.Total = tokens
	// What headings and the lines around take does not shrink with the rest.
	room := max(tokens-min(around, tokens/2), 0)
	share := func(v, of int) int { return int(int64(v) * int64(of) / int64(max(out.sum(), 1))) }
	if share(out.Turns, room) > room/2 {
		out.Turns = out.sum() - out.Turns
	}
	if share(out.Evidence, room) < 2*minCut {
		out.Evidence = 0
	}
	if share(out.Episodes, room) < 3*minCut {
		out.Episodes = 0
	}
	card := max(share(out.Profile, room), min(c.Profile, room/3, 2*minCut))
	if card < minCut {
		card = 0
	}
	out.Profile, room = 0, room-card
	each := min(share(out.EvidenceEach, room), 4*c.EvidenceEach)
	out.Memory, out.Episodes, out.Evidence, out.Turns = share(out.Memory, room), share(out.Episodes, room), share(out.Evidence, room), share(out.Turns, room)
	out.Profile, out.EvidenceEach = card, each
	return out
}

func (c Caps) sum() int { return c.Profile + c.Memory + c.Episodes + c.Evidence + c.Turns }

// withTurns makes room for recent turns where there are any.
func (c Caps) withTurns(any bool) Caps {
	if !any {
		c.Turns = 0
	}
	c.Total += c.Turns
	return c
}
