package synth

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/vault/lazyregexp"
)

// This file counts how the person writes: figures over the sample, each with
// messages that show it.

// A habit is something that messages do or do not. least is the share of messages,
// in percent, from which it is said.
type habit struct {
	says  string // with the percentage
	least int
	in    func(text string) bool
}

var habits = []habit{
	{"Asks something in %d%% of messages", 1, func(t string) bool { return strings.ContainsAny(t, "?？") }},
	{"Says please or thanks in %d%% of messages", 10, lazyregexp.New(`(?i)\b(?:please|thanks|thank you|bitte|danke|merci|gracias|por favor)\b`).MatchString},
	{"Shows code or output in %d%% of messages", 5, func(t string) bool { return strings.Contains(t, "```") }},
	{"Asks to check, confirm or compare in %d%% of messages", 8, lazyregexp.New(`(?i)\b(?:double.?check|are you sure|is (?:that|this|it) (?:right|correct)|verify|confirm|make sure|compare|trade-?offs?|pros and cons)\b`).MatchString},
	{"Asks for steps or examples in %d%% of messages", 8, lazyregexp.New(`(?i)\b(?:step[- ]by[- ]step|walk me through|for example|an example|examples? of|show me)\b`).MatchString},
	{"Asks why or how something works in %d%% of messages", 10, lazyregexp.New(`(?i)\b(?:why|how (?:does|do|did|is|are|come)|explain|understand)\b`).MatchString},
	{"Names figures, dates or sizes in %d%% of messages", 40, func(t string) bool { return strings.ContainsAny(t, "0123456789") }},
	{"Laughs or jokes in %d%% of messages", 3, lazyregexp.New(`(?i)\b(?:ha(?:ha)+h?|lol|lmao|rofl|hehe+|just kidding|jk)\b|😂|🤣|😄|😆|😅`).MatchString},
	{"Writes emoji in %d%% of messages", 5, func(t string) bool { return strings.ContainsFunc(t, isEmoji) }},
}

func isEmoji(r rune) bool {
	return r >= 0x1F300 && r <= 0x1FAFF || r >= 0x2600 && r <= 0x27BF && unicode.Is(unicode.So, r)
}

// habits says how long the person's messages are, in which languages, and what
// they do in a good share of them.
func (v voice) habits() []string {
	if len(v.turns) < enoughTurns {
		return nil
	}
	lines := []string{v.lengths()}
	lines = append(lines, v.languages()...)
	for _, h := range habits {
		var shown []spoken
		for _, t := range v.turns {
			if h.in(t.text) {
				shown = append(shown, t)
			}
		}
		if percent := (100*len(shown) + len(v.turns)/2) / len(v.turns); percent >= h.least && len(shown) > 1 {
			lines = append(lines, "- "+fmt.Sprintf(h.says, percent)+". "+examples(shown))
		}
	}
	return lines
}

// examples cites an early and a late message.
func examples(turns []spoken) string {
	first, last := turns[0], turns[len(turns)-1]
	if len(turns) == 1 {
		return cite(first.path, first.turn)
	}
	return cite(first.path, first.turn) + " " + cite(last.path, last.turn)
}

// lengths says how long messages and conversations are.
func (v voice) lengths() string {
	turns := slices.Clone(v.turns)
	words := func(t spoken) int { return len(strings.Fields(t.text)) }
	slices.SortStableFunc(turns, func(a, b spoken) int { return cmp.Compare(words(a), words(b)) })
	middle, long := turns[len(turns)/2], turns[len(turns)*9/10]
	size := make([]int, len(v.talks))
	for _, t := range v.turns {
		size[t.talk]++
	}
	slices.Sort(size)
	return fmt.Sprintf("- Half of the messages have at most %d words, one in ten more than %d; %d messages a conversation in the middle. %s",
		words(middle), words(long), size[len(size)/2], examples([]spoken{middle, long}))
}

// languages counts the languages of messages that are long enough to tell: as the
// importer tagged them, else whether they read as English.
func (v voice) languages() []string {
	shown := map[string][]spoken{}
	all := 0
	for _, t := range v.turns {
		name := ""
		switch {
		case len(strings.Fields(t.text)) < 8 || strings.Contains(t.text, "```"):
			continue
		case t.lang != "":
			name = cmp.Or(languageNames[t.lang], t.lang)
		case extract.English(t.text):
			name = "English"
		default:
			name = "another language"
		}
		shown[name] = append(shown[name], t)
		all++
	}
	names := slices.SortedFunc(maps.Keys(shown), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(shown[b]), len(shown[a])), strings.Compare(a, b))
	})
	var parts, cites []string
	for _, name := range names[:min(3, len(names))] {
		if percent := 100 * len(shown[name]) / all; percent > 0 {
			parts = append(parts, fmt.Sprintf("%s in %d%%", name, percent))
			cites = append(cites, examples(shown[name][len(shown[name])-1:]))
		}
	}
	switch {
	case len(parts) == 0:
		return nil
	case len(names) == 1:
		return []string{"- Writes " + names[0] + ". " + cites[0]}
	}
	return []string{"- Writes " + joinNames(parts) + " of messages. " + strings.Join(cites, " ")}
}

// languageNames are the names of languages by their tags; others stand as tags.
var languageNames = map[string]string{
	"ar": "Arabic", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "fi": "Finnish", "fr": "French",
	"he": "Hebrew", "hi": "Hindi", "hu": "Hungarian", "it": "Italian", "ja": "Japanese", "ko": "Korean", "nl": "Dutch", "no": "Norwegian", "pl": "Polish",
	"pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sv": "Swedish", "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu", "vi": "Vietnamese", "zh": "Chinese",
}

// toolCue stands before the name of a tool.
var toolCue = lazyregexp.New(`\b(?:[Uu]sing|[Uu]sed?|[Ss]witched to|[Ii]nstalled|[Ss]et up|[Ii]ntegrated|via|[Dd]eploy(?:ed|ing)? (?:on|to|with)|[Ww]ritten in|[Bb]uilt with)(?: the| my| an?)? ((?:\p{Lu}[\p{L}\d+#]*(?:[.-][\p{L}\d+#]+)*)(?: \p{Lu}[\p{L}\d+#]*(?:[.-][\p{L}\d+#]+)*)?)`)

// notTool follows a name that is of a formula or a rule, and no tool's.
var notTool = lazyregexp.New(`^(?:['’]s|['’])? ?(?:\w+ )?(?:formulas?|theorems?|laws?|rules?|criteri(?:on|a)|postulates?|methods?|congruence|identity|similarity|triples?|diagrams?|principles?|inequality|conjecture|lemma)\b|^['’]s\b`)

// kindOfTool are short names of kinds of tools, which name none.
var kindOfTool = map[string]bool{"API": true, "APIs": true, "UI": true, "URL": true, "CLI": true, "IDE": true, "SDK": true, "CDN": true, "HTTP": true, "HTTPS": true, "REST": true, "JSON": true, "CSV": true, "PDF": true, "DNS": true, "TLS": true, "SSL": true}

// maxTools and maxThemes bound what is listed.
const (
	maxTools  = 8
	maxThemes = 8
)

// toolLines are the names of what the person uses, those in most conversations
// first. Once said is not enough: two messages must name a tool.
func (v voice) toolLines() []string {
	return v.tally(maxTools, 1, func(t spoken) []string {
		var names []string
		prose := strings.Join(extract.Sentences(t.text), "\n")
		if len(prose) > longTurn {
			return nil
		}
		for _, at := range toolCue.FindAllStringSubmatchIndex(prose, -1) {
			m := []string{prose[at[0]:at[1]], prose[at[2]:at[3]]}
			if notTool.MatchString(prose[at[3]:]) || kindOfTool[m[1]] {
				continue
			}
			if first, _, _ := strings.Cut(strings.ToLower(m[1]), " "); !extract.StopWord(first) && len(m[1]) > 1 {
				names = append(names, m[1])
			}
		}
		return names
	})
}

// longTurn is the length in bytes from which a message is mostly pasted.
const longTurn = 2000

// themeLines are the key phrases that several conversations share.
func (v voice) themeLines() []string {
	return v.tally(maxThemes, 2, func(t spoken) []string {
		var names []string
		key := " " + extract.PhraseKey(strings.Join(strings.FieldsFunc(t.text, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' }), " ")) + " "
		for _, p := range v.talks[t.talk].phrases[:min(sessionTopics, len(v.talks[t.talk].phrases))] {
			if strings.Contains(key, " "+p.Key+" ") {
				names = append(names, p.Text)
			}
		}
		return names
	})
}

// tally counts names over the messages and makes a line of each that came up in at
// least two messages and in at least so many conversations, n of them, with a link to the
// newest.
func (v voice) tally(n, talks int, of func(spoken) []string) []string {
	type named struct {
		name  string
		talks map[int]bool
		seen  int
		last  spoken
	}
	byKey := map[string]*named{}
	for _, t := range v.turns {
		for _, name := range of(t) {
			key := extract.PhraseKey(name)
			if byKey[key] == nil {
				byKey[key] = &named{name: name, talks: map[int]bool{}}
			}
			c := byKey[key]
			c.seen++
			c.talks[t.talk] = true
			if t.day >= c.last.day {
				c.last = t
			}
		}
	}
	var all []*named
	for _, c := range byKey {
		if c.seen > 1 && len(c.talks) >= talks {
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b *named) int {
		return cmp.Or(cmp.Compare(len(b.talks), len(a.talks)), cmp.Compare(b.seen, a.seen), strings.Compare(a.name, b.name))
	})
	var lines []string
	for _, c := range all[:min(n, len(all))] {
		lines = append(lines, fmt.Sprintf("- %s, in %s to %s. %s", c.name, count(len(c.talks), "conversation"), c.last.day, cite(c.last.path, c.last.turn)))
	}
	return lines
}
