package privacy

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A value is what a sentence or an assignment gives for a label.
type value struct {
	start, end int
	quoted     bool
	assigned   bool // behind ":" or "=", not behind "is" or nothing
	stated     bool // behind a copula
	last       bool // nothing but punctuation follows on the line
	ended      bool // the sentence ends behind it
}

// labelReach is how far behind its label a value may begin, in bytes: "password
// for the guest network upstairs is …".
const labelReach = 64

// valueAfter finds the value that belongs to the label ending at: behind ":",
// "=" or a copula after at most free other words, or right at the label.
func (s *scan) valueAfter(at, free int) (value, bool) {
	t := s.text
	v := value{}
	i := at
	words := 0
	for i < len(t) && i-at <= labelReach {
		switch b := t[i]; {
		case b == '\n' || b == '\r':
			return v, v.assigned && false
		case b == ' ' || b == '\t' || b == '*' || b == '`' && !v.assigned && words == 0 && i == at:
			i++
			continue
		case b == ':' || b == '=':
			v.assigned = true
			i++
			if b == '=' && i < len(t) && (t[i] == '=' || t[i] == '~') {
				return v, false // a comparison
			}
			if i < len(t) && t[i] == '>' {
				i++
			}
			if b == ':' && strings.HasPrefix(t[i:], "//") {
				return v, false
			}
			continue
		case b == '-' && i+1 < len(t) && (t[i+1] == '>' || t[i+1] == ' '):
			v.assigned = v.assigned || t[i+1] == '>' || i > at
			i += 2
			continue
		case b == ')' || b == ']' || (b == '"' || b == '\'') && i == at:
			i++
			continue
		case b == '?' || b == '!' || b == ';':
			return v, false
		case (b == '.' || b == ',') && i+1 < len(t) && t[i+1] == ' ':
			return v, false
		}
		r, size := utf8.DecodeRuneInString(t[i:])
		switch r {
		case '：', '＝', '→', '—', '–':
			v.assigned = true
			i += size
			continue
		case '?', '？', '。', '।':
			return v, false
		case '\u00a0', '\u3000':
			i += size
			continue
		}
		if v.stated && !v.assigned {
			if word, end := s.word(i); adverbs[strings.ToLower(word)] {
				i = end
				continue
			}
		}
		if v.assigned || v.stated {
			return s.take(i, v)
		}
		word, end := s.word(i)
		low := strings.ToLower(word)
		switch {
		case says(word) || low == "to" && words <= 1 || low == "auf" || low == "en" && words > 2:
			v.stated = true
			i = end
			// A particle hangs on its value: "密码是abc", "パスワードはabc".
			continue
		case words == 0 && !connectors[low]:
			if w, ok := s.take(i, v); ok && loud(t[w.start:w.end]) && !w.quoted && !s.blockID(w) {
				return w, true // "password Kite-Runner-08"
			}
		case words > 0 && len(word) > 3:
			if w, ok := s.take(i, v); ok && loud(t[w.start:w.end]) && connects(t[at:i], 1) && !s.blockID(w) {
				return w, true // "пароль от вайфая berezka77"
			}
		}
		if !connectors[low] {
			if words++; words > free {
				return v, false
			}
		}
		i = end
	}
	return v, false
}

// blockID reports whether v is the mark that a note may put at a line's end so
// that links lead there: "- Argon2 for password hashing ^f-4k7q". Nothing gives it
// as a value, and everybody may see it.
func (s *scan) blockID(v value) bool {
	id, ok := strings.CutPrefix(s.text[v.start:v.end], "^")
	return ok && v.last && id != "" && strings.Trim(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") == "" &&
		v.start > 0 && (s.text[v.start-1] == ' ' || s.text[v.start-1] == '\t')
}

// adverbs may stand between a copula and its value.
var adverbs = set(`now currently still just set changed to again simply temporarily jetzt nun aktuell einfach ahora simplemente maintenant désormais adesso ora agora теперь сейчас अब ab abhi nu teraz`)

// word returns the word at i; a script that hangs particles on words ends it early.
func (s *scan) word(i int) (string, int) {
	t := s.text
	r, size := utf8.DecodeRuneInString(t[i:])
	j := i + size
	if unspaced(r) {
		for j < len(t) {
			r, size := utf8.DecodeRuneInString(t[j:])
			if !unspaced(r) {
				break
			}
			j += size
		}
		return t[i:j], j
	}
	for j < len(t) && strings.IndexByte(" \t\r\n:=", t[j]) < 0 {
		j++
	}
	return t[i:j], j
}

// quotes pairs what opens a quotation with what closes it.
var quotes = map[rune]string{'"': `"`, '\'': "'", '`': "`", '“': "”", '„': "“", '«': "»", '「': "」", '『': "』", '‘': "’", '<': ">"}

// take reads the value that begins at i.
func (s *scan) take(i int, v value) (value, bool) {
	t := s.text
	r, size := utf8.DecodeRuneInString(t[i:])
	if closing, ok := quotes[r]; ok && r != '<' {
		rest := t[i+size : min(len(t), i+size+120)]
		if k := strings.Index(rest, closing); k > 0 && !strings.Contains(rest[:k], "\n") {
			v.start, v.end, v.quoted = i+size, i+size+k, true
			v.last, v.ended = s.tail(v.end + len(closing))
			return v, !s.marked(v.start, v.end)
		}
		i += size
	}
	ascii := i < len(t) && t[i] < utf8.RuneSelf
	j := i
	for j < len(t) && j-i < 256 {
		r, size := utf8.DecodeRuneInString(t[j:])
		if unicode.IsSpace(r) || r == '"' || r == '`' || r == '”' || r == '»' || r == '，' || r == '。' || r == '、' || r == '」' || r == '।' {
			break
		}
		if ascii && unspaced(r) {
			break
		}
		j += size
	}
	for j > i && strings.IndexByte(".,;:)]}?'", t[j-1]) >= 0 {
		j--
	}
	for _, emphasis := range []string{"**", "__"} { // markdown closes around the value
		if k := j - len(emphasis); k > i && t[k:j] == emphasis && !strings.HasPrefix(t[i:], emphasis) {
			j = k
		}
	}
	if j == i {
		return v, false
	}
	v.start, v.end = i, j
	v.last, v.ended = s.tail(j)
	return v, !s.marked(i, j)
}

// tail says whether the line, or at least the sentence, ends at i.
func (s *scan) tail(i int) (line, sentence bool) {
	rest := s.text[i:]
	for k, r := range rest {
		switch {
		case r == '\n' || r == '\r':
			return true, true
		case r == ' ' && k > 0 && strings.ContainsRune(".!,;", rune(rest[k-1])):
			return false, rest[k-1] != ',' || true
		case strings.ContainsRune(" \t.,;!)]}\"'`*”»。!", r):
		default:
			return false, false
		}
	}
	return true, true
}

// strong reports whether v looks like a password and like no word: letters with
// digits, with signs, or with capitals inside.
func strong(v string) bool {
	if len(v) < 4 || algorithm(v) {
		return false
	}
	var lower, capital, inner, digits, signs bool
	for i, r := range v {
		switch {
		case unicode.IsDigit(r):
			digits = true
		case unicode.IsUpper(r):
			capital = true
			inner = inner || i > 0 && lower
		case unicode.IsLetter(r):
			lower = true
		case strings.ContainsRune("!@#$%^&*_+=~?", r):
			signs = signs || i > 0 && i < len(v)-1 || r == '!'
		}
	}
	words := lower || capital
	switch {
	case words && digits:
		return !ordinal(v)
	case words && signs:
		return !identifier(v)
	case inner:
		return !identifier(v)
	}
	return false
}

// loud is strong without the passwords that could be a product's name (OneNote).
func loud(v string) bool {
	return strong(v) && strings.ContainsFunc(v, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != '.' && r != '/' })
}

// identifier reports whether v is a name of a program: snake_case, camelCase.
func identifier(v string) bool {
	for _, r := range v {
		if !(r == '_' || r == '.' || unicode.IsLetter(r)) {
			return false
		}
	}
	return strings.ContainsAny(v, "_.") && strings.ToLower(v) == v || unicode.IsLower(firstRune(v))
}

// ordinal reports whether v is a number with a unit: 12th, 5pm, 24h, 16-bit.
func ordinal(v string) bool {
	i := 0
	for i < len(v) && (digit(v[i]) || v[i] == '.' || v[i] == ',') {
		i++
	}
	return i > 0 && len(v)-i <= 3 && i <= 4 && strings.Trim(v[i:], "abcdefghijklmnopqrstuvwxyz+%") == "" || strings.HasSuffix(v, "-bit") || strings.HasSuffix(v, "-digit")
}

// algorithm reports whether v names a scheme or a product whose name has digits.
func algorithm(v string) bool {
	v = lowerASCII(strings.Trim(v, "-.,"))
	for _, p := range []string{"sha1", "sha-1", "sha2", "sha256", "sha-256", "sha512", "sha-512", "sha3", "md5", "pbkdf2", "argon2", "aes", "base64", "utf8", "utf-8", "oauth2", "2fa", "wpa2", "wpa3", "1password", "k8s", "sha", "hmac", "rfc", "http2", "s3", "ec2", "rsa"} {
		if rest, ok := strings.CutPrefix(v, p); ok && strings.Trim(rest, "-0123456789") == "" || v == p+"id" || v == p+"-hashed" {
			return true
		}
	}
	return false
}

// entropy is Shannon's, in bits per byte.
func entropy(v string) float64 {
	var count [256]int
	for i := range len(v) {
		count[v[i]]++
	}
	e := 0.0
	for _, c := range count {
		if c > 0 {
			p := float64(c) / float64(len(v))
			e -= p * math.Log2(p)
		}
	}
	return e
}

// placeholder reports whether v stands for a value that is not there.
func placeholder(v string) bool {
	low := lowerASCII(v)
	switch {
	case strings.Trim(v, "*•.xX_-…?") == "":
		return true
	case strings.HasPrefix(v, "<") || strings.HasPrefix(v, "${") || strings.HasPrefix(v, "$(") || strings.HasPrefix(v, "{") || strings.HasPrefix(v, "[") || strings.HasPrefix(v, "%("):
		return true
	case strings.HasPrefix(v, "$") && strings.ToUpper(v) == v && letters(strings.ReplaceAll(v[1:], "_", "")):
		return true
	case strings.Contains(low, "your") || strings.Contains(low, "example") || strings.Contains(low, "placeholder") || strings.Contains(low, "redacted") || strings.Contains(low, "changeme") || strings.Contains(low, "xxxx"):
		return true
	case strings.Contains(v, "%s") || strings.Contains(v, "%v") || strings.Contains(v, "%d") || strings.Contains(v, "%w"):
		return true // a format
	case strings.HasPrefix(v, "&") && letters(v[1:]):
		return true // an address
	case strings.Contains(v, "[") && strings.IndexByte(v, '[') > 0 && letter(v[strings.IndexByte(v, '[')-1]) && !strings.ContainsAny(v, "!@#$^"):
		return true // an index
	case strings.Contains(v, "(") && strings.IndexByte(v, '(') > 0 && letter(v[strings.IndexByte(v, '(')-1]) || strings.Contains(v, "[\"") || strings.Contains(v, "['"):
		return true // a call, an index
	case dotted(low):
		return true
	case (strings.Contains(low, "password") || strings.Contains(low, "passwort")) && identifierOrWord(low):
		return true // "mysecretpassword" in a program's tests
	case hashed(low):
		return true
	}
	return false
}

func identifierOrWord(v string) bool {
	return strings.Trim(v, "abcdefghijklmnopqrstuvwxyz_-") == ""
}

// hashed reports whether v is a password's hash in one of the usual notations.
func hashed(v string) bool {
	for _, p := range []string{"$2a$", "$2b$", "$2y$", "$argon2", "$1$", "$5$", "$6$", "$y$", "pbkdf2:", "pbkdf2_", "scrypt:", "bcrypt", "{ssha}", "{sha}"} {
		if strings.HasPrefix(v, p) {
			return true
		}
	}
	return false
}

// dotted reports whether v is a path in a program: req.body.password.
func dotted(v string) bool {
	if !strings.Contains(v, ".") {
		return false
	}
	for _, r := range v {
		if !(r == '_' || r == '.' || unicode.IsLetter(r)) {
			return false
		}
	}
	return true
}
