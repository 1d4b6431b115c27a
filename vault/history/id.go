package history

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"strconv"
)

// An ID is the SHA-1 by which git names a commit, a tree or a blob.
type ID [20]byte

// String is the ID in hexadecimal, 40 digits.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// Short is the ID as people read it, 10 digits.
func (id ID) Short() string { return id.String()[:10] }

// IsZero reports whether id names nothing.
func (id ID) IsZero() bool { return id == ID{} }

// MarshalText writes the ID in hexadecimal, so that JSON shows it as git does.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (id *ID) UnmarshalText(text []byte) error {
	got, err := parseID(string(text))
	*id = got
	return err
}

func parseID(text string) (ID, error) {
	var id ID
	if len(text) != 2*len(id) {
		return ID{}, fmt.Errorf("%q is not an object id", text)
	}
	if _, err := hex.Decode(id[:], []byte(text)); err != nil {
		return ID{}, fmt.Errorf("%q is not an object id", text)
	}
	return id, nil
}

// A kind is a type of git object.
type kind string

const (
	kindCommit kind = "commit"
	kindTree   kind = "tree"
	kindBlob   kind = "blob"
	kindTag    kind = "tag"
)

// header is what git puts before an object's content, both where it names it and
// where it stores it.
func header(k kind, size int) []byte {
	b := append([]byte(k), ' ')
	b = strconv.AppendInt(b, int64(size), 10)
	return append(b, 0)
}

// idOf returns the id of an object.
func idOf(k kind, content []byte) ID {
	h := sha1.New()
	h.Write(header(k, len(content)))
	h.Write(content)
	return ID(h.Sum(nil))
}
