package vault

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Forgotten remembers what the person removed, without saying what it was, so
// that no pass and no other machine learns it again. It is a file of lines in
// the vault: a salt, then one hash a line.
type Forgotten struct {
	salt   []byte
	hashes map[string]bool
}

const forgottenHead = "# What was removed from this memory, as salted hashes, so that it is not learned again.\n"

// ParseForgotten reads the file's bytes. Lines that it does not know are passed
// over; a file without a salt gives an empty set.
func ParseForgotten(raw []byte) *Forgotten {
	f := &Forgotten{hashes: map[string]bool{}}
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSpace(line)
		switch salt, isSalt := strings.CutPrefix(line, "salt "); {
		case isSalt && f.salt == nil:
			f.salt, _ = hex.DecodeString(salt)
		case len(line) == 2*sha256.Size:
			f.hashes[line] = true
		}
	}
	return f
}

// NewForgotten makes an empty set with a salt from r; nil means the system's
// source of chance.
func NewForgotten(r io.Reader) (*Forgotten, error) {
	if r == nil {
		r = rand.Reader
	}
	salt := make([]byte, 16)
	if _, err := io.ReadFull(r, salt); err != nil {
		return nil, fmt.Errorf("salt: %w", err)
	}
	return &Forgotten{salt: salt, hashes: map[string]bool{}}, nil
}

// Add remembers a claim's text, and the quotes that prove it. It reports whether
// anything was new.
func (f *Forgotten) Add(texts ...string) bool {
	added := false
	for _, t := range texts {
		h := f.hash(t)
		added = added || !f.hashes[h]
		f.hashes[h] = true
	}
	return added
}

// Remove takes texts back that were added, and reports whether any was there.
func (f *Forgotten) Remove(texts ...string) bool {
	had := false
	for _, t := range texts {
		h := f.hash(t)
		had = had || f.hashes[h]
		delete(f.hashes, h)
	}
	return had
}

// Undo takes back what a change of the file made of before: what it added goes, and
// what it took off is back. It reports whether anything was. Two files of other
// salts have no text in common that could be told.
func (f *Forgotten) Undo(before, after *Forgotten) bool {
	changed := false
	set := func(from *Forgotten, but *Forgotten, has bool) {
		if !bytes.Equal(from.salt, f.salt) {
			return
		}
		for h := range from.hashes {
			if but.hashes[h] && bytes.Equal(but.salt, from.salt) || f.hashes[h] == has {
				continue
			}
			changed = true
			if has {
				f.hashes[h] = true
			} else {
				delete(f.hashes, h)
			}
		}
	}
	set(after, before, false)
	set(before, after, true)
	return changed
}

// Has reports whether a text was removed before. Case, white space and the full
// stop at the end do not count.
func (f *Forgotten) Has(text string) bool { return len(f.hashes) > 0 && f.hashes[f.hash(text)] }

// Len is the number of hashes.
func (f *Forgotten) Len() int { return len(f.hashes) }

// HasSalt reports whether the set was read from a file with a salt.
func (f *Forgotten) HasSalt() bool { return len(f.salt) > 0 }

// Bytes is the file, in an order that merges well.
func (f *Forgotten) Bytes() []byte {
	var b strings.Builder
	b.WriteString(forgottenHead + "salt " + hex.EncodeToString(f.salt) + "\n")
	lines := make([]string, 0, len(f.hashes))
	for h := range f.hashes {
		lines = append(lines, h)
	}
	slices.Sort(lines)
	for _, h := range lines {
		b.WriteString(h + "\n")
	}
	return []byte(b.String())
}

func (f *Forgotten) hash(text string) string {
	folded := cases.Fold().String(norm.NFKC.String(Fold(text)))
	mac := hmac.New(sha256.New, f.salt)
	mac.Write([]byte(strings.TrimRight(folded, ".!")))
	return hex.EncodeToString(mac.Sum(nil))
}
