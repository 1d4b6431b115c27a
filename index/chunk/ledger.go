package chunk

import (
	"github.com/memsync/memsync/vault"
)

// ledger cuts a ledger line by line: one claim is one chunk, found by what it
// says and not by its fields. What stands between the claims is prose.
func (c *cutter) ledger() {
	from := c.note.BodyStart()
	for _, claim := range c.note.Claims() {
		c.prose(vault.Span{Start: from, End: claim.Span.Start})
		ch := Chunk{Kind: Claim, Heading: c.path(), Search: claim.Text, Claim: claim}
		c.add(c.trim(claim.Span), ch)
		from = claim.Span.End
	}
	c.prose(vault.Span{Start: from, End: len(c.raw)})
}

// renderings cuts a note of renderings line by line.
func (c *cutter) renderings() {
	from := c.note.BodyStart()
	for _, r := range c.note.Renderings() {
		c.prose(vault.Span{Start: from, End: r.Span.Start})
		c.add(c.trim(r.Span), Chunk{Kind: Rendering, Search: r.Text, Rendering: r})
		from = r.Span.End
	}
	c.prose(vault.Span{Start: from, End: len(c.raw)})
}
