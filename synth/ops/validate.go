package ops

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memsync/memsync/synth/ledger"
	"github.com/memsync/memsync/vault"
)

// A Reader is the vault as the caller sees it.
type Reader interface {
	ledger.Reader
	Note(p vault.Path) (*vault.Note, error)
	// Head reads the beginning of a note: its front matter.
	Head(p vault.Path) (*vault.Note, error)
	// Paths lists the notes of one of memsync's folders.
	Paths(ctx context.Context, folder string) ([]vault.Path, error)
}

// A Config is what the validator must know. The zero value knows no secrets,
// forgets nothing and dates nothing.
type Config struct {
	// Secret reports whether a text holds something that must not be written.
	Secret func(text string) bool
	// Forgotten is what the person removed. Deletes are added to it.
	Forgotten *vault.Forgotten
	// Today dates claims whose turn has no time, YYYY-MM-DD.
	Today string
	// Person says that the person gives these operations: what they pinned or
	// confirmed may change.
	Person bool
}

// Bounds of what operations say.
const (
	maxText  = 400 // characters of a claim
	maxQuote = 600 // characters of a quote
	maxName  = 60  // characters of a domain or a topic
	// minQuote is the number of letters and digits below which words prove
	// nothing: "yes", "ok so". Scripts without spaces say more in fewer.
	minQuote = 8
)

// A refusal is an error that says which Reason it is.
type refusal struct {
	reason Reason
	text   string
}

func (r *refusal) Error() string { return r.text }

func refuse(reason Reason, format string, args ...any) error {
	return &refusal{reason, fmt.Sprintf(format, args...)}
}

// aboutPerson are the kinds of claims that nobody but a person can prove.
var aboutPerson = []string{"identity", "preference", "policy", "value", "goal", "relationship", "constraint", "decision"}

// statement checks what a claim says.
func (b *batch) statement(s Statement) error {
	switch {
	case strings.TrimSpace(s.Text) == "":
		return refuse(Malformed, "it has no text")
	case utf8.RuneCountInString(s.Text) > maxText:
		return refuse(Malformed, "its text is longer than %d characters", maxText)
	case !utf8.ValidString(s.Text) || strings.ContainsFunc(s.Text, unicode.IsControl):
		return refuse(Malformed, "its text is not one line of plain text")
	case !slices.Contains(Kinds, s.Kind):
		return refuse(Malformed, "%q is no kind of claim", s.Kind)
	case utf8.RuneCountInString(s.Domain) > maxName || utf8.RuneCountInString(s.Topic) > maxName || strings.ContainsFunc(s.Domain+s.Topic, unicode.IsControl):
		return refuse(Malformed, "its domain or topic is no short name")
	case bad(s.Confidence) || bad(s.Importance):
		return refuse(Malformed, "confidence and importance lie between 0 and 1")
	case strings.ContainsAny(s.P+s.O, "()[]\n") || len(s.P) > maxName || len(s.O) > maxText:
		return refuse(Malformed, "its predicate or object is no short plain text")
	}
	return b.writable(s.Text, s.P, s.O, s.Topic, s.Domain)
}

func bad(score *float64) bool { return score != nil && !(*score >= 0 && *score <= 1) }

// writable refuses texts that must not stand in the vault.
func (b *batch) writable(texts ...string) error {
	for _, t := range texts {
		if b.cfg.Secret != nil && b.cfg.Secret(t) {
			return refuse(Secret, "it holds a secret")
		}
		if vault.HasInjected(t) || strings.Contains(t, "memsync-context") {
			return refuse(Injected, "it repeats what memsync told the assistant")
		}
		if b.cfg.Forgotten != nil && b.cfg.Forgotten.Has(t) {
			return refuse(Forgotten, "the person removed it before")
		}
	}
	return nil
}

// prove checks every proof of an operation and returns the evidence, the day of
// the first and whether a person said it.
func (b *batch) prove(ctx context.Context, proofs []Proof, kind string) (from []vault.Evidence, day string, err error) {
	if len(proofs) == 0 {
		return nil, "", refuse(NoSource, "it names no turn that proves it")
	}
	byPerson := false
	for _, p := range proofs {
		t, turn, err := b.turn(ctx, p)
		if err != nil {
			return nil, "", err
		}
		quote := vault.Fold(p.Quote)
		if err := b.quote(t, turn, quote); err != nil {
			return nil, "", err
		}
		switch turn.Sender {
		case "assistant", "tool", "system":
		default:
			byPerson = true
		}
		d := turn.Time.Date()
		if d == "" {
			d = b.cfg.Today
		}
		if day == "" || d != "" && d < day {
			day = d
		}
		from = append(from, vault.Evidence{Link: vault.LinkToBlock(t.Path, turn.ID, ""), Quote: quote})
	}
	if !byPerson && slices.Contains(aboutPerson, kind) {
		return nil, "", refuse(NotTheirWords, "a %s is proved by the person's words, and these are an assistant's", kind)
	}
	return from, day, nil
}

// quote checks that words stand in a turn and are its sender's.
func (b *batch) quote(t *vault.Transcript, turn vault.PlacedTurn, quote string) error {
	letters := 0
	for _, r := range quote {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai):
			letters += 4
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			letters++
		}
	}
	switch {
	case quote == "":
		return refuse(NoSource, "it quotes no words")
	case utf8.RuneCountInString(quote) > maxQuote:
		return refuse(Malformed, "a quote is longer than %d characters", maxQuote)
	case !strings.Contains(vault.Fold(turn.Text), quote):
		return refuse(QuoteNotInTurn, "%q does not stand in turn %s%s", clip(quote), turn.ID, elsewhere(t, quote))
	case letters < minQuote:
		return refuse(QuoteTooShort, "%q is too short to prove anything", quote)
	}
	for _, f := range []string{vault.FlagMeta, vault.FlagToolCall, vault.FlagReasoning, vault.FlagAttachment} {
		if slices.Contains(turn.Flags, f) {
			return refuse(Injected, "turn %s is not what its sender wrote (%s)", turn.ID, f)
		}
	}
	if !strings.Contains(vault.Fold(vault.StripInjected(turn.Text)), quote) {
		return refuse(Injected, "%q was put into turn %s by a program", clip(quote), turn.ID)
	}
	if b.cfg.Secret != nil && b.cfg.Secret(quote) {
		return refuse(Secret, "its quote holds a secret")
	}
	if b.cfg.Forgotten != nil && b.cfg.Forgotten.Has(quote) {
		return refuse(Forgotten, "the person removed what these words prove")
	}
	return nil
}

// elsewhere names the turn in which the words do stand, to help whoever wrote
// the operation.
func elsewhere(t *vault.Transcript, quote string) string {
	for _, other := range t.Turns {
		if strings.Contains(vault.Fold(other.Text), quote) {
			return "; it stands in " + other.ID
		}
	}
	return ""
}

func clip(s string) string {
	const most = 60
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "…"
}

// turn finds the turn that a proof names.
func (b *batch) turn(ctx context.Context, p Proof) (*vault.Transcript, vault.PlacedTurn, error) {
	if strings.TrimSpace(p.Transcript) == "" || strings.TrimSpace(p.Turn) == "" {
		return nil, vault.PlacedTurn{}, refuse(NoSource, "a proof names no transcript or no turn")
	}
	t, err := b.transcript(ctx, p.Transcript)
	if err != nil {
		return nil, vault.PlacedTurn{}, err
	}
	id := strings.TrimPrefix(strings.TrimSpace(p.Turn), "^")
	if turn, ok := t.Turn(id); ok {
		return t, turn, nil
	}
	for _, turn := range t.Turns {
		if turn.MessageID == id {
			return t, turn, nil
		}
	}
	return nil, vault.PlacedTurn{}, refuse(UnknownTurn, "%s has no turn %s", t.Path, clip(id))
}

// transcript finds a transcript by its path, its id or its conversation's id.
func (b *batch) transcript(ctx context.Context, name string) (*vault.Transcript, error) {
	name = strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(name), "[["), "]]"), ".md")
	if t, ok := b.transcripts[name]; ok {
		return t, nil
	}
	if p, err := vault.ParsePath(name + ".md"); err == nil && p.Under(b.r.Layout().Folder("transcripts")) {
		if n, err := b.r.Note(p); err == nil {
			t := vault.ParseTranscript(n)
			b.transcripts[name] = t
			return t, nil
		}
	}
	if b.names == nil {
		if err := b.nameTranscripts(ctx); err != nil {
			return nil, err
		}
	}
	p, ok := b.names[name]
	if !ok {
		return nil, refuse(UnknownTurn, "there is no transcript %q", clip(name))
	}
	n, err := b.r.Note(p)
	if err != nil {
		return nil, err
	}
	t := vault.ParseTranscript(n)
	b.transcripts[name] = t
	return t, nil
}

func (b *batch) nameTranscripts(ctx context.Context) error {
	paths, err := b.r.Paths(ctx, "transcripts")
	if err != nil {
		return err
	}
	b.names = map[string]vault.Path{}
	for _, p := range paths {
		head, err := b.r.Head(p)
		if err != nil {
			continue
		}
		for _, name := range []string{p.Stem(), head.ID(), head.Prop("conversation")} {
			if _, taken := b.names[name]; !taken && name != "" {
				b.names[name] = p
			}
		}
	}
	return nil
}
