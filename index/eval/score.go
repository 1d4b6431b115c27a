package eval

import (
	"cmp"
	"maps"
	"slices"
)

// Cutoffs are the k at which measures are taken.
var Cutoffs = [...]int{1, 5, 10, 25, 50}

// Measures sum up how the queries of one row fared; divide by N for the mean.
type Measures struct {
	N              int
	Any, Frac, All [len(Cutoffs)]float64
	MRR            float64
}

// at returns the mean of a measure at cutoff k.
func at(sum [len(Cutoffs)]float64, n, k int) float64 {
	return sum[slices.Index(Cutoffs[:], k)] / float64(max(n, 1))
}

// AnyAt, FracAt and AllAt return the mean measures at a cutoff: at least one gold
// item found, the share of the gold found, all of it found.
func (m Measures) AnyAt(k int) float64 { return at(m.Any, m.N, k) }

// FracAt returns the mean share of the gold found in the first k.
func (m Measures) FracAt(k int) float64 { return at(m.Frac, m.N, k) }

// AllAt returns the share of queries whose gold is found entirely in the first k.
func (m Measures) AllAt(k int) float64 { return at(m.All, m.N, k) }

// MeanRR returns the mean reciprocal rank of the first gold item.
func (m Measures) MeanRR() float64 { return m.MRR / float64(max(m.N, 1)) }

func (m *Measures) add(ranked []string, gold map[string]bool) {
	m.N++
	found, next := 0, 0
	for i, d := range ranked {
		for next < len(Cutoffs) && i == Cutoffs[next] {
			m.take(next, found, len(gold))
			next++
		}
		if gold[d] {
			found++
			if found == 1 {
				m.MRR += 1 / float64(i+1)
			}
		}
	}
	for ; next < len(Cutoffs); next++ {
		m.take(next, found, len(gold))
	}
}

func (m *Measures) take(k, found, gold int) {
	if found > 0 {
		m.Any[k]++
	}
	if gold > 0 {
		m.Frac[k] += float64(found) / float64(gold)
	}
	if found == gold {
		m.All[k]++
	}
}

// A Row names what Measures sum up: a family, a level ("doc" or "group") and a
// category of queries, "all" for every query.
type Row struct{ Family, Level, Category string }

// A Report holds the measures of a run.
type Report map[Row]*Measures

// Add scores one query's ranked documents.
func (r Report) Add(s *Set, group map[string]string, q Query, ranked []string) {
	ranked = unique(ranked, func(d string) string { return d })
	groups := unique(ranked, func(d string) string { return group[d] })
	goldGroups := make(map[string]bool)
	for d := range q.Gold {
		goldGroups[group[d]] = true
	}
	for _, cat := range []string{"all", q.Category} {
		r.row(Row{s.Family(), "doc", cat}).add(ranked, q.Gold)
		r.row(Row{s.Family(), "group", cat}).add(groups, goldGroups)
	}
}

func (r Report) row(k Row) *Measures {
	if r[k] == nil {
		r[k] = new(Measures)
	}
	return r[k]
}

// Rows returns the report's rows in order.
func (r Report) Rows() []Row {
	return slices.SortedFunc(maps.Keys(r), func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Family, b.Family), cmp.Compare(a.Level, b.Level), cmp.Compare(a.Category, b.Category))
	})
}

// unique maps each item and keeps the first of each value.
func unique(in []string, f func(string) string) []string {
	seen := make(map[string]bool, len(in))
	out := make([]string, 0, len(in))
	for _, x := range in {
		if y := f(x); !seen[y] {
			seen[y] = true
			out = append(out, y)
		}
	}
	return out
}
