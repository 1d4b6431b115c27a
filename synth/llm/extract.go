package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/memsync/memsync/vault/lazyregexp"
)

// ErrCut is what Extract returns for JSON that breaks off.
var ErrCut = errors.New("the JSON breaks off before its end")

// errNoJSON is what Extract returns for a text without an object.
var errNoJSON = errors.New("there is no JSON object in it")

// thinking is what some models write before they answer.
var thinking = lazyregexp.New(`(?is)^\s*<(think|thinking|reasoning)>.*?</(?:think|thinking|reasoning)>`)

// Extract returns the JSON object in a reply. It cuts off thoughts, code fences
// and prose around the object and mends what can be mended in one way only: a
// comma before a closing bracket, a raw line break or tab in a string. It adds no
// bracket and no quote: what breaks off is asked for again.
func Extract(text string) ([]byte, error) {
	text = strings.TrimPrefix(strings.ToValidUTF8(text, "\uFFFD"), "\ufeff")
	text = thinking.ReplaceAllString(text, "")
	cut := false
	for from := 0; ; {
		i := strings.IndexByte(text[from:], '{')
		if i < 0 {
			break
		}
		from += i
		end, mended := scan(text[from:])
		if end < 0 {
			cut = true
			from++
			// A brace in prose opens no object; only one that is followed by a
			// key can have been cut.
			if !opensObject(text[from:]) {
				cut = false
				continue
			}
			break
		}
		if raw := bytes.TrimSpace(mended); json.Valid(raw) {
			return raw, nil
		}
		from++
	}
	if cut {
		return nil, ErrCut
	}
	return nil, errNoJSON
}

func opensObject(after string) bool {
	after = strings.TrimLeft(after, " \t\r\n")
	return after == "" || after[0] == '"' || after[0] == '}'
}

// scan copies the object at the start of text, mended, and returns where it ends;
// -1 where it does not.
func scan(text string) (end int, mended []byte) {
	depth, inString := 0, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		if inString {
			switch {
			case c == '\\' && i+1 < len(text):
				mended = append(mended, c, text[i+1])
				i++
				continue
			case c == '"':
				inString = false
			case c < 0x20:
				mended = append(mended, escapes[c]...)
				continue
			}
			mended = append(mended, c)
			continue
		}
		switch c {
		case '"':
			inString = true
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if trimmed := bytes.TrimRight(mended, " \t\r\n"); bytes.HasSuffix(trimmed, []byte(",")) {
				mended = trimmed[:len(trimmed)-1]
			}
		}
		mended = append(mended, c)
		if depth == 0 {
			return i + 1, mended
		}
	}
	return -1, nil
}

// escapes are how JSON writes control characters.
var escapes = func() [0x20]string {
	var e [0x20]string
	for c := range e {
		raw, err := json.Marshal(string(rune(c)))
		if err != nil {
			panic(err) // a control character
		}
		e[c] = strings.Trim(string(raw), `"`)
	}
	return e
}()
