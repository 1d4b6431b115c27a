package vault

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// SupersededHeading is the heading of a ledger below which claims stand that
// hold no more.
const SupersededHeading = "Superseded"

// IsLedger reports whether the note's list items are claims.
func (n *Note) IsLedger() bool { return n.Type() == TypeFacts || n.Type() == TypeSchema }

// Claims are the claims of a ledger in order: the items of its top-level bullet
// lists, code and quotations left out. They are read once between two changes.
func (n *Note) Claims() []Claim { return slices.Clone(n.keptClaims()) }

// NameSources has Claims name the notes in which evidence stands as full says. A
// person's editor may name them by their names alone; what reads claims goes by paths.
// It is to be called before the note is used. The file's bytes stay what they are.
func (n *Note) NameSources(full func(Link) string) {
	n.full = full
	n.claims.Store(nil)
}

// nameSources is what NameSources asked for.
func (n *Note) nameSources(c *Claim) {
	if n.full == nil {
		return
	}
	for i := range c.From {
		c.From[i].Link.Target = n.full(c.From[i].Link)
	}
}

// keptClaims are the claims, which the caller must not change.
func (n *Note) keptClaims() []Claim {
	if kept := n.claims.Load(); kept != nil {
		return *kept
	}
	claims := n.readClaims()
	for i := range claims {
		claims[i].clip()
	}
	n.claims.Store(&claims)
	return claims
}

// clip sees to it that what is appended to a copy of the claim is the copy's own.
func (c *Claim) clip() {
	c.From, c.Rel, c.Supersedes, c.Extra = slices.Clip(c.From), slices.Clip(c.Rel), slices.Clip(c.Supersedes), slices.Clip(c.Extra)
}

func (n *Note) readClaims() []Claim {
	var claims []Claim
	superseded := false
	body := n.Body()
	for _, b := range Blocks(body) {
		switch b.Kind {
		case Heading:
			superseded = strings.EqualFold(strings.TrimSpace(b.Text), SupersededHeading)
		case ListBlock:
			for _, item := range b.Items {
				line := item.Cut(body)
				if nl := bytes.IndexByte(line, '\n'); nl >= 0 {
					line = line[:nl]
				}
				line = bytes.TrimSuffix(line, []byte("\r"))
				c, ok := ParseClaim(string(line))
				if !ok {
					continue
				}
				n.nameSources(&c)
				c.Superseded = superseded
				c.Span = Span{n.body + item.Start, n.body + item.Start + len(line)}
				claims = append(claims, c)
			}
		}
	}
	line, pos := 1, 0
	for i := range claims {
		line += bytes.Count(n.raw[pos:claims[i].Span.Start], []byte("\n"))
		pos = claims[i].Span.Start
		claims[i].Line = line
	}
	return claims
}

// Claim finds a claim by its block id.
func (n *Note) Claim(id string) (Claim, bool) {
	for _, c := range n.keptClaims() {
		if c.ID == id {
			return c, true
		}
	}
	return Claim{}, false
}

// opens reports whether a line holds what may take in the lines that follow: code,
// comments, HTML.
func opens(line string) bool {
	for _, mark := range []string{"```", "~~~", "<", "%%", "$$"} {
		if strings.Contains(line, mark) {
			return true
		}
	}
	return false
}

// setLine writes a line over that of a claim. Where the line is a claim again, and
// holds nothing that could take in what follows, the others are as they were and only
// move along.
func (n *Note) setLine(c Claim, line string) {
	claims := n.Claims()
	n.set(slices.Concat(n.raw[:c.Span.Start], []byte(line), n.raw[c.Span.End:]))
	with, ok := ParseClaim(line)
	at := slices.IndexFunc(claims, func(o Claim) bool { return o.Span == c.Span })
	if !ok || at < 0 || strings.ContainsAny(line, "\r\n") || opens(line) {
		return
	}
	n.nameSources(&with)
	with.clip()
	with.Superseded, with.Line = claims[at].Superseded, claims[at].Line
	with.Span = Span{c.Span.Start, c.Span.Start + len(line)}
	claims[at] = with
	by := len(line) - (c.Span.End - c.Span.Start)
	for i := at + 1; i < len(claims); i++ {
		claims[i].Span = Span{claims[i].Span.Start + by, claims[i].Span.End + by}
	}
	n.claims.Store(&claims)
}

// SetClaimField changes one field of one ledger line and no other byte. The
// value is written as it is; an empty one takes the field away.
func (n *Note) SetClaimField(id, key, value string) error {
	c, ok := n.Claim(id)
	if !ok {
		return n.noClaim(id)
	}
	line, err := withField(string(c.Span.Cut(n.raw)), key, value)
	if err != nil {
		return fmt.Errorf("%s:%d: %w", n.Path, c.Line, err)
	}
	n.setLine(c, line)
	return nil
}

// ReplaceClaim writes another claim onto the line of the one with the id.
func (n *Note) ReplaceClaim(id string, with Claim) error {
	c, ok := n.Claim(id)
	if !ok {
		return n.noClaim(id)
	}
	n.setLine(c, with.Format())
	return nil
}

// AddClaim adds a line to the ledger: behind the last claim in force, or below
// the heading "Superseded" for one that is superseded.
func (n *Note) AddClaim(c Claim) {
	n.insertLine(c.Format(), c.Superseded)
}

// RemoveClaim takes the line of a claim away.
func (n *Note) RemoveClaim(id string) error {
	c, ok := n.Claim(id)
	if !ok {
		return n.noClaim(id)
	}
	end := c.Span.End
	if nl := bytes.IndexByte(n.raw[end:], '\n'); nl >= 0 {
		end += nl + 1
	}
	n.set(slices.Concat(n.raw[:c.Span.Start], n.raw[end:]))
	return nil
}

// Supersede moves a claim below "## Superseded" and says until when it held.
func (n *Note) Supersede(id, until string) error {
	c, ok := n.Claim(id)
	if !ok {
		return n.noClaim(id)
	}
	line := string(c.Span.Cut(n.raw))
	for _, f := range []Field{{Key: "status", Value: "superseded"}, {Key: "until", Value: until}} {
		var err error
		if line, err = withField(line, f.Key, f.Value); err != nil {
			return fmt.Errorf("%s:%d: %w", n.Path, c.Line, err)
		}
	}
	if err := n.RemoveClaim(id); err != nil {
		return err
	}
	n.insertLine(line, true)
	return nil
}

func (n *Note) noClaim(id string) error { return fmt.Errorf("%s: no claim ^%s", n.Path, id) }

// insertLine puts a line behind the last list item of its part of the ledger.
func (n *Note) insertLine(line string, superseded bool) {
	at, behind := -1, 0
	for i, c := range n.keptClaims() {
		if c.Superseded == superseded {
			at, behind = n.itemEnd(c.Span.End), i
		}
	}
	eol := n.eol()
	if at >= 0 {
		text, start := line+eol, at
		if at > 0 && n.raw[at-1] != '\n' {
			text, start = eol+line, at+len(eol)
		}
		claims := n.Claims()
		n.set(slices.Concat(n.raw[:at], []byte(text), n.raw[at:]))
		n.keepInserted(claims, behind, start, line, len(text))
		return
	}
	heading, found := n.supersededAt()
	switch {
	case superseded && !found:
		n.set(slices.Concat(n.endedRaw(eol), []byte(eol+"## "+SupersededHeading+eol+eol+line+eol)))
	case superseded:
		n.set(slices.Concat(n.raw[:heading.End], []byte(eol+line+eol), n.raw[heading.End:]))
	case found:
		n.set(slices.Concat(n.raw[:heading.Start], []byte(line+eol+eol), n.raw[heading.Start:]))
	default:
		sep := eol
		if b := n.Body(); len(bytes.TrimSpace(b)) == 0 && bytes.HasPrefix(b, []byte(eol)) {
			sep = ""
		}
		n.set(slices.Concat(n.endedRaw(eol), []byte(sep+line+eol)))
	}
}

// keepInserted keeps the claims of a note that got a line, of so many bytes with its
// line feed, behind the item of one of them.
func (n *Note) keepInserted(claims []Claim, behind, start int, line string, size int) {
	c, ok := ParseClaim(line)
	if !ok || strings.ContainsAny(line, "\r\n") || opens(line) {
		return
	}
	c.clip()
	c.Superseded = claims[behind].Superseded
	c.Span = Span{start, start + len(line)}
	for i := behind + 1; i < len(claims); i++ {
		claims[i].Span = Span{claims[i].Span.Start + size, claims[i].Span.End + size}
		claims[i].Line++
	}
	c.Line = claims[behind].Line + bytes.Count(n.raw[claims[behind].Span.Start:start], []byte("\n"))
	claims = slices.Insert(claims, behind+1, c)
	n.claims.Store(&claims)
}

// itemEnd is the offset behind the list item whose first line ends at pos: its
// indented continuation lines belong to it.
func (n *Note) itemEnd(pos int) int {
	for {
		nl := bytes.IndexByte(n.raw[pos:], '\n')
		if nl < 0 {
			return len(n.raw)
		}
		pos += nl + 1
		if pos == len(n.raw) || n.raw[pos] != ' ' && n.raw[pos] != '\t' {
			return pos
		}
	}
}

// supersededAt is the line of the heading "Superseded" in the file.
func (n *Note) supersededAt() (Span, bool) {
	for _, b := range Blocks(n.Body()) {
		if b.Kind == Heading && strings.EqualFold(strings.TrimSpace(b.Text), SupersededHeading) {
			start := n.body + b.Span.Start
			end := len(n.raw)
			if nl := bytes.IndexByte(n.raw[start:], '\n'); nl >= 0 {
				end = start + nl + 1
			}
			return Span{start, end}, true
		}
	}
	return Span{}, false
}

func (n *Note) eol() string {
	if i := bytes.IndexByte(n.raw, '\n'); i > 0 && n.raw[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// endedRaw is the file, ended with a line break.
func (n *Note) endedRaw(eol string) []byte {
	if len(n.raw) > 0 && n.raw[len(n.raw)-1] != '\n' {
		return append(slices.Clone(n.raw), eol...)
	}
	return n.raw
}

// AddEvidence adds one more turn to the ones that prove a claim.
func (n *Note) AddEvidence(id string, e Evidence) error {
	c, ok := n.Claim(id)
	if !ok {
		return n.noClaim(id)
	}
	line := string(c.Span.Cut(n.raw))
	body := strings.TrimRight(line, " \t")
	text, block := cutBlockID(body)
	field := " (from:: " + e.format() + ")"
	line = text + field
	if block != "" {
		line += " ^" + block
	}
	n.setLine(c, line)
	return nil
}
