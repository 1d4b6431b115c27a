package whatsapp

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"time"
	"unicode"

	"github.com/memsync/memsync/vault"
)

// idWindow is how many ids are remembered to number those that come again
// within a minute.
const idWindow = 8192

// An identifier gives messages their ids.
//
// The export has none, so an id is derived from what another export of the
// same chat repeats: the minute and the text, without direction marks, widths
// of spaces and names of people mentioned, and for what the app wrote only its
// kind, which does not depend on the phone's language. The sender is left out,
// because a contact's name is whatever the phone calls it today. A second
// message with the same minute and text is numbered.
//
// What this cannot see: a phone that changed its time zone writes all times
// anew; a message that was edited or deleted in between is another message; an
// export that begins within a minute may number equal messages differently.
// Match aligns two histories where it matters.
type identifier struct {
	count map[string]int
	ring  [idWindow]string
	next  int
}

// id returns the id of m, which must be called for each message in order.
func (d *identifier) id(m *Message) string {
	base := "wa-" + hash(m.Time.Time.Truncate(time.Minute), m.mark.kind, m.mark.caption)
	if d.count == nil {
		d.count = map[string]int{}
	}
	if old := d.ring[d.next]; old != "" {
		if d.count[old]--; d.count[old] <= 0 {
			delete(d.count, old)
		}
	}
	n := d.count[base]
	d.count[base] = n + 1
	d.ring[d.next] = base
	d.next = (d.next + 1) % idWindow
	if n == 0 {
		return base
	}
	return base + "-" + itoa(n+1)
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}

// hash is 64 bits of what identifies a message, in hexadecimal.
func hash(minute time.Time, kind, text string) string {
	h := sha256.New()
	var unix [8]byte
	binary.BigEndian.PutUint64(unix[:], uint64(minute.Unix()))
	h.Write(unix[:])
	switch kind {
	case "", "text":
		h.Write([]byte{0})
		h.Write([]byte(plainText(text)))
	case flagMedia, flagPoll:
		h.Write([]byte(kind))
		h.Write([]byte{0})
		h.Write([]byte(plainText(text)))
	default:
		h.Write([]byte(kind))
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// plainText is a text as every dialect of the export writes it. Digits are all
// one: the id stands in the vault, and from a hash over a text with a code of six
// digits the code could be found by trying them all.
func plainText(s string) string {
	return spoken(s, func(r rune) rune {
		if unicode.IsDigit(r) {
			return '0'
		}
		return r
	})
}

// spoken is a text without direction marks, with single spaces, and with mentions
// without the name, which iOS and newer Android put between isolates.
func spoken(s string, letter func(rune) rune) string {
	var b strings.Builder
	space, isolated := false, 0
	for _, r := range s {
		switch {
		case r == 0x2068:
			isolated++
			continue
		case r == 0x2069 && isolated > 0:
			isolated--
			continue
		case isolated > 0 || isMark(r):
			continue
		case unicode.IsSpace(r) || isBlank(r):
			space = b.Len() > 0
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(letter(r))
	}
	return b.String()
}

// chatID derives a chat's id from its first message that a person sent, which
// stays when the chat grows, when a contact is renamed and when the dialect
// changes; the app's own lines before it differ between phones. Two chats that began in the same minute with the same words are one
// to it; salt keeps them apart where that is known.
func chatID(first []Message, salt string) string {
	if len(first) == 0 {
		return ""
	}
	m := &first[0]
	for i := range first {
		if first[i].mark.kind != flagSystem {
			m = &first[i]
			break
		}
	}
	id := hash(m.Time.Time.Truncate(time.Minute), m.mark.kind, m.mark.caption)
	if salt != "" {
		sum := sha256.Sum256([]byte(id + salt))
		id = hex.EncodeToString(sum[:8])
	}
	return "chat-" + id[:12]
}

// turn makes a vault turn of m.
func (m *Message) turn(id string) vault.Turn {
	return vault.Turn{
		Sender: m.Sender, Time: m.Time, MessageID: id, Text: m.Text,
		Flags: m.Flags, Attachments: m.Attachments,
	}
}
