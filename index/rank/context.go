package rank

import "slices"

// spread lets neighbours and the note vouch for each chunk: to what it earned by
// its own words comes a share of what the chunks beside it earned, and a share
// of the best own evidence in proportion to how well its note fits.
func spread(c *Corpus, s *scratch, e evidence, w *Weights) []float32 {
	n := len(e.own)
	out := s.floats(n)
	var note float32
	if best := slices.Max(e.note); best > 0 {
		note = float32(w.Note) * slices.Max(e.own) / best
	}
	near, next := float32(w.Near[0]), float32(w.Near[1])
	answer := near * float32(w.Answer)
	for i, x := range e.own {
		home := c.Note[i]
		var around float32
		if i > 0 && c.Note[i-1] == home {
			if before := e.own[i-1]; before > 0 {
				if c.flag(i-1, Question) && c.turn(i-1) != c.turn(i) {
					around += answer * before
				} else {
					around += near * before
				}
			}
			if i > 1 && c.Note[i-2] == home {
				around += next * e.own[i-2]
			}
		}
		if i+1 < n && c.Note[i+1] == home {
			around += near * e.own[i+1]
			if i+2 < n && c.Note[i+2] == home {
				around += next * e.own[i+2]
			}
		}
		if l := float32(c.Len[i] + 1); l > float32(w.Context) {
			around *= float32(w.Context) / l
		}
		out[i] = x + around + note*e.note[home]
	}
	return out
}

// temper scales each chunk's evidence by what kind of turn it is: its substance,
// who said it and when.
func temper(c *Corpus, evidence []float32, w *Weights, who people, at times) {
	// Ten terms of grace keep short turns in the race.
	const grace = 10
	full := float32(w.Substance + grace)
	for i, x := range evidence {
		if x == 0 {
			continue
		}
		if l := float32(c.Len[i] + grace); l < full {
			x *= l / full
		}
		if c.flag(i, Directive) && !c.flag(i, Assistant) {
			x *= float32(1 + w.Directive)
		}
		if who.any {
			x *= who.factor(c, i)
		}
		if at.any {
			x *= at.factor(c, i)
		}
		evidence[i] = x
	}
}
