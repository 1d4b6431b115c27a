package embed

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

// The similarities at which two summaries are duplicates, or overlap enough to
// be judged, in the scale that the design speaks: bge-m3's cosines.
const (
	DuplicateAt = 0.92
	OverlapAt   = 0.80
)

// A Calibration translates a model's cosines into that scale, so that the same
// number means the same whichever model is used.
//
// It goes by rank: on a sample of labelled pairs, a model's Duplicate is the
// cosine that as many pairs exceed as are labelled duplicates, and its Overlap
// the one that as many exceed as are labelled duplicates or overlaps. Where a
// model orders the sample as the labels do, each class falls into its band.
type Calibration struct {
	Model Model
	// Duplicate and Overlap are the model's cosines that stand for DuplicateAt
	// and OverlapAt.
	Duplicate, Overlap float64
	// Typical is the median cosine of pairs that have nothing to do with each
	// other; it stands for half of OverlapAt.
	Typical float64
	// Agreement is the share of pairs that fall into the band of their label,
	// each judged by a calibration on the half of the sample that lacks it.
	Agreement float64
}

// Scale translates a cosine. It rises with the cosine, and 1 stays 1.
func (c Calibration) Scale(cosine float64) float64 {
	knots := [][2]float64{{-1, -1}, {c.Typical, OverlapAt / 2}, {c.Overlap, OverlapAt}, {c.Duplicate, DuplicateAt}, {1, 1}}
	for i := 1; i < len(knots); i++ {
		a, b := knots[i-1], knots[i]
		if cosine <= b[0] {
			if b[0] <= a[0] {
				return b[1]
			}
			return a[1] + max(0, cosine-a[0])/(b[0]-a[0])*(b[1]-a[1])
		}
	}
	return 1
}

// A Label says how two texts of the sample relate.
type Label int

// The labels, in order of similarity.
const (
	Distinct Label = iota
	Overlapping
	Duplicated
)

func (l Label) String() string { return [...]string{"distinct", "overlap", "duplicate"}[l] }

var labelNames = map[string]Label{"distinct": Distinct, "overlap": Overlapping, "duplicate": Duplicated}

// A Pair is two texts and how they relate.
type Pair struct {
	Label Label
	A, B  string
}

//go:embed pairs.tsv
var pairsText string

// Sample returns the labelled pairs that models are calibrated on: short
// summaries as memsync writes them, made for this purpose.
func Sample() []Pair {
	var out []Pair
	for line := range strings.Lines(pairsText) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) == 3 {
			out = append(out, Pair{labelNames[f[0]], f[1], f[2]})
		}
	}
	return out
}

// Calibrate measures a model on pairs of each label, at least four of each.
func Calibrate(ctx context.Context, e Embedder, pairs []Pair) (Calibration, error) {
	cosines, err := pairCosines(ctx, e, pairs)
	if err != nil {
		return Calibration{}, fmt.Errorf("calibrate: %w", err)
	}
	all := make([]int, len(pairs))
	var halves [2][]int
	var count [3]int
	for i, p := range pairs {
		all[i] = i
		half := count[p.Label] % 2
		halves[half] = append(halves[half], i)
		count[p.Label]++
	}
	for label, n := range count {
		if n < 4 {
			return Calibration{}, fmt.Errorf("calibrate: %d pairs are labelled %s, want at least 4", n, Label(label))
		}
	}
	c := bands(pairs, cosines, all)
	right := 0
	for half, held := range halves {
		other := bands(pairs, cosines, halves[1-half])
		for _, i := range held {
			if other.label(cosines[i]) == pairs[i].Label {
				right++
			}
		}
	}
	c.Model, c.Agreement = e.Model(), float64(right)/float64(len(pairs))
	return c, nil
}

// bands sets the bands by some of the pairs.
func bands(pairs []Pair, cosines []float64, some []int) Calibration {
	var count [3]int
	var falling, distinct []float64
	for _, i := range some {
		count[pairs[i].Label]++
		falling = append(falling, cosines[i])
		if pairs[i].Label == Distinct {
			distinct = append(distinct, cosines[i])
		}
	}
	slices.Sort(falling)
	slices.Reverse(falling)
	slices.Sort(distinct)
	var c Calibration
	c.Duplicate = between(falling, count[Duplicated])
	c.Overlap = between(falling, count[Duplicated]+count[Overlapping])
	c.Typical = min(distinct[len(distinct)/2], c.Overlap)
	return c
}

// between is the middle between the n-th value, counted from 1, and the next.
func between(falling []float64, n int) float64 { return (falling[n-1] + falling[n]) / 2 }

func (c Calibration) label(cosine float64) Label {
	switch s := c.Scale(cosine); {
	case s >= DuplicateAt:
		return Duplicated
	case s >= OverlapAt:
		return Overlapping
	}
	return Distinct
}

func pairCosines(ctx context.Context, e Embedder, pairs []Pair) ([]float64, error) {
	var texts []string
	for _, p := range pairs {
		texts = append(texts, p.A, p.B)
	}
	vectors, err := embedAll(ctx, e, texts, Document)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(pairs))
	for i := range pairs {
		out[i] = cosine(vectors[2*i], vectors[2*i+1])
	}
	return out, nil
}
