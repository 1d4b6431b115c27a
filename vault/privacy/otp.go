package privacy

import (
	"strings"
	"unicode/utf8"
)

// codes finds one-time codes, PINs and card security codes: short numbers that
// mean nothing by themselves, so that all depends on the words around them.
func (s *scan) codes(out []Finding) []Finding {
	if !s.any(kindOTP, kindCode, kindCue) {
		return out
	}
	for _, n := range s.numbers {
		start, end, ok := s.codeShape(n)
		if !ok {
			continue
		}
		if !s.near(start, end, 160, kindOTP, kindCode) && !s.near(start, end, 48, kindCue) {
			continue
		}
		if confidence := s.codeAt(start, end, n); confidence > 0 {
			out = append(out, Finding{OTP, start, end, "code-in-context", confidence})
		}
	}
	return s.letterCodes(s.changedCodes(out))
}

func (s *scan) any(kinds ...kind) bool {
	for _, w := range s.hits {
		if oneOf(w.kind, kinds) {
			return true
		}
	}
	return false
}

// codeShape says whether n can be a code: 3 to 8 digits, in one group or two
// halves, perhaps behind a sender's letters (G-482915) and before a hash.
func (s *scan) codeShape(n number) (start, end int, ok bool) {
	gs := s.groupsOf(n)
	start, end = n.start, n.end
	switch {
	case len(gs) == 1 && n.digits <= 8:
	case len(gs) == 2 && gs[0].n == gs[1].n && n.digits >= 6 && n.digits <= 8 && spacing(gs[0].sep) != '.':
	case len(gs) > 1 && gs[0].n >= 4 && gs[0].n <= 8 && spacing(gs[0].sep) == ' ': // "447291 2 baje tak"
		end = gs[0].end
	default:
		return 0, 0, false
	}
	if p := start - 1; p > 0 && s.text[p] == '-' && letter(s.text[p-1]) {
		for p > 0 && letter(s.text[p-1]) {
			p--
		}
		if prefix := s.text[p : start-1]; len(prefix) > 2 || strings.ToUpper(prefix) != prefix {
			return 0, 0, false
		}
		start = p
	}
	if !s.loose(start, end) {
		return 0, 0, false
	}
	if end < len(s.text) && s.text[end] == '#' {
		end++
	}
	return start, end, true
}

// codeAt weighs the words around the number at [start, end).
func (s *scan) codeAt(start, end int, n number) float64 {
	if s.amount(start, end) || s.masked(start) || s.inURL(start) || s.dialled(start) {
		return 0
	}
	behind := s.wordAfter(end)
	if units[behind] {
		return 0
	}
	year := n.digits == 4 && n.n == 1 && yearLike(string(s.digits[s.groups[n.first].from:s.groups[n.first].from+4]))
	w, ok := s.beforeInText(start, 96, kindOther, kindOTP, kindCode, kindPassword, kindAccount, kindCard, kindAadhaar)
	gapless := false
	if ok && w.kind == kindOther {
		// "the code for the gate is 3381": what is named is the label's own object.
		u, named := s.before(w.start, 24, kindOTP, kindCode)
		if !named || !says(s.text[w.end:start]) || strings.TrimSpace(s.text[u.end:w.start]) == "" || !connects(s.text[u.end:w.start], 0) {
			return 0
		}
		w = u
	}
	if u, named := s.before(start, reachBefore, kindCode); ok && named && w.kind == kindCard && strings.TrimSpace(s.text[u.end:w.start]) == "" {
		w = u // "пин-код карты 8812"
		gapless = true
	}
	if ok && w.kind != kindOTP && w.kind != kindCode && says(s.text[w.end:start]) {
		// "the PIN of my card is 6630": the card is part of the label.
		w, ok = s.beforeInText(start, 96, kindOther, kindOTP, kindCode)
	}
	if ok && (w.kind == kindOTP || w.kind == kindCode) {
		gap := s.text[w.end:start]
		strong := w.kind == kindOTP || n.digits >= 4 && s.near(start, end, 160, kindCue)
		direct := gapless || connects(gap, 0)
		if strings.HasPrefix(gap, "),") || s.text[max(0, start-1)] == '#' && !(strong && direct) {
			return 0 // an argument of a program, an issue's number
		}
		switch {
		case n.digits == 3:
			if cardCode(s.text[w.start:w.end]) && direct || w.kind == kindOTP && says(gap) && connects(gap, 3) && follows(behind) {
				return 0.9
			}
			return 0
		case year && (!direct || !strong || preposition(gap)):
			if !direct || preposition(gap) || !says(gap) {
				return 0
			}
			return 0.8
		case direct && strong:
			return 0.95
		case direct && (says(gap) || follows(behind)):
			return 0.85
		case strong && !preposition(gap) && (says(gap) || connects(gap, 3)) && follows(behind):
			return 0.8
		case genitive(gap) && connects(gap, 1) && follows(behind):
			return 0.7
		case says(gap) && connects(gap, 4) && follows(behind) && !strings.ContainsAny(gap, ".!?\n"):
			return 0.75
		}
		// A code may stand before its label in a text that has named it before; go on.
	}
	if n.digits < 4 {
		return 0
	}
	if w, ok := s.after(end, 64, kindOTP, kindCode); ok {
		gap := s.text[end:w.start]
		strong := w.kind == kindOTP || s.near(start, end, 160, kindCue)
		if head(gap) && connects(gap, 3) && (strong || says(gap)) && !(year && !says(gap)) {
			return 0.9
		}
	}
	if year {
		return 0
	}
	if word, _ := s.wordBefore(start); imperatives[word] {
		if w, ok := s.after(end, 32, kindCue, kindOTP, kindCode); ok && connects(s.text[end:w.start], 2) {
			return 0.85 // "use 662817 to verify"
		}
	}
	// "Use OTP 558731 …", "Der Einmalcode 664422 ist gültig" are direct; what is left
	// is a number alone behind a strong word and a colon, anywhere in the message.
	if w, ok := s.beforeInText(start, 160, kindOther, kindOTP); ok && w.kind == kindOTP {
		colon := strings.HasSuffix(strings.TrimRight(s.text[w.end:start], " \n*\"'"), ":")
		if (colon || endsLine(s.text, end) && startsLine(s.text, start)) && follows(behind) {
			return 0.75
		}
	}
	return 0
}

// cardCode reports whether a label names the three digits on the back of a card.
func cardCode(label string) bool {
	label = strings.ToLower(label)
	return strings.HasPrefix(label, "cv") || strings.HasSuffix(label, "prüfnummer")
}

// beforeInText is before without regard to sentences, within a paragraph.
func (s *scan) beforeInText(at, reach int, kinds ...kind) (hit, bool) {
	for i := s.lastHit(at); i >= 0; i-- {
		w := s.hits[i]
		if at-w.end > reach || strings.Contains(s.text[w.end:at], "\n\n") {
			break
		}
		if oneOf(w.kind, kinds) {
			return w, true
		}
	}
	return hit{}, false
}

// letterCodes finds codes of capitals and digits right behind their label:
// "Steam Guard code: 5K2XQ", "gate code 47B12".
func (s *scan) letterCodes(out []Finding) []Finding {
	for _, w := range s.hits {
		if w.kind != kindOTP && w.kind != kindCode {
			continue
		}
		gap, from := s.skipConnectors(w.end)
		to := from
		for to < len(s.text) && alnum(s.text[to]) {
			to++
		}
		code := s.text[from:to]
		if len(code) < 4 || len(code) > 10 || strings.ToUpper(code) != code || !mixed(code) || !s.loose(from, to) {
			continue
		}
		if w.kind == kindCode && !says(gap) || s.marked(from, to) {
			continue
		}
		out = append(out, Finding{OTP, from, to, "letter-code", 0.8})
	}
	return out
}

// skipConnectors steps over connectors behind at on the same line.
func (s *scan) skipConnectors(at int) (gap string, next int) {
	i := at
	for i < len(s.text) && i-at <= labelReach {
		j := i
		for j < len(s.text) && strings.IndexByte(" \t:=*\"'`([", s.text[j]) >= 0 {
			j++
		}
		k := j
		for k < len(s.text) && strings.IndexByte(" \t\n:=*\"'`([", s.text[k]) < 0 {
			k++
		}
		if k == j || !connects(s.text[j:k], 0) {
			return s.text[at:j], j
		}
		i = k
	}
	return s.text[at:i], i
}

// mixed reports whether code has both letters and digits.
func mixed(code string) bool {
	var l, d bool
	for i := range len(code) {
		l = l || letter(code[i])
		d = d || digit(code[i])
	}
	return l && d
}

func yearLike(d string) bool { return d[:2] == "19" || d[:2] == "20" }

// says reports whether gap claims that the value follows or precedes: a copula, a colon.
func says(gap string) bool {
	if strings.ContainsAny(gap, ":=：＝") || strings.Contains(gap, "->") || strings.Contains(gap, "→") || strings.Contains(gap, "—") || strings.Contains(gap, " - ") {
		return true
	}
	for word := range strings.FieldsSeq(gap) {
		if copulas[strings.ToLower(strings.Trim(word, `"',.`))] || particles(word) {
			return true
		}
	}
	return false
}

var copulas = set(`is was are be it's it’s equals now ist lautet war heißt heisst es está era est était c'est è era é это है हैं hai h ye yeh tha thi هو هي است är var er jest je adalah là είναι este budur`)

// head reports whether a gap behind a number goes on as a statement about it,
// or the label follows at once.
func head(gap string) bool { return says(gap) || len(gap) <= 3 || connects(gap, 0) }

// genitive reports whether the gap's first word ties a thing to the label:
// "код от домофона".
func genitive(gap string) bool {
	fields := strings.Fields(gap)
	return len(fields) > 0 && genitives[strings.ToLower(fields[0])]
}

var genitives = set(`for of to от для für fürs zum zur vom de del para pour du da do per voor till til ka ki ke का की के`)

// preposition reports whether the gap's last word makes of the number a date or a place.
func preposition(gap string) bool {
	gap = strings.TrimRight(gap, " \t")
	word := strings.ToLower(gap[strings.LastIndexAny(gap, " \t\n")+1:])
	switch word {
	case "in", "since", "from", "until", "till", "by", "after", "before", "at", "on", "of", "im", "seit", "von", "bis", "en", "desde", "depuis", "dal", "em", "с", "в", "до", "years", "year", "has", "have", "had", "sent", "about", "around", "over", "under", "than", "carries":
		return true
	}
	return false
}

// follows reports whether word, which stands behind a number, lets the number be
// a code: nothing, or a word that is not counted by it.
func follows(word string) bool { return word == "" || afterCode[word] || !isWord(firstRune(word)) }

func firstRune(s string) rune { r, _ := utf8.DecodeRuneInString(s); return r }

var afterCode = set(`is for to as and or but in it its it's valid now here please pls this that the your my do don't never expires only use with from if when so then on at has will ok okay
	ist für und oder zum zur als gültig nicht gilt bitte es para y no en est pour et ne valable è per e non é para e não это для и не никому है और में किसी hai h aaya aya he dal daal bhej bol de do batana bata mat se pe ko
	हे दे er är och för jest i do dla je a jsou is voor en niet adalah untuk dan là và ve için です 입니다`)

// units are what numbers count.
var units = set(`minutes minute mins min hours hour hrs hr days day seconds secs sec weeks months years times people lines words characters chars digits stars requests combinations users members posts copies mv ms kg km m cm mm mb gb kb
	minuten stunden tage sekunden zeichen zeilen minutos horas días caracteres minutes heures jours secondes minuti ore giorni минут минуты часов дней символов मिनट घंटे दिन otps codes tickets votes followers`)

// imperatives stand before a code that is to be typed.
var imperatives = set(`use enter type input code: verwende verwenden eingeben nutze usa use ingresa ingrese introduce introduzca utilisez entrez saisissez usa inserisci digite insira введите используйте डालें दर्ज`)

// dialled reports whether the number is one to call or to write to, not a code.
func (s *scan) dialled(start int) bool {
	word, from := s.wordBefore(start)
	if word == "to" || word == "on" || word == "at" || word == "an" {
		word, from = s.wordBefore(from)
	}
	for range 2 {
		switch word {
		case "call", "dial", "sms", "text", "stop", "phone", "ring", "fax", "helpline", "toll-free", "send", "sent", "rfc", "version", "port":
			return word != "send" && word != "sent" || strings.HasSuffix(strings.TrimRight(s.text[:start], " "), " to")
		}
		word, from = s.wordBefore(from)
	}
	return false
}

func startsLine(text string, at int) bool {
	t := strings.TrimRight(text[:at], " \t*>")
	return t == "" || t[len(t)-1] == '\n'
}

func endsLine(text string, at int) bool {
	t := strings.TrimLeft(text[at:], " \t*.")
	return t == "" || t[0] == '\n' || t[0] == '\r'
}
