package privacy

import (
	"encoding/base64"
	"encoding/json"
	"strings"
)

// keys finds API keys and tokens: by their own prefix, by the label that
// assigns them, and private keys by their frame.
func (s *scan) keys(out []Finding) []Finding {
	for _, w := range s.hits {
		switch w.kind {
		case kindPrefix:
			if f, ok := s.prefixed(w); ok {
				out = append(out, f)
			}
		case kindPEM:
			if f, ok := s.pem(w); ok {
				out = append(out, f)
			}
		case kindKey, kindProvider:
			if f, ok := s.assigned(w); ok {
				out = append(out, f)
			}
		}
	}
	return out
}

func (s *scan) prefixed(w hit) (Finding, bool) {
	r := keyRules[w.arg]
	if !r.anyCase && s.text[w.start:w.end] != r.prefix {
		return Finding{}, false
	}
	end := w.end
	for end < len(s.text) && end-w.end <= r.max && strings.IndexByte(r.set, s.text[end]) >= 0 {
		end++
	}
	for end > w.end && strings.IndexByte(".-", s.text[end-1]) >= 0 && end-w.end > r.min { // a full stop behind the key
		end--
	}
	body := s.text[w.end:end]
	if len(body) < r.min || len(body) > r.max || end < len(s.text) && (alnum(s.text[end]) || s.text[end] == '_' && r.max < 100) {
		return Finding{}, false
	}
	least := r.entropy
	if least == 0 {
		least = min(2.5, entropyOf(len(body)))
	}
	if entropy(body) < least || placeholder(body) || r.check != nil && !r.check(body) {
		return Finding{}, false
	}
	start := w.start
	switch r.name {
	case "telegram": // the bot's number is part of the token
		for start > 0 && digit(s.text[start-1]) {
			start--
		}
		if n := w.start - start; n < 5 || n > 16 {
			return Finding{}, false
		}
	case "azure":
		if start -= 3; start < 0 {
			return Finding{}, false
		}
	case "terraform":
		for start > 0 && alnum(s.text[start-1]) {
			start--
		}
	case "slack-webhook", "discord-webhook", "teams-webhook": // the address alone is no secret
		start = w.end
	}
	return Finding{Key, start, end, r.name, 0.95}, true
}

// entropyOf is what a short random body can be asked for: a body of n bytes has
// at most log2 n bits per byte, and random ones come near.
func entropyOf(n int) float64 {
	switch {
	case n < 8:
		return 1
	case n < 12:
		return 2
	}
	return 2.5
}

func notExample(body string) bool { return !strings.HasSuffix(body, "EXAMPLE") }

// noUnderscoreWords asks for capitals and small letters both: hf_ also begins
// names in programs.
func noUnderscoreWords(body string) bool {
	return strings.ToLower(body) != body && strings.ToUpper(body) != body
}

func authress(body string) bool { return strings.Contains(body, ".acc") }

// jwt asks for three parts of which the first decodes to a JSON object that
// names an algorithm or a type.
func jwt(body string) bool {
	parts := strings.Split("eyJ"+body, ".")
	if len(parts) < 2 || len(parts[1]) < 8 {
		return false
	}
	// Made-up or cut headers do not decode; two long base64url parts that both begin
	// like JSON are a token all the same.
	if len(parts) == 3 && strings.HasPrefix(parts[1], "eyJ") {
		return true
	}
	head, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(parts[0], "="))
	if err != nil {
		return false
	}
	var header map[string]any
	if json.Unmarshal(head, &header) != nil {
		return false
	}
	return header["alg"] != nil || header["enc"] != nil || header["typ"] != nil
}

// pem finds a private key from its first line to its last, or to the end of its
// body where the last line is missing.
func (s *scan) pem(w hit) (Finding, bool) {
	rest := s.text[w.start:min(len(s.text), w.start+longPEM)]
	line := rest[:min(len(rest), 100)]
	head := strings.Index(line[10:], "-----")
	if head < 0 || !strings.Contains(line[:10+head], "PRIVATE KEY") {
		return Finding{}, false
	}
	from := 10 + head + 5
	if next := strings.Index(rest[from:], "-----BEGIN "); next >= 0 {
		rest = rest[:from+next]
	}
	if end := strings.Index(rest[from:], "-----END "); end >= 0 {
		tail := from + end + len("-----END ")
		if k := strings.Index(rest[tail:], "-----"); k >= 0 && k < 80 {
			if !hasBody(rest[from : from+end]) {
				return Finding{}, false
			}
			return Finding{PrivateKey, w.start, w.start + tail + k + 5, "pem", 1}, true
		}
	}
	end := from
	for end < len(rest) && (strings.IndexByte(base64Set, rest[end]) >= 0 || strings.IndexByte(" \r\n\\-:,", rest[end]) >= 0) {
		end++
	}
	if !hasBody(rest[from:end]) {
		return Finding{}, false
	}
	return Finding{PrivateKey, w.start, w.start + len(strings.TrimRight(rest[:end], " \r\n")), "pem-cut", 0.9}, true
}

// longPEM bounds a private key, in bytes: an RSA key of 16,384 bits takes 12 KiB.
const longPEM = 32 << 10

// hasBody reports whether a frame holds a key and no dots or words in its place.
func hasBody(body string) bool {
	longest, run := 0, 0
	for i := range len(body) {
		if strings.IndexByte(base64Set, body[i]) >= 0 {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	return longest >= 24
}

// assigned finds what a label of the kind key, or a provider's name, is given:
// long, mixed, of high entropy.
func (s *scan) assigned(w hit) (Finding, bool) {
	t := s.text
	at := w.end
	if s.inURL(w.start) && (at == len(t) || t[at] != '=') || at+1 < len(t) && t[at] == '.' && letter(t[at+1]) {
		return Finding{}, false // a part of an address, a member
	}
	// The label may go on: api_key_prod, twitter bearer token. Twenty bytes as a name has them.
	tail := at
	for tail < len(t) && tail-at < 24 && (alnum(t[tail]) || strings.IndexByte("_-. ", t[tail]) >= 0) {
		tail++
	}
	v, ok := value{}, false
	if rest := strings.TrimLeft(t[tail:], "\"'` \t])"); tail > at && (strings.HasPrefix(rest, "=") || strings.HasPrefix(rest, ":")) {
		v, ok = s.valueAfter(tail, 0)
	}
	if !ok && w.kind == kindProvider {
		v, ok = s.operator(tail)
	}
	if !ok {
		v, ok = s.valueAfter(at, 5)
	}
	if !ok && w.kind == kindKey {
		v, ok = s.bearer(at)
	}
	if !ok {
		return Finding{}, false
	}
	if w.kind == kindProvider && !v.assigned {
		return Finding{}, false
	}
	if scheme := lowerASCII(t[v.start:v.end]); schemes[scheme] {
		if v, ok = s.bearer(v.end); !ok {
			return Finding{}, false
		}
	}
	// A value in prose may go on with punctuation that no key has.
	end := v.start
	for end < v.end && strings.IndexByte(anySet+":|", t[end]) >= 0 {
		end++
	}
	if end < v.end && strings.IndexByte(";&,)'\"<>\\]}", t[end]) < 0 {
		return Finding{}, false
	}
	body := t[v.start:end]
	if w.kind == kindProvider && uuid(body) && uuidProviders[lowerASCII(t[w.start:w.end])] {
		return Finding{Key, v.start, end, "provider-uuid", 0.7}, true
	}
	if !random(body, w.kind == kindKey || strings.ContainsAny(lowerASCII(t[at:tail]), "kt")) || placeholder(body) || s.marked(v.start, end) {
		return Finding{}, false
	}
	name := "key-label"
	if w.kind == kindProvider {
		name = "provider-label"
	}
	return Finding{Key, v.start, end, name, 0.75}, true
}

// schemes are the words between "Authorization:" and its value.
var schemes = set(`basic bearer token apikey`)

// uuidProviders write their keys as UUIDs, which otherwise are no secrets.
var uuidProviders = set(`heroku hubspot kucoin sendbird squarespace messagebird message-bird message_bird snyk`)

// operator finds a value behind the rarer signs of assignment: ?=, ||, >, a comma
// between two strings.
func (s *scan) operator(at int) (value, bool) {
	t := s.text
	i := at
	for i < len(t) && i-at < 4 && strings.IndexByte("\"'` \t)]", t[i]) >= 0 {
		i++
	}
	from := i
	for i < len(t) && i-from < 3 && strings.IndexByte("=>?|,:", t[i]) >= 0 {
		i++
	}
	if i == from {
		return value{}, false
	}
	for i < len(t) && (t[i] == ' ' || t[i] == '=') {
		i++
	}
	if i == len(t) {
		return value{}, false
	}
	return s.take(i, value{assigned: true})
}

// bearer finds the token of an HTTP header: "Bearer …", "Basic …", or a key that
// stands right behind its label.
func (s *scan) bearer(at int) (value, bool) {
	i := at
	for i < len(s.text) && s.text[i] == ' ' {
		i++
	}
	if i == at || i == len(s.text) {
		return value{}, false
	}
	v, ok := s.take(i, value{})
	return v, ok && strong(s.text[v.start:v.end])
}

// random reports whether body is built like a generated key. The entropy that is
// asked for grows with what the length can give: text and names stay below it.
func random(body string, labelled bool) bool {
	n := len(body)
	if n < 14 || n > 512 || strings.Contains(body, "://") || strings.Count(body, "/") > 4 && n < 80 || strings.HasPrefix(body, "http") || strings.HasPrefix(body, "/") {
		return false
	}
	var digits, lower, capital, signs int
	for i := range n {
		switch b := body[i]; {
		case digit(b):
			digits++
		case b >= 'a' && b <= 'z':
			lower++
		case b >= 'A' && b <= 'Z':
			capital++
		default:
			signs++
		}
	}
	if digits == 0 && (lower == 0 || capital == 0 || n < 24) || digits == n && !labelled || digits == n && n < 16 {
		return false
	}
	if digits == n || !labelled && n < 16 {
		return false
	}
	if readable(body) {
		return false
	}
	h := entropy(body)
	switch {
	case uuid(body):
		return labelled
	case strings.Trim(body, hexSet) == "":
		return h >= 2.8
	case n < 20:
		return h >= 3.1
	case n < 32:
		return h >= 3.4
	}
	return h >= 3.7
}

// readable reports whether body is words joined by signs, as a slug, a path or a
// name in a program is: more than half of it in runs of at least four letters of
// one case, or more than six tenths in runs of three. Random letters come near
// neither, and have fewer vowels.
func readable(body string) bool {
	long, short, run, vowels := 0, 0, 0, 0
	flush := func() {
		if run >= 4 {
			long += run
		}
		if run >= 3 {
			short += run
		}
		run = 0
	}
	for i := range len(body) {
		b := body[i]
		switch {
		case b >= 'a' && b <= 'z':
			run++
		case b >= 'A' && b <= 'Z': // a capital begins a word
			flush()
			run = 1
		default:
			flush()
			continue
		}
		if strings.IndexByte("aeiouyAEIOUY", b) >= 0 {
			vowels++
		}
	}
	flush()
	return vowels*5 > short && (long*2 > len(body) || short*10 > len(body)*6)
}

func uuid(s string) bool {
	return len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-' && strings.Trim(s, hexSet+"-") == ""
}
