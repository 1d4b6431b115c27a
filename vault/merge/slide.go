package merge

// slide moves every marked run of lines to one agreed place among the places
// where it says the same.
//
// When a run is followed by a line equal to its first, or preceded by one equal
// to its last, it can be slid along without changing the script's meaning: the
// added paragraph is "text, blank line" or "blank line, text". As git does, a run
// is slid as far down as it goes, unless on its way it can end where the other
// side has a change too, which makes one hunk of the two. Runs that meet become one.
func slide(line []int, marked, other []bool) {
	g := run{line: line, marked: marked}
	o := run{line: nil, marked: other}
	g.first()
	o.first()
	for {
		if g.start != g.end {
			g.settle(&o)
		}
		if !g.next() {
			return
		}
		o.next()
	}
}

// A run is a maximal stretch [start, end) of marked lines, possibly empty. The
// runs of a side, empty ones included, are as many as its unmarked lines plus
// one, so the runs of both sides can be walked in step.
type run struct {
	line       []int
	marked     []bool
	start, end int
}

func (g *run) first() {
	g.start, g.end = 0, 0
	g.grow()
}

func (g *run) grow() {
	for g.end < len(g.marked) && g.marked[g.end] {
		g.end++
	}
}

func (g *run) next() bool {
	if g.end == len(g.marked) {
		return false
	}
	g.start = g.end + 1
	g.end = g.start
	g.grow()
	return true
}

func (g *run) previous() bool {
	if g.start == 0 {
		return false
	}
	g.end = g.start - 1
	g.start = g.end
	for g.start > 0 && g.marked[g.start-1] {
		g.start--
	}
	return true
}

// down slides the run one line towards the end, joining the run it meets.
func (g *run) down() bool {
	if g.end == len(g.marked) || g.line[g.start] != g.line[g.end] {
		return false
	}
	g.marked[g.start], g.marked[g.end] = false, true
	g.start++
	g.end++
	g.grow()
	return true
}

// up slides the run one line towards the beginning, joining the run it meets.
func (g *run) up() bool {
	if g.start == 0 || g.line[g.start-1] != g.line[g.end-1] {
		return false
	}
	g.start--
	g.end--
	g.marked[g.start], g.marked[g.end] = true, false
	for g.start > 0 && g.marked[g.start-1] {
		g.start--
	}
	return true
}

// settle slides one run to its place, with o kept at the run of the other side
// that stands across from it.
func (g *run) settle(o *run) {
	for {
		size := g.end - g.start
		for g.up() {
			o.previous()
		}
		meets := -1 // the end at which the run stands across from a change
		if o.end > o.start {
			meets = g.end
		}
		for g.down() {
			o.next()
			if o.end > o.start {
				meets = g.end
			}
		}
		if g.end-g.start != size {
			continue // it joined another run and may slide further
		}
		for meets != -1 && g.end > meets {
			g.up()
			o.previous()
		}
		return
	}
}
