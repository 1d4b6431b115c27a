package lexical

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
	"github.com/kljensen/snowball/russian"
)

// stem reduces one folded word to its term. English rules serve every word in
// plain Latin letters: they do little harm to other languages, and both sides of
// a search suffer it alike.
func stem(w string) string {
	switch {
	case numeric(w):
		return number(w)
	case latin(w):
		if base, ok := irregular[w]; ok {
			w = base
		}
		if len(w) < 3 {
			return w
		}
		return english.Stem(w, true)
	case cyrillic(w):
		return russian.Stem(w, true)
	}
	return w
}

func latin(w string) bool {
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return false
		}
	}
	return true
}

func cyrillic(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return unicode.Is(unicode.Cyrillic, r)
}

func numeric(w string) bool { return w[0] >= '0' && w[0] <= '9' }

// number writes "7th" as "7" and drops leading zeros of short numbers, so that
// "May 7th", "07.05." and "7 May" share a term.
func number(w string) string {
	digits := strings.TrimRight(w, "abcdefghijklmnopqrstuvwxyz")
	switch w[len(digits):] {
	case "st", "nd", "rd", "th", "":
		if t := strings.TrimLeft(digits, "0"); t != "" && len(digits) <= 2 {
			return t
		}
		return digits
	}
	return w
}

// irregular undoes the English forms that no suffix rule reaches. Only forms
// that are rarely another word: "left", "saw" and "found" stay themselves.
var irregular = func() map[string]string {
	m := make(map[string]string)
	for line := range strings.Lines(irregularForms) {
		base, forms, _ := strings.Cut(strings.TrimSpace(line), ":")
		for f := range strings.FieldsSeq(forms) {
			m[f] = base
		}
	}
	return m
}()

const irregularForms = `be: am is are was were been
become: became
begin: began begun
bite: bitten
blow: blew blown
break: broke broken
bring: brought
build: built
buy: bought
catch: caught
choose: chose chosen
come: came
deal: dealt
do: did does done
draw: drew drawn
dream: dreamt
drink: drank drunk
drive: drove driven
eat: ate eaten
fall: fell fallen
feed: fed
feel: felt
fight: fought
fly: flew flown flies
forget: forgot forgotten
forgive: forgave forgiven
freeze: froze frozen
get: got gotten
give: gave given
go: went gone goes
grow: grew grown
hang: hung
have: has had
hear: heard
hide: hid hidden
hold: held
keep: kept
know: knew known
lead: led
learn: learnt
lend: lent
lose: lost
make: made
mean: meant
meet: met
pay: paid
ride: rode ridden
ring: rang rung
rise: risen
run: ran
say: said
see: seen
seek: sought
sell: sold
send: sent
shake: shook shaken
shine: shone
shoot: shot
show: shown
sing: sang sung
sink: sank sunk
sit: sat
sleep: slept
speak: spoke spoken
spend: spent
stand: stood
steal: stole stolen
stick: stuck
strike: struck
swear: swore sworn
sweep: swept
swim: swam swum
take: took taken
teach: taught
tear: tore torn
tell: told
think: thought
throw: threw thrown
understand: understood
wake: woke woken
wear: wore worn
weave: wove woven
win: won
write: wrote written
child: children
foot: feet
goose: geese
knife: knives
leaf: leaves
life: lives
man: men
mouse: mice
person: people
shelf: shelves
tooth: teeth
wife: wives
wolf: wolves
woman: women
half: halves
loaf: loaves
scarf: scarves
thief: thieves
photo: photograph photographs
`
