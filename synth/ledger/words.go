package ledger

import (
	"slices"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/vault"
)

// A place is where a claim stands, or stood when a run began.
type place struct {
	path vault.Path
	id   string
	text string
}

// words finds the claims that share words with a text, without reading the others.
type words struct {
	places []place
	sizes  []int // content words of each
	plain  []int // those that are neither numbers nor denials
	gone   []bool
	having map[string][]int // the places that have a word
	texts  map[string]int   // how many places have a text
}

func newWords() words { return words{having: map[string][]int{}, texts: map[string]int{}} }

func (w *words) add(at place) {
	i := len(w.places)
	content := extract.Words(at.text)
	w.places, w.sizes, w.gone = append(w.places, at), append(w.sizes, len(content)), append(w.gone, false)
	own := 0
	for word := range content {
		w.having[word] = append(w.having[word], i)
		if plain(word) {
			own++
		}
	}
	w.plain = append(w.plain, own)
	w.texts[at.text]++
}

// drop takes the claims with an id out.
func (w *words) drop(id string) {
	for i, at := range w.places {
		if at.id == id && !w.gone[i] {
			w.gone[i] = true
			w.texts[at.text]--
		}
	}
}

// has reports whether a claim has these very words.
func (w *words) has(text string) bool { return w.texts[text] > 0 }

// near are the claims of which text has at least a share of the content words, as
// extract.Overlap counts them, in the order in which they were added.
func (w *words) near(text string, share float64) []place {
	content := extract.Words(text)
	shared := map[int]int{}
	for word := range content {
		for _, i := range w.having[word] {
			shared[i]++
		}
	}
	var at []int
	for i, n := range shared {
		if !w.gone[i] && float64(n) >= share*float64(min(len(content), w.sizes[i])) {
			at = append(at, i)
		}
	}
	slices.Sort(at)
	out := make([]place, len(at))
	for j, i := range at {
		out[j] = w.places[i]
	}
	return out
}

// plain reports whether a word is counted by extract.Shared: numbers and denials are
// not.
func plain(word string) bool {
	return !extract.HasNumbers(word) && word != "longer" && word != "stopped"
}

// sharing are the places that have at least so many plain words of a text, and at
// least a share of those of the shorter.
func (w *words) sharing(text string, least int, share float64) []place {
	counts, own := make([]uint16, len(w.places)), 0
	var some []int
	for word := range extract.Words(text) {
		if !plain(word) {
			continue
		}
		own++
		for _, i := range w.having[word] {
			if counts[i]++; int(counts[i]) == least && !w.gone[i] {
				some = append(some, i)
			}
		}
	}
	var out []place
	for _, i := range some {
		if float64(counts[i]) >= share*float64(min(own, w.plain[i])) {
			out = append(out, w.places[i])
		}
	}
	return out
}
