package whatsapp

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memsync/memsync/vault/lazyregexp"
)

// The flags that a turn may carry.
const (
	flagSystem       = "system"
	flagMedia        = "media"
	flagDeleted      = "deleted"
	flagEdited       = "edited"
	flagPoll         = "poll"
	flagLocation     = "location"
	flagContact      = "contact"
	flagViewOnce     = "view-once"
	flagCall         = "call"
	flagDisappearing = "disappearing"
	flagPinned       = "pinned"
)

// markStats counts placeholders over the file, so that one in a language that
// nobody listed is known by coming again in other messages.
type markStats struct {
	// angled counts lines that are <words>, ending those that end with it,
	// attached what follows file names in parentheses.
	angled, ending, attached map[string]int
}

const maxPlaceholders = 256

// maxAppLine bounds the app's lines about one message or call in runes. The
// longer ones that name calls or contacts are about encryption and codes.
const maxAppLine = 60

func (m *markStats) add(text string, header bool) {
	t := strings.TrimRight(text, " \r\n")
	if strings.HasSuffix(t, ">") {
		if _, rest, ok := strings.Cut(t, ": "); header && ok {
			t = rest
		}
		if inner, before, ok := angle(t); ok {
			if before == "" {
				count(&m.angled, inner)
			} else {
				count(&m.ending, inner)
			}
		}
	}
	if header && strings.HasSuffix(t, ")") {
		if _, rest, ok := strings.Cut(t, ": "); ok {
			if name, note := parenthesised(rest); name != "" {
				count(&m.attached, note)
			}
		}
	}
}

func count(m *map[string]int, key string) {
	if *m == nil {
		*m = map[string]int{}
	}
	if _, ok := (*m)[key]; ok || len(*m) < maxPlaceholders {
		(*m)[key]++
	}
}

// angle takes "<words>" off the end of a line. Placeholders are letters and
// blanks: no digits, no signs of markup.
func angle(s string) (inner, before string, ok bool) {
	s = trimMarks(s)
	if !strings.HasSuffix(s, ">") {
		return "", "", false
	}
	i := strings.LastIndexByte(s, '<')
	if i < 0 {
		return "", "", false
	}
	inner = trimMarks(s[i+1 : len(s)-1])
	letters := 0
	for _, r := range inner {
		switch {
		case isLetter(r):
			letters++
		case !isBlank(r) && !strings.ContainsRune(".'’-/,", r) && !isMark(r) && r != 0x200C && r != 0x200D:
			return "", "", false
		}
	}
	if strings.HasPrefix(inner, "/") || strings.HasSuffix(inner, "/") {
		return "", "", false
	}
	return inner, trimMarks(s[:i]), letters >= 4 && utf8.RuneCountInString(inner) <= 60
}

// parenthesised parts "IMG-1.jpg (file attached)".
func parenthesised(s string) (name, note string) {
	s = trimMarks(s)
	i := strings.LastIndex(s, " (")
	if i <= 0 || !strings.HasSuffix(s, ")") {
		return "", ""
	}
	name, note = s[:i], s[i+2:len(s)-1]
	if !isFileName(name) || strings.ContainsFunc(note, unicode.IsDigit) {
		return "", ""
	}
	return name, note
}

func isFileName(s string) bool {
	ext := path.Ext(s)
	if len(ext) < 3 || len(ext) > 6 || len(s) > 255 || len(s) == len(ext) || strings.ContainsAny(s, "/\\<>\n") {
		return false
	}
	for _, r := range ext[1:] {
		if r >= utf8.RuneSelf || !isLetter(r) && (r < '0' || r > '9') {
			return false
		}
	}
	return true
}

// A mark is what a message is besides words.
type mark struct {
	flags       []string
	attachments []string
	// kind names what stands for the message when it is compared across
	// languages; empty for words. caption is the words that came with it.
	kind, caption string
}

func (m *mark) flag(f string) {
	if !slices.Contains(m.flags, f) {
		m.flags = append(m.flags, f)
	}
}

var (
	ownName   = lazyregexp.New(`-WA\d{4}\.|^\d{8}-[A-Z]+-\d{4}-`)
	mapLink   = lazyregexp.New(`https?://(?:maps\.google\.com/\?q=-?\d|maps\.google\.com/maps\?q=-?\d|foursquare\.com/v/)`)
	pageCount = lazyregexp.New(`^(.*?)\s*•`)
)

// look finds out what a message is. The structure of the export speaks first,
// words of a few languages only where it leaves several kinds.
func (s *markStats) look(sender, text string, marked, bracket bool) mark {
	var m mark
	firstLine, more, _ := strings.Cut(text, "\n")
	firstLine = strings.TrimRight(firstLine, "\r")
	led := strings.HasPrefix(strings.TrimLeftFunc(firstLine, func(r rune) bool { return isMark(r) && r != lrm }), string(lrm))
	plain := trimMarks(firstLine)
	app := led && bracket || marked
	if sender == "" {
		m.system(text)
		return m
	}
	switch {
	case plain == "" && more == "":
	case s.file(&m, firstLine, more, led, marked):
	case strings.Contains(text, "://") && mapLink.MatchString(text):
		m.flag(flagLocation)
		m.kind = flagLocation
	case poll(text):
		m.flag(flagPoll)
		lines := strings.SplitN(stripMarks(text), "\n", 3)
		m.kind, m.caption = flagPoll, lines[min(1, len(lines)-1)]
	case s.placeholder(&m, plain, more):
	case !bracket && plain == "null" && more == "":
		// Android's word for what it cannot export: view-once media, polls.
		m.flag(flagMedia)
		m.kind = flagMedia
	case app && more == "" && utf8.RuneCountInString(plain) <= maxAppLine && m.hint(stripMarks(firstLine), flagDeleted, flagCall, flagLocation, flagViewOnce):
		if m.kind = m.flags[0]; m.kind == flagViewOnce {
			m.flags = []string{flagMedia, flagViewOnce}
			m.kind = flagMedia
		}
	case marked && strings.ContainsRune(firstLine, lrm):
		m.flag(flagMedia)
		m.hint(stripMarks(firstLine), flagContact, flagViewOnce)
		m.kind = flagMedia
		name := trimMarks(firstLine[:strings.IndexRune(firstLine, lrm)])
		if k := pageCount.FindStringSubmatch(name); k != nil {
			name = k[1]
		}
		if isFileName(name) {
			m.attachments = append(m.attachments, name)
		}
		m.caption = name + "\n" + more
	case led && bracket && more == "" && omitted(plain):
		m.flag(flagMedia)
		m.hint(plain, flagViewOnce)
		m.kind = flagMedia
	case led && bracket:
		m.system(text)
	case more == "" && m.exact(plain):
		m.kind = m.flags[0]
	}
	s.edited(&m, text)
	if m.kind == "" {
		m.caption = text
	}
	return m
}

// omitted reports whether a line is no more than the name of a medium and a word
// for its absence, as older exports of iOS write it: "Bild weggelassen".
func omitted(line string) bool {
	return len(strings.Fields(line)) <= 3 && utf8.RuneCountInString(line) <= maxAppLine/2 && has(line, omittedStems)
}

// system flags a line that the app wrote about the chat.
func (m *mark) system(text string) {
	m.flag(flagSystem)
	m.kind = flagSystem
	text = stripMarks(text)
	if m.hint(text, flagDisappearing, flagPinned); utf8.RuneCountInString(text) <= maxAppLine {
		m.hint(text, flagCall)
	}
}

// file recognises an attachment by its name: "<attached: NAME>" of iOS and
// "NAME (file attached)" of Android, in any language.
func (s *markStats) file(m *mark, first, more string, led, marked bool) bool {
	t := trimMarks(first)
	if i := strings.LastIndexByte(t, '<'); i >= 0 && strings.HasSuffix(t, ">") && (i == 0 || marked || strings.HasSuffix(t[:i], string(lrm))) {
		if _, name, ok := strings.Cut(t[i+1:len(t)-1], ": "); ok && isFileName(trimMarks(name)) {
			m.attach(trimMarks(name))
			caption := t[:i]
			if j := strings.IndexRune(caption, lrm); j >= 0 {
				caption = caption[:j]
			}
			if k := pageCount.FindStringSubmatch(caption); k != nil {
				caption = k[1]
			}
			m.caption = caption + "\n" + more
			return true
		}
	}
	name, note := parenthesised(first)
	if name == "" || !led && !ownName.MatchString(name) && s.attached[note] < 2 && !strings.HasSuffix(name, ".vcf") && !has(note, attachedStems) {
		return false
	}
	m.attach(name)
	m.caption = more
	if !ownName.MatchString(name) {
		m.caption = name + "\n" + more
	}
	return true
}

func (m *mark) attach(name string) {
	m.attachments = append(m.attachments, name)
	m.kind = flagMedia
	m.flag(flagMedia)
	if strings.HasSuffix(strings.ToLower(name), ".vcf") {
		m.flag(flagContact)
	}
}

// placeholder recognises "<Media omitted>" in any language.
func (s *markStats) placeholder(m *mark, plain, more string) bool {
	inner, before, ok := angle(plain)
	if !ok || before != "" || s.angled[inner] < 2 && !has(inner, omittedStems) {
		return false
	}
	m.flag(flagMedia)
	m.hint(inner, flagViewOnce)
	m.kind, m.caption = flagMedia, more
	return true
}

// poll recognises a poll by its form: a heading, a question, and options that
// all begin with the same word and end with a count in parentheses.
func poll(text string) bool {
	if !strings.Contains(text, ":") || strings.Count(text, "\n") < 3 {
		return false
	}
	lines := strings.Split(strings.TrimRight(text, "\r\n"), "\n")
	if !strings.HasSuffix(trimMarks(lines[0]), ":") {
		return false
	}
	word, options := "", 0
	for _, l := range lines[1:] {
		l = trimMarks(stripMarks(l))
		w, _, ok := strings.Cut(l, ": ")
		if !ok || !strings.HasSuffix(l, ")") || !strings.ContainsFunc(l[strings.LastIndex(l, "(")+1:], unicode.IsDigit) {
			if options > 0 && l != "" {
				return false
			}
			continue
		}
		if options > 0 && w != word {
			return false
		}
		word = w
		options++
	}
	return options >= 2
}

// minEdited is how often several words in angle brackets must end a message to
// be the app's note in a language that is not listed.
const minEdited = 3

// edited recognises the note at the end of an edited message.
func (s *markStats) edited(m *mark, text string) {
	last := text[strings.LastIndexByte(text, '\n')+1:]
	inner, before, ok := angle(last)
	if !ok || before == "" && len(last) == len(text) || m.kind == flagSystem {
		return
	}
	i := strings.LastIndexByte(text, '<')
	led := strings.HasSuffix(strings.TrimRight(text[:i], " "), string(lrm))
	switch n := s.ending[inner]; {
	case has(inner, editedStems), led && n >= 2:
	case n >= minEdited && (strings.Contains(inner, " ") || strings.ContainsFunc(inner, wide)):
	default:
		return
	}
	m.flag(flagEdited)
	if m.kind == "" {
		m.kind, m.caption = "text", text[:i]
	}
}
