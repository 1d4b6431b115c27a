package index

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/memsync/memsync/index/chunk"
	"github.com/memsync/memsync/index/embed"
	"github.com/memsync/memsync/index/rank"
	"github.com/memsync/memsync/index/store"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/lazyregexp"
)

// A prepared note is ready for the store but for its vectors.
type prepared struct {
	put store.Put
	// texts are what is embedded, one a chunk; "" for chunks that say nothing.
	texts []string
}

// prepare makes a row and chunks of a note.
func (x *Index) prepare(n *vault.Note) prepared {
	title := x.clean(n.Title())
	p := prepared{put: store.Put{Note: store.Note{
		Path: string(n.Path), ID: n.ID(), Type: string(n.Type()), Title: title,
		Source: n.Prop("source"), Domain: n.Prop("domain"), Conversation: n.Prop("conversation"),
		Provider: firstOf(n.Prop("provider"), n.Prop("source")),
		Tags:     n.List("tags"), Aliases: n.List("aliases"),
		Created: created(n), Updated: unix(n.Prop("updated")),
	}}}
	p.put.Note.Problem = problem(n)
	pinned := n.Has("pin") && n.Prop("pin") != "false"
	salience := share(n.Prop("salience"))
	said, before := "", "" // what the last turn said, and the one before it
	for i, c := range chunk.Split(n) {
		if c.Kind == chunk.Turn && c.Part == 0 {
			said, before = c.Search, said
		}
		row := store.Chunk{
			Kind: uint8(c.Kind), Start: c.Span.Start, End: c.Span.End, Line: c.Line, Heading: x.clean(c.Heading),
			Ordinal: i, Part: c.Part, Time: p.put.Note.Created, Text: x.cleanAfter(before, c), Salience: salience,
		}
		if pinned {
			row.Flags |= store.Pinned
		}
		if rank.Asks(row.Text) {
			row.Flags |= store.Question
		}
		if c.Kind == chunk.Turn && rank.Directs(row.Text) {
			row.Flags |= store.Directive
		}
		if c.Kind == chunk.Turn && rank.Prefers(row.Text) {
			row.Flags |= store.Preference
		}
		if rank.Tells(row.Text) {
			row.Flags |= store.Personal
		}
		switch c.Kind {
		case chunk.Turn:
			describeTurn(&row, c)
			if i > 0 && c.Part > 0 {
				row.Ordinal = p.put.Chunks[i-1].Ordinal
			}
		case chunk.Claim:
			describeClaim(&row, c.Claim)
		case chunk.Rendering:
			describeRendering(&row, c.Rendering)
		}
		if c.Kind == chunk.Prose && n.Type() == vault.TypeRendering {
			row.Text = "" // what the page says of itself is nothing to find
		}
		terms := termsOf(row, p.put.Note, i == 0)
		row.Terms, row.Len = strings.Join(terms, " "), len(terms)
		p.put.Chunks = append(p.put.Chunks, row)
		p.texts = append(p.texts, embedded(row, title))
	}
	return p
}

// problem says what keeps a note from being indexed as a whole, "" for most.
func problem(n *vault.Note) string {
	if chunk.Binary(n) {
		return "it holds no text; its name is searched"
	}
	if err := n.Err(); err != nil {
		return strings.TrimPrefix(err.Error(), string(n.Path)+": ") // which the path stands beside
	}
	return ""
}

// clean is text as it is searched and shown: secrets and marks taken out.
func (x *Index) clean(text string) string {
	text = vault.Searchable(strings.ToValidUTF8(text, " "))
	if x.cfg.Redact != nil {
		text = x.cfg.Redact(text)
	}
	return text
}

// cleanAfter is what a chunk says, cleaned; of a turn with regard to the one before it.
func (x *Index) cleanAfter(before string, c chunk.Chunk) string {
	text := x.clean(c.Search)
	if c.Kind == chunk.Turn && before != "" && x.cfg.RedactAfter != nil {
		text = x.cfg.RedactAfter(vault.Searchable(strings.ToValidUTF8(before, " ")), text)
	}
	return text
}

func describeTurn(row *store.Chunk, c chunk.Chunk) {
	t := c.Turn
	row.Turn, row.Message, row.Speaker = t.ID, t.MessageID, t.Sender
	if !t.Time.IsZero() {
		row.Time = t.Time.Time.Unix()
	}
	if t.Branch {
		row.Flags |= store.Branch
	}
	if c.Revised {
		row.Flags |= store.Superseded
	}
	if t.Sender == "assistant" || t.Sender == "tool" {
		row.Flags |= store.Assistant
	}
}

func describeClaim(row *store.Chunk, c vault.Claim) {
	row.Turn, row.Label = c.ID, c.Kind
	if t := unix(firstOf(c.LastSeen, c.FirstSeen)); t != 0 {
		row.Time = t
	}
	if !c.InForce() {
		row.Flags |= store.Superseded
	}
	if c.Pin != "" {
		row.Flags |= store.Pinned
	}
	if c.Importance > 0 {
		row.Importance = uint8(c.Importance*255 + 0.5)
	}
}

// describeRendering describes what finds a turn in its place.
func describeRendering(row *store.Chunk, r vault.Rendering) {
	row.Turn, row.Speaker, row.Label = r.Of.Block, r.Sender, r.Of.Target+".md"
	if !r.Time.IsZero() {
		row.Time = r.Time.Time.Unix()
	}
}

// indexed is the text whose terms find a chunk: what it says, who says it, and
// what it stands under. A title is said once for a conversation and once for
// each passage of a note.
func indexed(c store.Chunk, n store.Note, first bool) string {
	parts := []string{c.Speaker}
	if k := chunk.Kind(c.Kind); first || k != chunk.Turn && k != chunk.Rendering {
		parts = append(parts, n.Title)
	}
	if first {
		parts = append(parts, n.Aliases...)
		parts = append(parts, n.Tags...)
	}
	return strings.Join(append(parts, c.Heading, c.Text), " \n")
}

// embedded is the text whose meaning finds a chunk. A passage is embedded with
// what it stands under, a turn or a claim by itself.
func embedded(c store.Chunk, title string) string {
	if strings.TrimSpace(c.Text) == "" {
		return ""
	}
	if chunk.Kind(c.Kind) != chunk.Prose {
		return c.Text
	}
	return firstOf(c.Heading, title) + "\n" + c.Text
}

// created is when what the note tells happened: a session's start, a note's
// creation, the date in its name.
func created(n *vault.Note) int64 {
	for _, key := range []string{"start", "created", "date"} {
		if t := unix(n.Prop(key)); t != 0 {
			return t
		}
	}
	return unix(datedName.FindString(n.Path.Base()))
}

var datedName = lazyregexp.New(`^\d{4}-\d\d-\d\d`)

// unix reads a date or time, 0 where it is none.
func unix(text string) int64 {
	s, err := vault.ParseStamp(text)
	if err != nil || s.IsZero() {
		return 0
	}
	return s.Time.Unix()
}

// share reads a number between 0 and 1 into a byte.
func share(text string) uint8 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v > 0) {
		return 0
	}
	return uint8(min(v, 1)*255 + 0.5)
}

func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// keyOf names what a document's vector is computed from.
func keyOf(m embed.Model, text string) store.Key {
	h := sha256.New()
	var n [8]byte
	binary.LittleEndian.PutUint64(n[:], uint64(len(m.ID)))
	h.Write(n[:])
	h.Write([]byte(m.ID))
	binary.LittleEndian.PutUint64(n[:], uint64(m.Dim))
	h.Write(n[:])
	h.Write([]byte(text))
	return store.Key(h.Sum(nil)[:16])
}
