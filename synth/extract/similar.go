package extract

// Similar reports whether two statements say the same: they have a share of the
// content words of the shorter one in common. One word in common of several tells
// nothing ("Allergic to walnuts", "Allergic to pistachios"), two of more than three only
// what both are about ("rye bread"), and what one denies the other does not say.
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
	enough := shared > 2 || shared == 2 && len(x) <= 3 || shared == 1 && len(x) == 1
	return enough && float64(shared) >= share*float64(len(x))
}
