package exportgen

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode/utf16"
)

// common are words that tie sentences together, the most frequent first: they are
// drawn as often as their rank says, as in running English. The topics' own words are made
// of syllables, so that searches have rare words to find.
var common = strings.Fields(`the of and to a in is that for it as was with be by on not he his but at are this have from or had an they
	which one you were all her she there would their we him been has when who will no more if out so what up said about than into them can only
	other time new some could these two may first then do any like my now over such our man me even most made after also did many off before must well
	back through years much where your way down should because long each just state those people too mr how little good world make very year still see own
	work men day get here old between both life being under three never know same last another while us might great go come since against right came take used
	himself few house use place during without again home around small however found mrs part school thought went say general once upon every left war
	project deadline budget meeting garden kitchen train ticket doctor sister brother weekend invoice server function error test recipe guitar language
	flight hotel passport allergy dentist bicycle running coffee tea morning evening report chapter draft review design plan idea question answer`)

// foreign are sentences in other scripts, escaped when they are written.
var foreign = []string{
	"Können wir das bitte bis Dienstag verschieben? Mir passt es früher nicht.",
	"Ich habe übrigens die Wohnung in Köln bekommen, der Schlüssel kommt nächste Woche.",
	"Мы договорились встретиться в пятницу у вокзала.",
	"Напомни мне купить билеты до Казани.",
	"来週の会議は水曜日の午後三時に変わりました。",
	"我对花生过敏，请推荐别的食谱。",
	"¿Puedes revisar el presupuesto de la cocina? Ya pagué la señal.",
	"Je préfère le train de nuit, même s’il est plus cher.",
	"मुझे सुबह जल्दी काम करना पसंद है।",
	"Thanks 🙏 that helped a lot 🎉",
}

type vocabulary struct {
	rare []string
	zipf *rand.Zipf
	tie  *rand.Zipf // among the common words
}

func newVocabulary(rnd *rand.Rand) *vocabulary {
	syllables := strings.Fields("ba ke lo ri tu ma ne vi so da ru pel gan tor mis del kar wen hol fa zen qui bra sto lin dor vex mon tal pri")
	v := &vocabulary{zipf: rand.NewZipf(rnd, 1.1, 8, 19_999), tie: rand.NewZipf(rnd, 1.05, 2.7, uint64(len(common)-1))}
	for range 20_000 {
		var b strings.Builder
		for range 2 + rnd.IntN(3) {
			b.WriteString(syllables[rnd.IntN(len(syllables))])
		}
		v.rare = append(v.rare, b.String())
	}
	return v
}

// topic is a handful of rare words that a conversation keeps using.
func (v *vocabulary) topic(g *generator) []int {
	t := make([]int, 12)
	for i := range t {
		t[i] = int(v.zipf.Uint64())
	}
	return t
}

func (v *vocabulary) word(g *generator, topic []int) string {
	switch r := g.rnd.IntN(100); {
	case r < 70:
		return common[v.tie.Uint64()]
	case r < 85 && len(topic) > 0:
		return v.rare[topic[g.rnd.IntN(len(topic))]]
	case r < 98:
		return v.rare[v.zipf.Uint64()]
	}
	return fmt.Sprint(g.rnd.IntN(100_000))
}

// sentences writes about n words as sentences into b, as the inside of a JSON
// string.
func (v *vocabulary) sentences(g *generator, b *strings.Builder, topic []int, n int) {
	for n > 0 {
		length := min(n, 5+g.rnd.IntN(18))
		n -= length
		if g.chance(2) {
			escape(b, pick(g, foreign...))
			b.WriteByte(' ')
			continue
		}
		for i := range length {
			w := v.word(g, topic)
			if i == 0 {
				b.WriteByte(w[0] &^ 0x20)
				b.WriteString(w[1:])
				continue
			}
			b.WriteByte(' ')
			if g.chance(2) {
				b.WriteString(`\u2019`)
			}
			if g.chance(1) {
				b.WriteString(`\"` + w + `\"`)
				continue
			}
			b.WriteString(w)
		}
		b.WriteString(pick(g, ". ", ". ", ". ", "? ", ", and ", `.\n`))
	}
}

func (v *vocabulary) text(g *generator, n int) string { return v.words(g, nil, n) }

func (v *vocabulary) words(g *generator, topic []int, n int) string {
	var b strings.Builder
	v.sentences(g, &b, topic, n)
	return b.String()
}

func (v *vocabulary) title(g *generator) string {
	var b strings.Builder
	for i := range 2 + g.rnd.IntN(4) {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(v.word(g, nil))
	}
	if g.chance(10) {
		b.WriteString(` \u2013 \u00fcbersicht`)
	}
	return b.String()
}

func (v *vocabulary) question(g *generator, topic []int, n int) string {
	var b strings.Builder
	if g.chance(5) {
		escape(&b, pick(g, foreign...))
		b.WriteByte(' ')
	}
	v.sentences(g, &b, topic, n)
	return b.String()
}

// answer has headings, lists, code and citations among its sentences.
func (v *vocabulary) answer(g *generator, topic []int, n int) string {
	var b strings.Builder
	for n > 0 {
		part := min(n, 20+g.rnd.IntN(80))
		n -= part
		switch r := g.rnd.IntN(100); {
		case r < 12:
			b.WriteString(`\n\n## ` + v.title(g) + `\n\n`)
		case r < 35:
			for range 3 {
				b.WriteString(`\n- **` + v.word(g, topic) + `**: `)
				v.sentences(g, &b, topic, part/3)
			}
			b.WriteString(`\n`)
			continue
		case r < 43:
			b.WriteString(`\n` + "```python" + `\n` + v.code(g) + `\n` + "```" + `\n`)
		}
		v.sentences(g, &b, topic, part)
		if g.chance(5) {
			fmt.Fprintf(&b, `\ue200cite\ue202turn%dsearch%d\ue201`, g.rnd.IntN(9), g.rnd.IntN(9))
		}
	}
	return b.String()
}

func (v *vocabulary) code(g *generator) string {
	var b strings.Builder
	for i := range 2 + g.rnd.IntN(12) {
		if i > 0 {
			b.WriteString(`\n`)
		}
		name := v.rare[v.zipf.Uint64()]
		b.WriteString(pick(g,
			`def `+name+`(x, y=None):`,
			`    `+name+` = [\"`+v.word(g, nil)+`\", 'b\\n']`,
			`    if `+name+` is not None and x < 10:`,
			`        return `+name+`(x + 1)`,
			`\tprint(f\"{`+name+`}\")`,
		))
	}
	return b.String()
}

// escape writes s as the provider does: everything beyond ASCII as \u escapes.
func escape(b *strings.Builder, s string) {
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x80:
			b.WriteRune(r)
		case r > 0xFFFF:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(b, `\u%04x\u%04x`, hi, lo)
		default:
			fmt.Fprintf(b, `\u%04x`, r)
		}
	}
}
