package extract

import (
	"slices"
	"strings"

	"github.com/memsync/memsync/vault/lazyregexp"
)

// This file finds that somebody says "not" to what they said before: "I am not
// allergic to walnuts" after "I am allergic to walnuts". Only a "not" that stands at
// the verb of a clause about the same one counts, and only where the rest says what
// the other clause says: a "not" about something else denies nothing.

// An assertion is what a clause says of its speaker, or of something of theirs.
type assertion struct {
	subject string   // "i", "we", "my sister"
	words   []string // the verb and what follows, articles left out
	denied  bool
	past    bool
}

// Refutes reports whether one of two clauses denies what the other says: the one
// that says "not" is, without it, what the other begins with. The clauses are the
// speaker's words with their beginning ("I am ..."): it tells who is spoken of.
func Refutes(a, b string) bool {
	for _, x := range assertions(a) {
		for _, y := range assertions(b) {
			if x.denied == y.denied || x.subject != y.subject || x.past != y.past {
				continue
			}
			if !x.denied {
				x, y = y, x
			}
			if begins(y.words, x.words) {
				return true
			}
		}
	}
	return false
}

// TakesBack reports whether a clause says of itself that it changes what was said
// or so before: "Actually, ...", "I no longer ...", "I was wrong: ...".
func TakesBack(clause string) bool {
	s := strings.ToLower(straight(clause))
	return takingBack.FindString(s) != "" || noMore.MatchString(s)
}

// takesBackAlone reports whether a sentence only says that something was wrong; what
// is right is in the next one.
func takesBackAlone(sentence string) bool {
	s := strings.ToLower(straight(sentence))
	return len(s) < 80 && takingBack.FindString(s+" ") == s+" "
}

// Restated is a clause without the words that announce a correction, and the whole
// clause where it has none.
func Restated(clause string) string {
	lower := strings.ToLower(clause)
	if len(lower) != len(clause) {
		return clause // a letter whose small form has another length
	}
	return clause[len(takingBack.FindString(lower)):]
}

// Instead reports whether a clause puts something in the place of what another says:
// "my exhibition opens on 26 June, not on 12 June". What it turns down stands in the
// other clause, and both are about one matter.
func Instead(clause, other string) bool {
	m := notThat.FindStringSubmatch(straight(Restated(clause)))
	if m == nil {
		return false
	}
	said, down, there := contentWords(m[1]), contentWords(m[2]), contentWords(straight(other))
	fresh, shared := 0, 0
	for w := range said {
		switch {
		case down[w]:
		case there[w]:
			shared++
		default:
			fresh++
		}
	}
	gone := 0
	for w := range down {
		if !there[w] {
			return false
		}
		if !said[w] {
			gone++
		}
	}
	return gone > 0 && fresh > 0 && fresh <= gone+1 && shared >= 2
}

// notThat is a clause that ends in what it turns down.
var notThat = lazyregexp.New(`^(.+?),? (?:and )?(?:not|instead of|rather than) (.{1,60})$`)

// takingBack is how people begin a correction of themselves.
var takingBack = lazyregexp.New(`^(?:(?:well|oh|no|sorry|wait|ok(?:ay)?|so|and|but)[,.!:;-]? +)*(?:(?:(?:actually|(?:as it |it )?turn(?:s|ed) out(?: that)?)[,:]? +)|(?:correction|scratch that|on second thoughts?|my mistake|i (?:was wrong|was mistaken|misspoke|made a mistake|got (?:it|that) wrong|changed my mind|take (?:that|it) back)(?: (?:yesterday|earlier|before|last time|about (?:that|it|this|the \p{L}+|my \p{L}+)))?)(?: *[,.!:;]| -| –| —) +)+`)

// noMore are words with which a clause says that something was so until now.
var noMore = lazyregexp.New(`\b(?:no longer|any ?more|any longer|after all)\b|^(?:i|we)(?:'ve| have)? (?:just |finally |recently )?(?:stopped|quit|gave up|given up) `)

// atAll strengthens a "not", and sinceWhen says since when something is no more so.
var (
	atAll     = lazyregexp.New(`,? \b(?:at all|these days|for now|at the moment)\b`)
	sinceWhen = lazyregexp.New(`,? \b(?:in|since|last|this|as of|after|back in|at the end of) (?:the )?(?:early |late |last |this )?(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|fall|winter|week|weekend|month|year|20\d\d|then|christmas|easter|mon|tues|wednes|thurs|fri|satur|sun)\p{L}*(?: 20\d\d| ago)?`)
)

// negated takes a clause apart at the "not" of its verb, affirmed at its verb alone.
var (
	negated  = lazyregexp.New(`^(i|we|(?:my|our) [\p{L}' -]{2,40}?)(?:(?: (am|is|are|was|were|do|does|did|have|has|had|can|could|will|would|should)|'(m|re|ve|s|ll|d)) ?(?:not|never|no longer|no)| (am|is|are|was|were|do|does|did|have|has|had|ca|could|wo|would|should)n't| (cannot)| (?:never|no longer)) (.+)$`)
	stopping = lazyregexp.New(`^(i|we)(?:'ve| have)? (?:just |finally |recently )?(?:stopped|quit|gave up|given up) (\p{L}+ing\b.*)$`)
	affirmed = lazyregexp.New(`^(i|we|(?:my|our) [\p{L}' -]{2,40}?)(?: (am|is|are|was|were|do|does|did|have|has|had|can|could|will|would|should)|'(m|re|ve|s|ll|d))? (.+)$`)
)

// hedged are words behind "not" that leave what was said as it is.
var hedged = lazyregexp.New(`^(?:only|just|sure|certain|necessarily|always|usually|even|yet)\b`)

// auxiliary is the word that stands for a clause's own in an assertion; those that
// only carry the "not" stand for nothing.
var auxiliary = map[string]string{
	"am": "be", "is": "be", "are": "be", "m": "be", "re": "be", "s": "be", "was": "was", "were": "was",
	"have": "have", "has": "have", "ve": "have", "had": "had", "can": "can", "ca": "can", "cannot": "can", "could": "could",
	"will": "will", "wo": "will", "ll": "will", "would": "would", "d": "would", "should": "should",
}

// plainVerb is how a contracted auxiliary is written out.
var plainVerb = map[string]string{"m": "am", "re": "are", "s": "is", "ve": "have", "ll": "will", "d": "would", "ca": "can", "cannot": "can", "wo": "will", "do": "", "does": "", "did": ""}

// affirm is what a clause denies, in small letters: "I'm not a vegan" denies "i am a
// vegan".
func affirm(clause string) (string, bool) {
	subject, verb, rest, ok := denied(strings.ToLower(straight(clause)))
	if !ok {
		return "", false
	}
	if plain, ok := plainVerb[verb]; ok {
		verb = plain
	}
	return strings.Join(strings.Fields(subject+" "+verb+" "+rest), " "), true
}

// denied takes a clause in small letters apart at its "not".
func denied(s string) (subject, verb, rest string, ok bool) {
	if m := negated.FindStringSubmatch(s); m != nil {
		return m[1], strings.Join(m[2:6], ""), m[6], !hedged.MatchString(m[6])
	}
	if m := stopping.FindStringSubmatch(s); m != nil {
		return m[1], "", m[2], true
	}
	return "", "", "", false
}

// assertions reads what a clause says: one assertion, and one more for each further
// thing that it lists.
func assertions(clause string) []assertion {
	s := strings.ToLower(straight(clause))
	s = s[len(takingBack.FindString(s)):]
	if strings.HasSuffix(s, "?") {
		return nil
	}
	subject, verb, rest, not := denied(s)
	if !not {
		m := affirmed.FindStringSubmatch(s)
		if m == nil || negated.MatchString(s) || m[1] != "i" && m[1] != "we" && m[2]+m[3] == "" {
			return nil // hedged, or of whom it is said cannot be told from the verb
		}
		subject, verb, rest = m[1], m[2]+m[3], m[4]
	}
	rest = noMore.ReplaceAllString(rest, "")
	if not {
		rest = atAll.ReplaceAllString(rest, "")
		if noMore.MatchString(s) {
			rest = sinceWhen.ReplaceAllString(rest, "")
		}
	}
	first, _, _ := strings.Cut(rest, " ")
	past := verb == "did" || verb == "" && len(first) > 4 && strings.HasSuffix(first, "ed")
	var out []assertion
	for _, words := range listed(auxiliary[verb], rest) {
		if len(words) > 1 {
			out = append(out, assertion{subject, words, not, past})
		}
	}
	return out
}

// notTold are words that an assertion says the same without.
var notTold = set("a an the any some my our really actually also currently still just very now so")

// toward are the words after which a list goes on: "allergic to walnuts and cashews".
var toward = set("to of in at on for with from about by as than")

// listed is what a verb and its rest say, for each thing that the rest lists: the
// first as it stands, the others behind the last preposition of the first, or
// behind the verb.
func listed(verb, rest string) [][]string {
	var out [][]string
	var first, item []string
	head := 1
	flush := func() {
		switch {
		case len(item) == 0:
			return
		case len(out) == 0:
			if verb != "" {
				first = []string{verb}
			}
			first = append(first, item...)
			for i, w := range first {
				if toward[w] {
					head = i + 1
				}
			}
			out = append(out, first)
		default:
			out = append(out, append(slices.Clone(first[:head]), item...))
		}
		item = nil
	}
	for w := range strings.FieldsSeq(rest) {
		core := strings.Trim(w, ".,;:!?()[]\"'`*–—-")
		if core == "" || core == "and" || core == "or" || core == "but" || core == "nor" {
			flush()
			continue
		}
		if !notTold[core] {
			item = append(item, core)
		}
		if strings.ContainsAny(w[len(w)-1:], ",;:.!") {
			flush()
		}
	}
	flush()
	return out
}

// goesOn are words that may follow what is denied without making it another thing:
// "meat" is denied in "meat on Sundays", not in "meat substitutes".
var goesOn = set("to of in at on for with from about by as than when while because since if after before during until every each again too twice once always often only daily most all that which who where so then today here there together near without over under between")

// begins reports whether words begin with all of others, which name something, and
// the next word begins a phrase of its own.
func begins(words, with []string) bool {
	if len(with) > len(words) || !slices.ContainsFunc(with, func(w string) bool { return !StopWord(w) }) {
		return false
	}
	for i, w := range with {
		if stem(w) != stem(words[i]) {
			return false
		}
	}
	return len(words) == len(with) || goesOn[words[len(with)]]
}

// stem is a word without the endings by which a verb follows "stop", tells of the
// past, and a noun is many: "eating" and "eat", "walnuts" and "walnut".
func stem(w string) string {
	for _, ending := range []string{"ing", "ed"} {
		cut, ok := strings.CutSuffix(w, ending)
		if n := len(cut); ok && n > 2 {
			if cut[n-1] == cut[n-2] && cut[n-1] != 's' && cut[n-1] != 'l' {
				cut = cut[:n-1]
			}
			w = cut
			break
		}
	}
	if len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") {
		w = w[:len(w)-1]
	}
	if len(w) > 3 {
		w = strings.TrimSuffix(w, "e")
	}
	return w
}
