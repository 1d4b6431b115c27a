package extract

// Similar reports whether two statements say the same: they have a share of the
// content words of the shorter one in common. One word in common of several tells
// nothing ("Allergic to walnuts", "Allergic to pistachios"), and what one denies the
// other does not say.
func Similar(a, b string, share float64) bool {
	if Denies(a, b) {
		return false
	}
	x, y := contentWords(a), contentWords(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	shared := 0
	for w := range x {
		if y[w] {
			shared++
		}
	}
	return shared > 0 && (shared > 1 || len(x) == 1) && float64(shared) >= share*float64(len(x))
}
