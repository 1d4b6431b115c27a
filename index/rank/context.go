package rank

// spread lets neighbours and the note vouch for each chunk: to what it earned by
// its own words comes a share of what the chunks beside it earned, and a share
// of the best own evidence in proportion to how well its note fits.
func spread(c *Corpus, s *scratch, e evidence, w *Weights) []float32 {
	n := len(e.own)
	out := s.floats(n)
	var note float32
	if best := maximum(e.note); best > 0 {
		note = float32(w.Note) * maximum(e.own) / best
	}
	for from := 0; from < n; {
		to := from + 1
		for to < n && c.Note[to] == c.Note[from] {
			to++
		}
		c.spreadNote(out[from:to], e.own[from:to], from, note*e.note[c.Note[from]], w)
		from = to
	}
	return out
}

// spreadNote is spread over the chunks of one note, which begins at from; all of
// them get home for being in it.
func (c *Corpus) spreadNote(out, own []float32, from int, home float32, w *Weights) {
	near, next := float32(w.Near[0]), float32(w.Near[1])
	// shares by whether the chunk before is a question that this one may answer.
	before := [2]float32{near, near * float32(w.Answer)}
	for i := 1; i < len(own); i++ {
		out[i-1] += near * own[i]
		out[i] += before[c.asked(from+i)] * own[i-1]
	}
	for i := 2; i < len(own); i++ {
		out[i-2] += next * own[i]
		out[i] += next * own[i-2]
	}
	limit := float32(w.Context)
	for i, x := range own {
		if l := float32(c.Len[from+i] + 1); l > limit {
			out[i] *= limit / l
		}
		out[i] += x + home
	}
}

// asked is 1 where the chunk before i is another turn that asks something.
func (c *Corpus) asked(i int) int {
	if c.Flags == nil {
		return 0
	}
	asks := 0
	if c.turn(i-1) != c.turn(i) {
		asks = 1
	}
	return asks & int(c.Flags[i-1]/Question)
}

// temper scales each chunk's evidence by what kind of turn it is: its substance,
// who said it and when.
func temper(c *Corpus, own, evidence []float32, w *Weights, who people, at times) {
	// Ten terms of grace keep short turns in the race.
	const grace = 10
	full := float32(w.Substance + grace)
	var base float32
	if at.any {
		base = maximum(evidence)
		if !at.only {
			base *= float32(w.Within)
		}
	}
	for i, x := range evidence {
		directs := c.flag(i, Directive) && !c.flag(i, Assistant)
		if directs {
			x *= float32(1 + w.Directive)
		}
		if who.any {
			x *= who.factor(c, i)
		}
		if at.any {
			near := at.near[i]
			x = (x + base*near) * (1 + float32(w.Time)*near)
		}
		if l := float32(c.Len[i] + grace); l < full && !(directs && own[i] > 0 && w.Directive > 0) {
			x *= l / full // an instruction is brief by its nature
		}
		evidence[i] = x
	}
}

// maximum returns the greatest of xs, none of which is NaN.
func maximum(xs []float32) float32 {
	var m float32
	for _, x := range xs {
		if x > m {
			m = x
		}
	}
	return m
}
