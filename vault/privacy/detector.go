package privacy

import (
	"slices"
	"sort"
	"sync"
)

// A Finding is a span of a text that holds a secret or personal data:
// text[Start:End] in bytes, always at rune boundaries.
type Finding struct {
	Class      Class
	Start, End int
	// Rule names what found it, for explanations and tests.
	Rule string
	// Confidence is between 0 and 1; a check digit together with a word for it is 1.
	Confidence float64
}

// Config chooses what a Detector looks for.
type Config struct {
	// Classes are those to find; nil means all secrets, and neither phone numbers
	// nor e-mail addresses.
	Classes []Class
}

// A Detector finds secrets. It holds nothing that changes and is safe for
// concurrent use.
type Detector struct {
	lexicon *lexicon
	on      map[Class]bool
}

// The lexicon is the same for every detector and takes a few milliseconds to build.
var shared = sync.OnceValue(newLexicon)

// New returns a Detector.
func New(cfg Config) *Detector {
	d := &Detector{lexicon: shared(), on: map[Class]bool{}}
	if cfg.Classes == nil {
		cfg.Classes = Secrets()
	}
	for _, c := range cfg.Classes {
		d.on[c] = true
	}
	return d
}

// Find returns what text holds, in order, without overlaps. It never looks into
// marks that Redact left.
func (d *Detector) Find(text string) []Finding { return d.find(text) }

// FindAfter is Find for a message of a chat, with the message before it as
// context: after "send me the OTP", a bare "482913" is one, and after "what's the
// wifi password?" a bare "Mango#55".
func (d *Detector) FindAfter(previous, text string) []Finding {
	found := d.find(text)
	if len(text) > 40 || len(previous) > 2000 {
		return found // more than a bare answer speaks for itself
	}
	if previous != "" && previous[len(previous)-1] != '\n' {
		previous += "\n"
	}
	for _, f := range d.find(previous + text) {
		if f.Start < len(previous) {
			continue
		}
		f.Start -= len(previous)
		f.End -= len(previous)
		found = append(found, f)
	}
	return resolve(append(found, d.answered(previous, text)...))
}

func (d *Detector) find(text string) []Finding {
	s := scans.Get().(*scan)
	defer s.release()
	s.run(d.lexicon, text)
	if s.empty() {
		return nil
	}
	var out []Finding
	if len(s.hits) > 0 {
		if d.on[Key] || d.on[PrivateKey] {
			out = s.keys(out)
		}
		if d.on[Password] {
			out = s.passwords(out)
		}
		if d.on[OTP] {
			out = s.codes(out)
		}
	} else if d.on[Password] && len(s.ats) > 0 {
		out = s.urlPasswords(out)
	}
	if len(s.numbers) > 0 {
		out = s.findNumbers(out)
		if d.on[IBAN] {
			out = s.ibans(out)
		}
		if d.on[PAN] {
			out = s.pans(out)
		}
		if d.on[Phone] {
			out = s.phones(out)
		}
	}
	if d.on[IFSC] {
		out = s.ifscs(out)
	}
	if len(s.ats) > 0 {
		out = s.upis(out)
		if d.on[Email] {
			out = s.emails(out)
		}
	}
	out = slices.DeleteFunc(out, func(f Finding) bool { return !d.on[f.Class] || s.marked(f.Start, f.End) })
	return resolve(out)
}

func (s *scan) release() {
	s.text = ""
	if cap(s.digits) < 1<<20 { // a giant text's buffers are not kept
		scans.Put(s)
	}
}

// resolve puts findings in order and makes one of those that overlap: its span
// covers both, so that nothing leaks, and the class is the longer one's, or the
// one that stands first in the order of precedence.
func resolve(fs []Finding) []Finding {
	if len(fs) < 2 {
		return fs
	}
	sort.SliceStable(fs, func(i, j int) bool { return fs[i].Start < fs[j].Start })
	out := fs[:1]
	for _, f := range fs[1:] {
		last := &out[len(out)-1]
		if f.Start >= last.End {
			out = append(out, f)
			continue
		}
		end := max(last.End, f.End)
		n, m := f.End-f.Start, last.End-last.Start
		if n > m+m/2 || n*3 >= m*2 && f.Class.rank() < last.Class.rank() {
			f.Start = last.Start
			*last = f
		}
		last.End = end
	}
	return out
}
