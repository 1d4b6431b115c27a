package vault

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Claim is one line of a ledger: something that memory holds to be so, with
// its kind, its dates and the turns that prove it.
type Claim struct {
	// ID is the block id, without "^". Lines that a person added may have none.
	ID string
	// Text is the claim itself, one line of prose.
	Text string
	// Kind is decision, preference, constraint, entity, definition, task,
	// correction, identity, relationship, event, goal, value or policy.
	Kind string
	// Status is proposed, confirmed, active, superseded or outdated; empty
	// means active.
	Status string
	// Confidence and Importance lie between 0 and 1; negative means not given.
	Confidence, Importance float64
	// Pin is "user" or "system"; empty for none.
	Pin string
	// Version counts the wordings of a schema item; 0 means not given.
	Version int
	// FirstSeen and LastSeen are dates, YYYY-MM-DD.
	FirstSeen, LastSeen string
	// Until is the date from which the claim holds no more.
	Until string
	// Supersedes are the ids of claims that this one replaces.
	Supersedes []string
	// Predicate and Object are the claim's parts, where it has them.
	Predicate, Object string
	// Rel are links to other claims: "impacts [[schema/policies#^s-2v8r]]".
	Rel []string
	// From are the turns that prove the claim.
	From []Evidence
	// Extra are fields that memsync does not know and keeps.
	Extra []Field
	// Superseded says that the line stands below the heading "Superseded".
	Superseded bool
	// Span is the line in the file, without its line feed; Line is 1-based.
	Span Span
	Line int
}

// Evidence is one turn and the words in it that prove a claim.
type Evidence struct {
	// Link leads to the turn's block.
	Link Link
	// Quote is verbatim but for white space, which is folded.
	Quote string
}

// InForce reports whether the claim still holds.
func (c Claim) InForce() bool {
	return !c.Superseded && c.Status != "superseded" && c.Status != "outdated" && c.Until == ""
}

// Format writes the claim as a ledger line, without a line feed.
func (c Claim) Format() string {
	var b strings.Builder
	b.WriteString("- " + escapeClaim(c.Text))
	put := func(key, value string) {
		if value != "" {
			b.WriteString(" (" + key + ":: " + value + ")")
		}
	}
	put("kind", escapeField(c.Kind))
	put("status", escapeField(c.Status))
	put("pin", escapeField(c.Pin))
	if c.Version > 0 {
		put("version", strconv.Itoa(c.Version))
	}
	put("p", escapeField(c.Predicate))
	put("o", escapeField(c.Object))
	put("confidence", formatScore(c.Confidence))
	put("importance", formatScore(c.Importance))
	seen := c.FirstSeen
	if c.LastSeen != "" && c.LastSeen != c.FirstSeen {
		seen += "/" + c.LastSeen
	}
	put("seen", seen)
	put("until", c.Until)
	for _, id := range c.Supersedes {
		put("supersedes", "[[#^"+id+"]]")
	}
	for _, r := range c.Rel {
		put("rel", r)
	}
	for _, f := range c.Extra {
		put(f.Key, f.Value)
	}
	for _, e := range c.From {
		put("from", e.format())
	}
	if c.ID != "" {
		b.WriteString(" ^" + c.ID)
	}
	return b.String()
}

// formatScore writes a number between 0 and 1 with at most two decimals.
func formatScore(v float64) string {
	if v < 0 {
		return ""
	}
	return strconv.FormatFloat(float64(int(v*100+0.5))/100, 'f', -1, 64)
}

func (e Evidence) format() string {
	l := e.Link
	l.Alias = ""
	if e.Quote != "" {
		l.Alias = `"` + escapeQuote(e.Quote) + `"`
	}
	return l.String()
}

// Fold replaces every run of white space by one space and trims the ends.
func Fold(s string) string { return strings.Join(strings.Fields(s), " ") }

// quoteEscapes are the characters that would end a link's alias or a field, as
// HTML entities, which Obsidian shows as the characters.
var quoteEscapes = strings.NewReplacer("&", "&amp;", "[", "&#91;", "]", "&#93;", "|", "&#124;", "(", "&#40;", ")", "&#41;")

var quoteUnescapes = strings.NewReplacer("&amp;", "&", "&#91;", "[", "&#93;", "]", "&#124;", "|", "&#40;", "(", "&#41;", ")")

// escapeQuote folds white space and escapes what would break the link. Balanced
// parentheses and lone ampersands may stay.
func escapeQuote(s string) string {
	s = Fold(s)
	if !strings.ContainsAny(s, "[]|&()") {
		return s
	}
	return quoteEscapes.Replace(s)
}

// escapeClaim folds white space and keeps a claim's text from being read as a
// field or a block id.
func escapeClaim(s string) string {
	s = Fold(s)
	s = strings.ReplaceAll(s, "::", ":&#58;")
	if i := strings.LastIndex(s, " ^"); i >= 0 {
		s = s[:i] + " &#94;" + s[i+2:]
	}
	return strings.ReplaceAll(s, "(from:", "(from&#58;")
}

var claimUnescapes = strings.NewReplacer("&#58;", ":", "&#94;", "^")

// ParseClaim reads one list item of a ledger. It reports false for lines that
// are no list items or say nothing.
func ParseClaim(line string) (Claim, bool) {
	c := Claim{Confidence: -1, Importance: -1}
	rest := strings.TrimLeft(line, " \t")
	marker := strings.HasPrefix(rest, "- ") || strings.HasPrefix(rest, "* ") || strings.HasPrefix(rest, "+ ")
	if !marker {
		return c, false
	}
	rest = rest[2:]
	rest, c.ID = cutBlockID(strings.TrimRight(rest, " \t\r\n"))
	found := fields(rest)
	text := rest
	for _, f := range slices.Backward(found) {
		text = text[:f.Span.Start] + text[f.Span.End:]
	}
	for _, f := range found {
		c.setField(f)
	}
	c.Text = claimUnescapes.Replace(Fold(text))
	return c, c.Text != "" || c.ID != ""
}

// cutBlockID splits a block id off the end of a line.
func cutBlockID(s string) (text, id string) {
	i := strings.LastIndex(s, "^")
	if i < 0 || i > 0 && s[i-1] != ' ' && s[i-1] != '\t' {
		return s, ""
	}
	id = s[i+1:]
	if !isBlockID(id) {
		return s, ""
	}
	return strings.TrimRight(s[:i], " \t"), id
}

// isBlockID reports whether s is what Obsidian takes for a block id.
func isBlockID(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}

func (c *Claim) setField(f Field) {
	v := unescapeField(f.Value)
	switch f.Key {
	case "kind":
		c.Kind = v
	case "status":
		c.Status = v
	case "pin":
		c.Pin = v
	case "version":
		c.Version, _ = strconv.Atoi(v)
	case "p":
		c.Predicate = v
	case "o":
		c.Object = v
	case "confidence":
		c.Confidence = parseScore(v)
	case "importance":
		c.Importance = parseScore(v)
	case "seen":
		c.FirstSeen, c.LastSeen, _ = strings.Cut(v, "/")
		if c.LastSeen == "" {
			c.LastSeen = c.FirstSeen
		}
	case "until":
		c.Until = v
	case "supersedes":
		c.Supersedes = append(c.Supersedes, blockIDOf(f.Value))
	case "rel":
		c.Rel = append(c.Rel, f.Value)
	case "from":
		c.From = append(c.From, parseEvidence(f.Value))
	default:
		c.Extra = append(c.Extra, Field{Key: f.Key, Value: f.Value})
	}
}

func parseScore(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || v < 0 || v > 1 {
		return -1
	}
	return v
}

// blockIDOf reads an id that is written as a link, with or without brackets.
func blockIDOf(s string) string {
	s = strings.TrimSuffix(strings.TrimPrefix(s, "[["), "]]")
	return s[strings.LastIndexAny(s, "^#")+1:]
}

func parseEvidence(v string) Evidence {
	inside := strings.TrimSuffix(strings.TrimPrefix(v, "[["), "]]")
	e := Evidence{Link: ParseLink(inside)}
	quote := e.Link.Alias
	if len(quote) >= 2 && quote[0] == '"' && quote[len(quote)-1] == '"' {
		e.Quote = quoteUnescapes.Replace(quote[1 : len(quote)-1])
	}
	e.Link.Alias = ""
	return e
}

// withField returns a ledger line in which one field says something else; no
// other byte changes. An empty value takes the field away.
func withField(line, key, value string) (string, error) {
	if strings.ContainsAny(value, "\n\r") {
		return "", fmt.Errorf("field %s: %w: the value has a line break", key, ErrEdit)
	}
	for _, f := range fields(line) {
		if f.Key != key {
			continue
		}
		if value == "" {
			return strings.TrimSuffix(line[:f.Span.Start], " ") + line[f.Span.End:], nil
		}
		return line[:f.Span.Start] + "(" + key + ":: " + value + ")" + line[f.Span.End:], nil
	}
	if value == "" {
		return line, nil
	}
	body := strings.TrimRight(line, " \t\r\n")
	text, id := cutBlockID(body)
	if id != "" {
		return text + " (" + key + ":: " + value + ")" + line[len(text):], nil
	}
	return body + " (" + key + ":: " + value + ")" + line[len(body):], nil
}
