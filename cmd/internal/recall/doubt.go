package recall

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memsync/memsync/index/embed"
	"github.com/memsync/memsync/index/embed/builtin"
	"github.com/memsync/memsync/index/lexical"
)

// A question about a thing that is in memory, of which just this was never said,
// finds evidence that fits and does not answer. Two signs of it can be told without
// reading: the evidence holds nothing of the kind that is asked for (see wanted), or
// of all that is said of a name in the question nothing is near what is asked of it.
// What the signs doubt is not in memory, where nobody reads the evidence.

// strange is the cosine of the built-in model below which two words have nothing to do
// with each other: so low that of the questions that memory can answer hardly one is
// doubted for it (TestFloor says how many).
const strange = 0.25

// headed is the cosine of the built-in model from which on a word that ends in another
// is a kind of it: a walnut is a nut (0.49), a message is no age.
const headed = 0.4

// compounded reports whether one text holds at least half of a question's terms, some
// of them only as the last part of a longer word: whoever asks for nuts means walnuts
// too. The index knows no such parts.
func compounded(ctx context.Context, question string, found []string) bool {
	terms := lexical.Query(question)
	for _, text := range found {
		held := 0
		var heads, words []string
		have := map[string]string{} // by term, the word
		for _, w := range strings.FieldsFunc(text, notWord) {
			if t := lexical.Analyze(w); len(t) > 0 {
				have[t[0]] = strings.ToLower(w)
			}
		}
		for _, term := range terms {
			if have[term] != "" {
				held++
				continue
			}
			for other, w := range have {
				if rest, ok := strings.CutSuffix(other, term); ok && len(term) >= 3 && len(rest) >= 3 {
					heads, words = append(heads, term), append(words, w)
					break
				}
			}
		}
		if len(heads) == 0 || 2*(held+len(heads)) < len(terms) {
			continue
		}
		if vectors := meanings(ctx, append(slices.Clone(heads), words...)); vectors != nil {
			for i := range heads {
				if dot(vectors[i], vectors[len(heads)+i]) >= headed {
					return true
				}
			}
		}
	}
	return false
}

// meanings are the vectors of words in the built-in model, nil where there are none.
func meanings(ctx context.Context, words []string) [][]float32 {
	model, err := builtin.Open()
	if err != nil {
		return nil
	}
	vectors, err := model.Embed(ctx, words, embed.Document)
	if err != nil {
		return nil
	}
	return vectors
}

// doubted says why the texts that were found do not answer the question, "" where
// nothing speaks against it.
func doubted(ctx context.Context, question string, found []string) string {
	terms := lexical.Query(question)
	about := about(terms, found)
	if len(about) == 0 {
		about = found // by meaning alone
	}
	if w := wantedBy(question); !slices.ContainsFunc(about, func(text string) bool { return w.holds(text, question) }) {
		return "what was found holds nothing of the kind that is asked for"
	}
	if len(found) > 0 && foreign(ctx, question, terms, about) {
		return "nothing of what was found is near what is asked of the name"
	}
	return ""
}

// about are the texts that hold one of the terms.
func about(terms []string, found []string) []string {
	var out []string
	for _, text := range found {
		if slices.ContainsFunc(lexical.Analyze(text), func(t string) bool { return slices.Contains(terms, t) }) {
			out = append(out, text)
		}
	}
	return out
}

// foreign reports whether a question names somebody or something, and no other word
// of it is in the texts, nor near one that is.
func foreign(ctx context.Context, question string, terms, texts []string) bool {
	names, others := asked(question, terms)
	if names == 0 || len(others) == 0 {
		return false
	}
	have := map[string]bool{}
	var words []string
	for _, text := range texts {
		for _, w := range strings.FieldsFunc(text, notWord) {
			t := lexical.Analyze(w)
			if len(t) == 0 || lexical.IsStop(t[0]) || have[t[0]] {
				continue
			}
			have[t[0]] = true
			words = append(words, strings.ToLower(w))
		}
	}
	for _, w := range others {
		if have[lexical.Analyze(w)[0]] {
			return false
		}
	}
	vectors := meanings(ctx, append(slices.Clone(others), words...))
	if vectors == nil {
		return false
	}
	for i := range others {
		for _, v := range vectors[len(others):] {
			if dot(vectors[i], v) >= strange {
				return false
			}
		}
	}
	return true
}

func dot(a, b []float32) (sum float64) {
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}

// asked parts the words of a question that are looked for: how many are names, by
// their capitals, and which are not.
func asked(question string, terms []string) (names int, others []string) {
	for i, w := range strings.FieldsFunc(question, notWord) {
		w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
		t := lexical.Analyze(w)
		if len(t) == 0 || !slices.Contains(terms, t[0]) {
			continue
		}
		if first, _ := utf8.DecodeRuneInString(w); i > 0 && unicode.IsUpper(first) {
			names++
		} else {
			others = append(others, strings.ToLower(w))
		}
	}
	return names, others
}
