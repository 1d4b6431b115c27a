package vault

import (
	"crypto/sha256"
	"encoding/binary"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A Layout says where each kind of note lies. Root is memsync's folder in the
// vault, "" where the whole vault is memsync's.
type Layout struct{ Root Path }

// Boot is MEMORY.md, what an assistant reads when it starts.
func (l Layout) Boot() Path { return l.Root.Join("MEMORY.md") }

// Profile is the profile card.
func (l Layout) Profile() Path { return l.Root.Join("profile.md") }

// User is USER.md, how the person thinks, decides and writes.
func (l Layout) User() Path { return l.Root.Join("USER.md") }

// Forgotten lists the salted hashes of what the person removed.
func (l Layout) Forgotten() Path { return l.Root.Join(".memory-forgotten") }

// Base is where memsync keeps what it last made of a generated page that the
// person has edited: the base on which their edits and the next text are merged.
func (l Layout) Base(p Path) Path {
	return l.Root.Join(".memory-base", strings.TrimPrefix(string(p), string(l.Root)+"/"))
}

// schemaFiles are the ledgers of a person's self-model, by kind.
var schemaFiles = map[string]string{"value": "values", "preference": "preferences", "policy": "policies", "goal": "goals"}

// Schema is the ledger for a kind of schema item: value, preference, policy or
// goal.
func (l Layout) Schema(kind string) (Path, bool) {
	name, ok := schemaFiles[kind]
	return l.Root.Join("schema", name+".md"), ok
}

// Facts is the ledger of a topic.
func (l Layout) Facts(domain, topic string) Path {
	return l.Root.Join("facts", Slug(domain), Slug(topic)+".md")
}

// Session is the summary of a session that began on date (YYYY-MM-DD).
func (l Layout) Session(date, title string) Path { return l.dated("sessions", date, title) }

// Archive is where the summary of a cold session lies.
func (l Layout) Archive(date, title string) Path { return l.dated("archive", date, title) }

// Topic is the narrative of a topic.
func (l Layout) Topic(topic string) Path { return l.Root.Join("memory", Slug(topic)+".md") }

// Epoch is what a month (YYYY-MM) came to.
func (l Layout) Epoch(month string) Path { return l.Root.Join("epochs", month+".md") }

// Transcript is where a conversation of a source that began on date lies.
func (l Layout) Transcript(source, date, title string) Path {
	return l.dated(path.Join("transcripts", Slug(source)), date, title)
}

// Rendering is where the English renderings of a transcript's turns lie.
func (l Layout) Rendering(transcript Path) Path {
	name := strings.TrimPrefix(string(transcript), string(l.Folder("transcripts"))+"/")
	return l.Root.Join("english", name)
}

// Review is an open proposal.
func (l Layout) Review(date, title string) Path {
	return l.Root.Join("review", date+"-"+Slug(title)+".md")
}

func (l Layout) dated(folder, date, title string) Path {
	year := "undated"
	name := Slug(title)
	if len(date) >= 4 {
		year, name = date[:4], date+"-"+name
	}
	return l.Root.Join(folder, year, name+".md")
}

// Folder returns one of memsync's folders: sessions, transcripts, facts,
// schema, memory, epochs, english, review or archive.
func (l Layout) Folder(name string) Path { return l.Root.Join(name) }

var ownFolders = []string{"schema", "facts", "sessions", "memory", "epochs", "transcripts", "english", "review", "archive"}

// Own lists every place where memsync may create and change notes: files, and
// folders with all that is in them.
func (l Layout) Own() []Path {
	own := []Path{l.Boot(), l.Profile(), l.User(), l.Forgotten()}
	for _, f := range ownFolders {
		own = append(own, l.Folder(f))
	}
	return own
}

// Owns reports whether p is a place where memsync may create and change notes.
// Everything else in the vault is the person's and only read.
func (l Layout) Owns(p Path) bool {
	switch p {
	case l.Boot(), l.Profile(), l.User(), l.Forgotten():
		return true
	}
	for _, f := range ownFolders {
		if p.Under(l.Folder(f)) {
			return true
		}
	}
	return false
}

// maxSlug is the longest slug in runes: with a date and a suffix it stays well
// below the 143 bytes that encrypted file systems leave for a name.
const maxSlug = 60

// Slug makes a file name of a title: lower case, letters and digits of any
// script, dashes between words, at most 60 runes cut at a word. It is never
// empty.
func Slug(title string) string {
	var b strings.Builder
	dash := false
	for _, r := range norm.NFKC.String(strings.ToLower(title)) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) && b.Len() > 0:
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			dash = false
			b.WriteRune(r)
		case r == '\'' || r == '’':
			// don't becomes dont
		default:
			dash = true
		}
	}
	s := cutSlug(norm.NFC.String(b.String()))
	switch strings.ToUpper(s) {
	case "":
		return "untitled"
	case "CON", "PRN", "AUX", "NUL": // names that Windows keeps for itself
		return s + "-note"
	}
	return s
}

// cutSlug cuts at a word, within 60 runes and 120 bytes.
func cutSlug(s string) string {
	if utf8.RuneCountInString(s) <= maxSlug && len(s) <= 2*maxSlug {
		return s
	}
	end, runes := 0, 0
	for i, r := range s {
		if runes++; runes > maxSlug || i+utf8.RuneLen(r) > 2*maxSlug {
			break
		}
		end = i + utf8.RuneLen(r)
	}
	if dash := strings.LastIndexByte(s[:end], '-'); dash > end/2 {
		end = dash
	}
	return strings.Trim(s[:end], "-")
}

// idAlphabet is base 32 without the letters that are read as digits.
const idAlphabet = "0123456789abcdefghjkmnpqrstvwxyz"

// ContentID makes a short, readable id of what it names: a prefix such as "f"
// or "tr" and n characters of a hash over the parts. The same parts give the
// same id on every machine.
func ContentID(prefix string, n int, parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		var size [8]byte
		binary.BigEndian.PutUint64(size[:], uint64(len(p)))
		h.Write(size[:])
		h.Write([]byte(p))
	}
	sum := h.Sum(nil)
	var b strings.Builder
	b.WriteString(prefix + "-")
	for i := range min(n, len(sum)) {
		b.WriteByte(idAlphabet[sum[i]&31])
	}
	return b.String()
}
