package merge

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// BenchmarkThree merges long texts: a ledger with a few edits on each side,
// a transcript that was appended to, and the worst that can be asked for: every
// line in another place.
func BenchmarkThree(b *testing.B) {
	text := make([]string, 20_000)
	for i := range text {
		if i%3 != 2 {
			text[i] = fmt.Sprintf("- Said thing number %d on some day. (kind:: preference) ^f%d", i, i)
		}
	}
	whole := []byte(strings.Join(text, "\n"))
	r := rand.New(rand.NewPCG(1, 2))
	few := append([]string(nil), text...)
	for range 20 {
		few[r.IntN(len(few))] = "- Changed."
	}
	mixed := append([]string(nil), text...)
	r.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
	for _, bench := range []struct {
		name         string
		ours, theirs []byte
	}{
		{"few edits", []byte(strings.Join(few, "\n")), append(whole[:len(whole):len(whole)], "\nand more\n"...)},
		{"shuffled", []byte(strings.Join(mixed, "\n")), whole},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(whole)))
			for b.Loop() {
				Three(whole, bench.ours, bench.theirs)
			}
		})
	}
}
