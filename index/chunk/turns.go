package chunk

import (
	"strings"

	"github.com/memsync/memsync/vault"
)

// transcript cuts a transcript turn by turn: a chunk never holds words of two
// speakers, however short they are. What a person wrote between the turns is
// prose.
func (c *cutter) transcript() {
	t := vault.ParseTranscript(c.note)
	from := c.note.BodyStart()
	for _, p := range t.Turns {
		c.prose(vault.Span{Start: from, End: p.Header.Start})
		c.turn(p)
		from = p.Body.End
		if p.Form != vault.Verbatim {
			from = c.afterFence(from)
		}
	}
	c.prose(vault.Span{Start: min(from, len(c.raw)), End: len(c.raw)})
}

// turn cuts one turn; one that fits is a single chunk.
func (c *cutter) turn(p vault.PlacedTurn) {
	bare := p.Turn
	bare.Text = ""
	body := c.trim(p.Body)
	if body.Len() == 0 {
		return
	}
	spans := []vault.Span{body}
	if tokens := Tokens(body.Cut(c.raw)); tokens > MaxTokens {
		spans = pack(c.raw, blocks(c.raw, body))
	}
	masked := maskInjected(body.Cut(c.raw))
	part := 0
	for _, s := range spans {
		if s = c.trim(s); s.Len() == 0 {
			continue
		}
		ch := Chunk{Kind: Turn, Turn: bare, Part: part, Revised: p.Revised, Heading: c.path()}
		ch.Search = string(masked[s.Start-body.Start : s.End-body.Start])
		if p.Form == vault.Escaped {
			ch.Search = unescape(ch.Search)
		}
		c.add(s, ch)
		part++
	}
}

// afterFence is the offset behind the fence that closes a turn's text, which
// ends at pos.
func (c *cutter) afterFence(pos int) int {
	pos += lineEnd(c.raw[pos:])
	return pos + lineEnd(c.raw[pos:])
}

// unescape reads a part of a turn's text that the transcript format escaped:
// \xHH for a byte that is no text, a backslash before a backslash.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] != '\\' || i+1 == len(s):
			b.WriteByte(s[i])
		case s[i+1] == 'x' && i+3 < len(s) && isHex(s[i+2]) && isHex(s[i+3]):
			b.WriteByte(hex(s[i+2])<<4 | hex(s[i+3]))
			i += 3
		default:
			i++
			b.WriteByte(s[i])
		}
	}
	return strings.ToValidUTF8(b.String(), " ")
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

func hex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}
