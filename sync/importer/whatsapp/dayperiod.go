package whatsapp

import (
	"strings"
	"unicode"
)

// A period is what a word beside a time says about the half of the day.
type period uint8

const (
	// decoration: the word says nothing ("Uhr", "um", "klo"), the clock has
	// 24 hours.
	decoration period = iota
	morning
	afternoon
	// noon is a word for the middle of the day: 11 before it, 12 to 3 after.
	noon
	// night is a word for the dark hours on both sides of midnight.
	night
	unknownPeriod
)

// minuteOfDay reads a clock time under p.
func (p period) minuteOfDay(hour, minute int) int {
	if hour == 24 {
		hour = 0
	}
	if hour > 12 {
		p = decoration
	}
	switch p {
	case morning:
		hour %= 12
	case afternoon:
		hour = hour%12 + 12
	case noon:
		if hour < 10 {
			hour += 12
		}
	case night:
		if hour == 12 || hour < 5 {
			hour %= 12
		} else {
			hour += 12
		}
	}
	return hour*60 + minute
}

// normalWord brings the spellings of a word together: "a. m.", "A.M." and "am"
// are one.
func normalWord(s string) string {
	if s == "" {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if isMark(r) || isBlank(r) || r < 0x80 && !isLetter(r) || r == '’' || r == '״' || r == '׳' || r == 0x200C || r == 0x200D {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// knownPeriod looks a normalised word up. It is a help, not a closed list:
// words that are not in it are worked out from the order of the messages.
func knownPeriod(word string) period {
	if p, ok := periods[word]; ok {
		return p
	}
	return unknownPeriod
}

// periods are the words for the halves and parts of the day after CLDR's
// day periods, normalised.
var periods = func() map[string]period {
	m := map[string]period{}
	for p, words := range map[period]string{
		morning: `am amg vorm vormittags morgens früh dop dopoledne de délelőtt πμ fm ap дп ранку преди_обяд пробяд прдоб
			paradites eparadites öö sa sáng 上午 凌晨 清晨 早上 早晨 半夜 午夜 午前 오전 새벽 아침 ص صباحًا صباحا قبلازظهر قظ
			قبلدوپہر לפנהצ पूर्वाह्न पूर्वाह्ण सुबह मपू सकाळी प्रातः পূর্বাহ্ণ পূৰ্বাহ্ন সকাল ভোর முற்பகல் காலை ఉదయం ಪೂರ್ವಾಹ್ನ ಬೆಳಗ್ಗೆ രാവിലെ સવારે
			ਪੂਰਵਦੁਪਹਿਰ ਪੂਦੁ පෙව ก่อนเที่ยง ກ່ອນທ່ຽງ ព្រឹក နံနက် ጥዋት asubuhi үө таңкы тд to priešpiet priekšp priekšpusdienā претпладне fh vm rn yb pg gh
			delamañana mañana manhã damanhã matin dumatin mattina dimineața dimineaţa rano утра आधीरात मध्यरात्रि pagi`,
		afternoon: `pm nachm nachmittags abends odp odpoledne du délután μμ em ip пп вечора следобед слоб
			pasdites epasdites ös ch chiều 下午 傍晚 午後 오후 저녁 م مساءً مساء بعدازظهر بظ بعددوپہر אחהצ अपराह्न अपराह्ण शाम मउ संध्याकाळी दुपारी
			অপরাহ্ণ অপৰাহ্ন বিকাল সন্ধ্যা பிற்பகல் மாலை మధ్యాహ్నం సాయంత్రం ಅಪರಾಹ್ನ വൈകുന്നേരം સાંજે ਬਾਅਦਦੁਪਹਿਰ ਬਾਦੁ පව หลังเที่ยง ຫຼັງທ່ຽງ ល្ងាច ညနေ
			ከሰዓት alasiri jioni үх түштөнкийинки тк tk popiet pēcp pēcpusdienā попладне pop eh nm in yh ptg gd
			delatarde tarde datarde aprèsmidi delaprèsmidi pomeriggio soir dusoir siang sore вечера дня`,
		noon:  `中午 正午 낮 दोपहर দুপুর öğlen mediodía delmediodía`,
		night: `晚上 深夜 夜里 夜晚 밤 रात रात्री রাত রাতে இரவு రాత్రి ರಾತ್ರಿ રાત્રે രാത്രി usiku malam delanoche noche danoite gece`,
	} {
		for w := range strings.FieldsSeq(words) {
			m[normalWord(w)] = p
		}
	}
	for w := range strings.FieldsSeq("uhr um klo kl à at às as ore alle") {
		m[w] = decoration
	}
	return m
}()

// maxPeriodWords bounds the words of one shape that are told apart. Languages
// with fine parts of the day use up to eight; more are prose.
const maxPeriodWords = 10

// wordStats counts how the words of one shape follow each other within a day.
type wordStats struct {
	words []string
	count []int
	// late counts hours above 12: a word that has them is decoration.
	late []int
	// twelve counts hours of 12, in which a morning differs from decoration.
	twelve []int
	// small counts hours from 12 to 6, of which people have more after noon.
	small []int
	// back[a][b][p][q] counts neighbours of one day, first with word a and
	// then with b, between which time would run back if a meant p and b q.
	back map[[4]uint8]int
	last struct {
		date         string
		word         int
		hour, minute int
	}
}

// guesses are the meanings that are tried for an unknown word.
var guesses = []period{morning, afternoon, decoration}

func (w *wordStats) add(h *header) {
	if h.word == "" {
		return
	}
	i := w.index(h.word)
	if i < 0 {
		return
	}
	w.count[i]++
	switch {
	case h.hour > 12:
		w.late[i]++
	case h.hour == 12 || h.hour < 6:
		w.small[i]++
	}
	if h.hour == 12 {
		w.twelve[i]++
	}
	if l := &w.last; l.date == h.date {
		for _, p := range periodsOf(w.words[l.word]) {
			for _, q := range periodsOf(h.word) {
				if p.minuteOfDay(l.hour, l.minute) > q.minuteOfDay(h.hour, h.minute) {
					w.back[[4]uint8{uint8(l.word), uint8(i), uint8(p), uint8(q)}]++
				}
			}
		}
	}
	w.last.date, w.last.word, w.last.hour, w.last.minute = h.date, i, h.hour, h.minute
}

func periodsOf(word string) []period {
	if p := knownPeriod(word); p != unknownPeriod {
		return []period{p}
	}
	return guesses
}

func (w *wordStats) index(word string) int {
	for i, x := range w.words {
		if x == word {
			return i
		}
	}
	if len(w.words) == maxPeriodWords {
		return -1
	}
	if w.back == nil {
		w.back = map[[4]uint8]int{}
	}
	w.words = append(w.words, word)
	w.count = append(w.count, 0)
	w.late = append(w.late, 0)
	w.small = append(w.small, 0)
	w.twelve = append(w.twelve, 0)
	return len(w.words) - 1
}

// resolve decides what each word means. unsure lists the words that the file
// left open.
func (w *wordStats) resolve() (meaning map[string]period, unsure []string) {
	meaning = map[string]period{}
	fixed := make([]period, len(w.words))
	var open []int
	for i, word := range w.words {
		fixed[i] = knownPeriod(word)
		if fixed[i] == unknownPeriod && w.late[i] > 0 {
			fixed[i] = decoration
		}
		if fixed[i] == unknownPeriod {
			// Two words have the same meaning only if they are many; prose
			// that looks like a word comes once.
			if len(open) < 6 {
				open = append(open, i)
				continue
			}
			fixed[i] = decoration
		}
	}
	best, ties := w.search(fixed, open)
	for i, word := range w.words {
		meaning[word] = best[i]
	}
	if ties {
		for _, i := range open {
			unsure = append(unsure, w.words[i])
		}
	}
	return meaning, unsure
}

// search tries all meanings of the open words and keeps the one under which
// time runs back least. ties says that another meaning was as good.
func (w *wordStats) search(fixed []period, open []int) (best []period, ties bool) {
	total := 1
	for range open {
		total *= len(guesses)
	}
	bestBack, bestTaste := -1, 0
	for n := range total {
		try := append([]period(nil), fixed...)
		for k, rest := 0, n; k < len(open); k, rest = k+1, rest/len(guesses) {
			try[open[k]] = guesses[rest%len(guesses)]
		}
		back := 0
		for key, count := range w.back {
			if try[key[0]] == period(key[2]) && try[key[1]] == period(key[3]) {
				back += count
			}
		}
		taste := w.taste(try, open)
		switch {
		case bestBack < 0 || back < bestBack:
			best, bestBack, bestTaste, ties = try, back, taste, false
		case back == bestBack:
			ties = ties || !w.same(best, try)
			if taste > bestTaste {
				best, bestTaste = try, taste
			}
		}
	}
	return best, ties
}

// same reports whether two meanings of all words give the file the same times.
func (w *wordStats) same(a, b []period) bool {
	for i := range a {
		early := a[i] != afternoon && b[i] != afternoon
		if a[i] != b[i] && !(early && w.twelve[i] == 0) {
			return false
		}
	}
	return true
}

// taste breaks ties: two unknown words are one for each half of the day, and
// people write more between 12 and 6 in the afternoon than at night.
func (w *wordStats) taste(try []period, open []int) int {
	score := 0
	halves := [unknownPeriod + 1]int{}
	for i := range try {
		halves[try[i]]++
	}
	if halves[morning] > 0 && halves[afternoon] > 0 {
		score += 1 << 20
	}
	for _, i := range open {
		switch try[i] {
		case afternoon:
			score += w.small[i]
		case morning:
			score += (w.count[i] - w.small[i]) / 2
		case decoration:
			if len(w.words) == 1 {
				score += w.count[i]
			}
		}
	}
	return score
}
