package eval

import (
	"fmt"
	"io"
)

// Print writes one line a row: families at both levels, and with categories the
// rows of each category too.
func (r Report) Print(w io.Writer, categories bool) error {
	for _, k := range r.Rows() {
		if k.Category != "all" && !categories {
			continue
		}
		m := r[k]
		_, err := fmt.Fprintf(w, "%-17s %-5s %-26s n=%-5d any@1 %.3f any@5 %.3f any@10 %.3f frac@5 %.3f frac@10 %.3f frac@50 %.3f all@5 %.3f all@10 %.3f mrr %.3f\n",
			k.Family, k.Level, k.Category, m.N, m.AnyAt(1), m.AnyAt(5), m.AnyAt(10), m.FracAt(5), m.FracAt(10), m.FracAt(50), m.AllAt(5), m.AllAt(10), m.MeanRR())
		if err != nil {
			return err
		}
	}
	return nil
}
