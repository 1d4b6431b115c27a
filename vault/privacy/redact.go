package privacy

import "strings"

// A Redaction is a secret that was found in a text and what became of it.
type Redaction struct {
	Finding // Start and End are places in the text that was given
	// Action is Redact or Refuse. Where a class is to be refused the text comes
	// back redacted all the same, so that a caller who forgets writes no secret.
	Action Action
	ID     string // of the original
	Secret string // what stood there; it goes to Originals and nowhere else
}

// A Redactor replaces secrets by marks.
type Redactor struct {
	detector *Detector
	policy   Policy
	key      []byte
}

// NewRedactor returns a Redactor whose ids are hashes under key: the one that
// Originals keeps, random and one per vault.
func NewRedactor(p Policy, key []byte) *Redactor {
	return &Redactor{New(Config{Classes: p.Classes()}), p, key}
}

// Redact returns text with the policy applied, and what was found. Doing it twice
// changes nothing: it looks again until nothing more is found, and marks are
// never looked into.
func (r *Redactor) Redact(text string) (string, []Redaction) { return r.RedactAfter("", text) }

// RedactAfter is Redact for a message of a chat, with the one before it as context.
func (r *Redactor) RedactAfter(previous, text string) (string, []Redaction) {
	var all []Redaction
	parts := []part{{text: text}}
	for {
		found := r.detector.FindAfter(previous, text)
		if previous == "" {
			found = r.detector.Find(text)
		}
		if len(found) == 0 {
			return text, all
		}
		before := len(all)
		parts, all = r.replace(parts, all, found)
		if len(all) == before {
			return text, all
		}
		text = joinParts(parts)
	}
}

// A part is a stretch of the text: as it was, from an offset on, or a mark.
type part struct {
	text string
	from int // where it stood in the text that was given
	mark bool
}

// replace puts marks for the findings, which are places in the joined parts.
func (r *Redactor) replace(parts []part, all []Redaction, found []Finding) ([]part, []Redaction) {
	out := make([]part, 0, len(parts)+2*len(found))
	at := 0 // where the part begins in the joined text
	for _, p := range parts {
		end := at + len(p.text)
		cut := at
		for len(found) > 0 && found[0].Start < end {
			f := found[0]
			found = found[1:]
			if p.mark || f.Start < cut || f.End > end {
				continue // reaches into a mark: never reported, and never touched
			}
			secret := p.text[f.Start-at : f.End-at]
			out = append(out, part{text: p.text[cut-at : f.Start-at], from: p.from + cut - at})
			red := Redaction{Finding: f, Action: r.policy.For(f.Class), ID: NewID(r.key, f.Class, secret), Secret: secret}
			red.Start, red.End = p.from+f.Start-at, p.from+f.End-at
			all = append(all, red)
			out = append(out, part{text: FormatMark(f.Class, red.ID), mark: true})
			cut = f.End
		}
		out = append(out, part{text: p.text[cut-at:], from: p.from + cut - at, mark: p.mark})
		at = end
	}
	return out, all
}

func joinParts(parts []part) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.text)
	}
	return b.String()
}

// Refused returns those redactions that the policy says must hold the text back.
func Refused(rs []Redaction) []Redaction {
	var out []Redaction
	for _, r := range rs {
		if r.Action == Refuse {
			out = append(out, r)
		}
	}
	return out
}

// Restore puts originals back in place of their marks; a mark whose original get
// does not know stays.
func Restore(text string, get func(id string) (string, bool)) string {
	var b strings.Builder
	at := 0
	for _, m := range Marks(text) {
		if secret, ok := get(m.ID); ok {
			b.WriteString(text[at:m.Start])
			b.WriteString(secret)
			at = m.End
		}
	}
	b.WriteString(text[at:])
	return b.String()
}
