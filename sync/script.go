package sync

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// A script is one in which a text is written, by its ISO 15924 code.
type script struct {
	name    string
	letters int
}

// A scriptTable says which letters are a script's.
type scriptTable struct {
	name     string
	table    *unicode.RangeTable
	language string
}

// scripts are those that are told apart, with the language of those that have one
// only. What is in no table counts for none.
var scripts = []scriptTable{
	{"Latn", unicode.Latin, ""}, {"Cyrl", unicode.Cyrillic, ""}, {"Arab", unicode.Arabic, ""}, {"Deva", unicode.Devanagari, ""},
	{"Hani", unicode.Han, ""}, {"Kana", kana, "ja"}, {"Hang", unicode.Hangul, "ko"}, {"Grek", unicode.Greek, "el"},
	{"Hebr", unicode.Hebrew, ""}, {"Thai", unicode.Thai, "th"}, {"Beng", unicode.Bengali, "bn"}, {"Taml", unicode.Tamil, "ta"},
	{"Telu", unicode.Telugu, "te"}, {"Gujr", unicode.Gujarati, "gu"}, {"Guru", unicode.Gurmukhi, "pa"}, {"Knda", unicode.Kannada, "kn"},
	{"Mlym", unicode.Malayalam, "ml"}, {"Orya", unicode.Oriya, "or"}, {"Sinh", unicode.Sinhala, "si"}, {"Armn", unicode.Armenian, "hy"},
	{"Geor", unicode.Georgian, "ka"}, {"Ethi", unicode.Ethiopic, "am"}, {"Khmr", unicode.Khmer, "km"}, {"Mymr", unicode.Myanmar, "my"},
	{"Laoo", unicode.Lao, "lo"}, {"Tibt", unicode.Tibetan, "bo"},
}

var kana = &unicode.RangeTable{R16: append(slices.Clone(unicode.Hiragana.R16), unicode.Katakana.R16...)}

// scriptsOf counts the letters of a text by their scripts, the most used first. Han
// beside Kana is Japanese.
func scriptsOf(text string) []script {
	counts := make([]int, len(scripts))
	last := 0
	for _, r := range text {
		if !unicode.IsLetter(r) {
			continue
		}
		if unicode.Is(scripts[last].table, r) {
			counts[last]++
			continue
		}
		for i := range scripts {
			if unicode.Is(scripts[i].table, r) {
				counts[i]++
				last = i
				break
			}
		}
	}
	const han, japanese = 4, 5
	if counts[japanese] > 0 {
		counts[japanese] += counts[han]
		counts[han] = 0
	}
	var out []script
	for i, n := range counts {
		if n > 0 {
			out = append(out, script{scripts[i].name, n})
		}
	}
	slices.SortStableFunc(out, func(a, b script) int { return cmp.Compare(b.letters, a.letters) })
	return out
}

// languageOf is the language of a script that has one only, else empty.
func languageOf(name string) string {
	i := slices.IndexFunc(scripts, func(s scriptTable) bool { return s.name == name })
	return scripts[i].language
}

// A telltale is what tells a language within its script.
type telltale struct {
	tag, letters string
	words        map[string]bool
}

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}

// telling are letters and little words by which the languages of a script that
// several share are told apart, the most used language first. No letter stands in
// two lists of a script.
var telling = map[string][]telltale{
	"Cyrl": {
		{"ru", "ыэё", wordSet("что это как не нет да и в на с я ты мы он она у по за так все ещё уже только")},
		{"uk", "їєґ", wordSet("що це як не ні так та й в на з я ти ми він вона у по за ще вже тільки або")},
		{"be", "ў", wordSet("што гэта як не так і на з я ты мы ён яна")},
		{"sr", "ђљњћџј", wordSet("што је да не и у на са ја ти ми он она за то као али")},
		{"mk", "ѓќѕ", wordSet("што е да не и во на со јас ти ние тој таа за тоа како")},
		{"bg", "ъ", wordSet("какво е да не и в на с аз ти ние той тя за това как но")},
	},
	"Arab": {
		{"ar", "ةأإىئؤ", wordSet("في من على إلى هذا لا ما أن كان هل مع")},
		{"fa", "پچژگ", wordSet("در از به که این است را با هم من تو شما")},
		{"ur", "ٹڈڑںےہھ", wordSet("ہے ہیں کا کی کے میں سے کو نہیں اور یہ وہ")},
	},
	"Deva": {
		{"hi", "", wordSet("है हैं नहीं में का की के को से हूँ हूं था थी क्या और रहा रही भी तो कर पर यह वह मैं तुम")},
		{"mr", "ळ", wordSet("आहे आहेत नाही मी तू आणि का हे ते ची चा चे ला होते पण मला तुला")},
		{"ne", "", wordSet("छ छन् छैन म हो र को मा लाई हुन्छ गर्न तिमी यो त्यो पनि")},
	},
	"Hebr": {
		{"he", "", wordSet("של את לא אני זה על עם מה הוא היא כן גם")},
		{"yi", "", wordSet("איז און דער די דאס נישט איך ער זי מיט")},
	},
}

// told tells which language the letters and little words of a text in a script are
// of, empty where they leave it open. A telling letter weighs as two words.
func told(script, text string) string {
	best, most, even := "", 0, false
	words := strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsPunct(r) {
			return ' '
		}
		return unicode.ToLower(r)
	}, text))
	for _, l := range telling[script] {
		n := 0
		for _, w := range words {
			if strings.ContainsAny(w, l.letters) {
				n += 2
			}
			if l.words[w] {
				n++
			}
		}
		switch {
		case n > most:
			best, most, even = l.tag, n, false
		case n == most && n > 0:
			even = true
		}
	}
	if even {
		return ""
	}
	return best
}
