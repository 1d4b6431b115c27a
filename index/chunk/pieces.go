package chunk

import (
	"bytes"
	"unicode/utf8"

	"github.com/memsync/memsync/vault"
)

// A piece is a span that is not cut unless it alone is too long, with its size.
type piece struct {
	span   vault.Span
	tokens int
	// head is the heading that the piece is, level 0 where it is none.
	head heading
}

// pack joins pieces that follow each other into spans of at most MaxTokens.
// Pieces that are longer are cut up first. What is longer than one chunk is
// divided evenly, so that no crumb is left at its end.
func pack(raw []byte, pieces []piece) []vault.Span {
	var small []piece
	total := 0
	for _, p := range pieces {
		total += p.tokens
		if p.tokens <= MaxTokens {
			small = append(small, p)
			continue
		}
		small = append(small, cutUp(raw, p.span, byLine)...)
	}
	if len(small) == 0 {
		return nil
	}
	var out []vault.Span
	cur, size := small[0].span, small[0].tokens
	goal := share(total)
	for _, p := range small[1:] {
		if size+p.tokens > MaxTokens || size >= goal {
			out = append(out, cur)
			total -= size
			goal = share(total)
			cur, size = p.span, 0
		}
		cur.End = p.span.End
		size += p.tokens
	}
	return append(out, cur)
}

// share is the size of each part when total tokens are divided into as few equal
// parts as MaxTokens allows.
func share(total int) int {
	parts := max(1, (total+MaxTokens-1)/MaxTokens)
	return (total + parts - 1) / parts
}

// A divider finds the end of the first part of b; it returns len(b) where b has
// one part only.
type divider func(b []byte) int

// dividers stand from the place where a cut hurts least to where it hurts most.
var dividers = []divider{lineEnd, sentenceEnd, wordEnd, runeEnd}

const byLine = 0

// cutUp cuts a span into pieces of at most MaxTokens, at the ends of lines where
// that does, else of sentences, else of words, else anywhere between runes.
func cutUp(raw []byte, span vault.Span, level int) []piece {
	var out []piece
	cur := piece{span: vault.Span{Start: span.Start, End: span.Start}}
	flush := func() {
		if cur.span.Len() > 0 {
			out = append(out, cur)
		}
		cur = piece{span: vault.Span{Start: cur.span.End, End: cur.span.End}}
	}
	for pos := span.Start; pos < span.End; {
		end := pos + dividers[level](raw[pos:span.End])
		part := vault.Span{Start: pos, End: end}
		tokens := Tokens(part.Cut(raw))
		switch {
		case tokens > MaxTokens && level+1 < len(dividers):
			flush()
			out = append(out, cutUp(raw, part, level+1)...)
			cur.span = vault.Span{Start: end, End: end}
		case cur.tokens+tokens > MaxTokens:
			flush()
			fallthrough
		default:
			cur.span.End = end
			cur.tokens += tokens
		}
		pos = end
	}
	flush()
	return out
}

func lineEnd(b []byte) int {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return i + 1
	}
	return len(b)
}

// sentenceEnd is behind the first full stop, question or exclamation mark that
// white space follows, or an ideographic one.
func sentenceEnd(b []byte) int {
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '.', '!', '?', ';', ':':
			if i+1 < len(b) && (b[i+1] == ' ' || b[i+1] == '\n' || b[i+1] == '\t') {
				return i + 2
			}
		case 0xe3, 0xef, 0xe0: // 。 ！ ？ ।
			if i+3 <= len(b) {
				switch string(b[i : i+3]) {
				case "。", "！", "？", "।":
					return i + 3
				}
			}
		}
	}
	return len(b)
}

func wordEnd(b []byte) int {
	if i := bytes.IndexAny(b, " \t\n"); i >= 0 {
		return i + 1
	}
	return len(b)
}

// runeEnd steps over a run of bytes that is as long as a token, but never cuts a
// rune or an escape of the transcript format.
func runeEnd(b []byte) int {
	end := 0
	for end < len(b) && end < 4 {
		_, size := utf8.DecodeRune(b[end:])
		end += size
	}
	if i := bytes.IndexByte(b[:end], '\\'); i >= 0 && i+4 > end {
		end = min(i+4, len(b))
		for end < len(b) && !utf8.RuneStart(b[end]) {
			end++
		}
	}
	return end
}
