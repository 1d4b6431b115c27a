package config

import "strings"

// nearest is the known key that was probably meant, or empty. The whole name is
// compared, and then its last part alone, for a key that stands in the wrong
// section.
func nearest(name string, known []string) string {
	best, bestAt := "", max(2, len(name)/4)+1
	for _, k := range known {
		if d := distance(name, k); d < bestAt {
			best, bestAt = k, d
		}
	}
	if best != "" {
		return best
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	bestAt = max(1, len(last)/4) + 1
	for _, k := range known {
		if d := distance(last, k[strings.LastIndexByte(k, '.')+1:]); d < bestAt {
			best, bestAt = k, d
		}
	}
	return best
}

// distance is how many letters to add, drop, change or swap with their
// neighbour lead from a to b.
func distance(a, b string) int {
	before, row := []int(nil), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(row[j]+cost, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
