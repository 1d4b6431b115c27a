package privacy

import "strings"

// In a chat a secret is often an answer: "what's the wifi password?", and then
// nothing but the password. The message before it is read as its label.

// answered finds what a bare answer gives for a label at the end of the message
// before it, or for one that is asked for there.
func (d *Detector) answered(previous, text string) []Finding {
	if len(strings.Fields(text)) > maxAnswer || !strings.ContainsFunc(text, func(r rune) bool { return !letterOrSpace(r) }) {
		return nil
	}
	label := strings.TrimRight(previous, " \t\r\n?!.:;？！。：।*_\"'")
	label = label[strings.LastIndexByte(label, '\n')+1:]
	if !d.labels(label, previous) {
		return nil
	}
	value := text
	for len(value) > 0 {
		word, rest, more := strings.Cut(strings.TrimLeft(value, " \n"), " ")
		if !more || !connects(word, 0) {
			break
		}
		value = rest // "it's kaktus88"
	}
	joined, skipped := label+": ", len(text)-len(value)
	var out []Finding
	for _, f := range d.find(joined + value) {
		if f.Start -= len(joined); f.Start < 0 {
			continue
		}
		if f.End -= len(joined); !wholly(value, f) || f.Class == Password && !unlikeWords(value[f.Start:f.End]) {
			continue
		}
		f.Start, f.End = f.Start+skipped, f.End+skipped
		f.Confidence = min(f.Confidence, 0.8)
		out = append(out, f)
	}
	return out
}

// maxAnswer is the number of words up to which a message is a bare answer: the
// value, and a word or two that say "it is" or "thanks".
const maxAnswer = 4

// labels reports whether a message names a secret as the last thing it says, or
// asks for one.
func (d *Detector) labels(label, message string) bool {
	s := scans.Get().(*scan)
	defer s.release()
	s.run(d.lexicon, label)
	if len(s.hits) == 0 {
		return false
	}
	last := s.hits[len(s.hits)-1]
	if last.kind == kindOther || last.kind == kindCue {
		return false
	}
	if rest := s.text[last.end:]; !sentenceEnds(rest) && (polite(rest) || strings.ContainsAny(message[min(len(message), len(label)):], "?？") && connects(rest, 3)) {
		return true
	}
	_, ok := Asks(message)
	return ok
}

// polite reports whether a gap holds only connectors and words that beg.
func polite(gap string) bool {
	for word := range strings.FieldsSeq(strings.ToLower(gap)) {
		if word = strings.Trim(word, ".,:*_\"'"); word != "" && !connectors[word] && !begging[word] && !particles(word) {
			return false
		}
	}
	return true
}

var begging = set(`again please pls plz thanks thx bitte nochmal nochmals noch mal danke favor gracias otra vez svp stp merci favore grazie пожалуйста ещё раз na zara bhej bhejo batao bata do de kya hai kripya`)

// wholly reports whether a finding is all that a message says: not in "at 1830".
func wholly(text string, f Finding) bool {
	return connects(text[:f.Start], 0) && polite(text[f.End:])
}

// unlikeWords reports whether a password is none of the words that answer a question
// as well: "kaktus88", "Mango#55", and not "tomorrow!", "10:30pm" or "iPhone".
func unlikeWords(v string) bool {
	return len(v) >= 6 && loud(v) && loud(strings.TrimRight(v, "!?")) && !strings.Contains(v, ":")
}

func letterOrSpace(r rune) bool {
	return r == ' ' || r == '\n' || r == '\r' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}
