package privacy

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// numberKinds compete for what a number is: the nearest one before it names it.
var numberKinds = []kind{kindOther, kindOTP, kindCode, kindAccount, kindAccounts, kindCard, kindAadhaar, kindPAN, kindSSN, kindPassword}

// label is what stands before n, or right behind it ("… is my card number").
func (s *scan) label(start, end int) kind {
	if w, ok := s.before(start, reachBefore, numberKinds...); ok {
		return w.kind
	}
	if w, ok := s.after(end, reachAfter, numberKinds...); ok && connects(s.text[end:w.start], 1) {
		return w.kind
	}
	return 0
}

// loose reports whether the number at [start, end) stands for itself: it is no
// part of a word, a hash, a UUID, a path, a decimal or a handle.
func (s *scan) loose(start, end int) bool {
	if start > 0 {
		r, n := utf8.DecodeLastRuneInString(s.text[:start])
		switch {
		case unspaced(r):
		case isWord(r) || strings.ContainsRune("_/\\%&+$€£¥₹~^@", r):
			return false
		case (r == '-' || r == '.' || r == ',' || r == ':') && start > n:
			before, _ := utf8.DecodeLastRuneInString(s.text[:start-n])
			if isWord(before) && r == '-' || before >= '0' && before <= '9' {
				return false
			}
		case r == '=' && s.inURL(start):
			return false
		}
	}
	if end < len(s.text) {
		r, n := utf8.DecodeRuneInString(s.text[end:])
		switch {
		case unspaced(r):
		case isWord(r) || r == '_' || r == '\\' || r == '%' || r == '@':
			return false
		case (r == '-' || r == '.' || r == ',' || r == ':' || r == '/') && end+n < len(s.text):
			next, _ := utf8.DecodeRuneInString(s.text[end+n:])
			if isWord(next) && r == '-' || next >= '0' && next <= '9' && r != '/' {
				return false
			}
		}
	}
	return true
}

// findNumbers finds cards, Aadhaar, SSNs and account numbers.
func (s *scan) findNumbers(out []Finding) []Finding {
	for _, n := range s.numbers {
		if n.digits < 6 {
			continue
		}
		before := len(out)
		if n.digits >= 12 {
			out = s.cards(n, out)
			out = s.aadhaars(n, out)
		}
		if len(out) == before {
			out = s.ssn(n, out)
		}
		if len(out) == before {
			out = s.account(n, out)
		}
	}
	return out
}

// cardShapes are the ways in which cards are printed.
var cardShapes = [][]int{{13}, {14}, {15}, {16}, {17}, {18}, {19}, {4, 4, 4, 4}, {4, 6, 5}, {4, 6, 4}, {4, 4, 4, 4, 3}, {8, 8}, {4, 4, 4, 3}, {6, 13}, {4, 4, 4, 6}, {12}}

func (s *scan) cards(n number, out []Finding) []Finding {
	gs := s.groupsOf(n)
	for i := 0; i < len(gs); i++ {
		for _, shape := range cardShapes {
			w := window(gs, i, shape)
			if w == nil || !edges(gs, i, len(shape)) {
				continue
			}
			start, end := w[0].start, w[len(w)-1].end
			digits := s.ascii(w)
			known, common := issuer(digits)
			if !known || !luhn(digits) || !s.loose(start, end) || uniform(digits) {
				continue
			}
			label := s.label(start, end)
			if label == kindOther || label == kindAccount || label != kindCard && (!common || len(gs) > len(w)+3) {
				continue
			}
			if label != kindCard && s.inURL(start) {
				continue
			}
			confidence := 0.9
			if label == kindCard {
				confidence = 1
			}
			out = append(out, Finding{Card, start, end, "card-luhn", confidence})
			i += len(shape) - 1
			break
		}
	}
	return out
}

// window returns the groups from i on if they have the shape and one separator.
func window(gs []group, i int, shape []int) []group {
	if i+len(shape) > len(gs) {
		return nil
	}
	w := gs[i : i+len(shape)]
	for k, g := range w {
		if g.n != shape[k] || k < len(w)-1 && spacing(g.sep) != spacing(w[0].sep) {
			return nil
		}
	}
	return w
}

// edges reports whether the window of size groups at i can be cut out of its
// number: only at spaces.
func edges(gs []group, i, size int) bool {
	return (i == 0 || spacing(gs[i-1].sep) == ' ') && (i+size == len(gs) || spacing(gs[i+size-1].sep) == ' ')
}

func uniform(digits string) bool { return strings.Count(digits, digits[:1]) == len(digits) }

// issuer reports whether a number of these digits is issued by a known scheme,
// and whether the scheme is common enough to be believed without a word for it.
// The ranges are those of ISO/IEC 7812 as the schemes publish them.
func issuer(d string) (known, common bool) {
	p2, p3, p4 := num(d[:2]), num(d[:3]), num(d[:4])
	n := len(d)
	switch {
	case d[0] == '4': // Visa
		return n == 13 || n == 16 || n == 19, n == 16
	case p2 >= 51 && p2 <= 55, p4 >= 2221 && p4 <= 2720: // Mastercard
		return n == 16, n == 16
	case p2 == 34 || p2 == 37: // American Express
		return n == 15, n == 15
	case p4 == 6011, p3 >= 644 && p3 <= 649, p2 == 65, p2 == 60, p2 == 81, p2 == 82, p3 == 508: // Discover, RuPay
		return n >= 16, n == 16
	case p2 == 62: // UnionPay
		return n >= 16, n == 16 || n == 19
	case p3 >= 300 && p3 <= 305, p2 == 36, p2 == 38, p2 == 39: // Diners
		return n >= 14, n == 14
	case p4 >= 3528 && p4 <= 3589: // JCB
		return n >= 16, n == 16
	case p4 >= 2200 && p4 <= 2204, p4 == 9792: // Mir, Troy
		return n >= 16, n == 16
	case p2 == 50, p2 >= 56 && p2 <= 58, d[0] == '6': // Maestro
		return n >= 12, false
	case d[0] == '1' && n == 15: // UATP
		return true, false
	}
	return false, false
}

func num(d string) (n int) {
	for i := range len(d) {
		n = n*10 + int(d[i]-'0')
	}
	return n
}

func (s *scan) aadhaars(n number, out []Finding) []Finding {
	gs := s.groupsOf(n)
	for i := range gs {
		grouped := true
		w := window(gs, i, []int{4, 4, 4})
		if w == nil {
			w, grouped = window(gs, i, []int{12}), false
		}
		if w == nil || !edges(gs, i, len(w)) || len(gs) > len(w)+2 {
			continue
		}
		start, end := w[0].start, w[len(w)-1].end
		d := s.ascii(w)
		if d[0] < '2' || !verhoeff(d) || palindrome(d) || !s.loose(start, end) {
			continue
		}
		label := s.label(start, end)
		if grouped && label != kindAadhaar && (i > 0 && gs[i-1].n == 4 || i+3 < len(gs) && gs[i+3].n == 4) {
			continue // part of a longer row of fours
		}
		switch {
		case label == kindAadhaar || s.near(start, end, 200, kindAadhaar) && label == 0:
			out = append(out, Finding{Aadhaar, start, end, "aadhaar-verhoeff", 1})
		case label != 0 || s.inURL(start):
		case grouped || alone(s.text, start, end) && !indianPhone(d):
			// Twelve digits in a row pass by chance one time in ten, so a bare run is
			// believed only where nothing else is said.
			out = append(out, Finding{Aadhaar, start, end, "aadhaar-verhoeff", 0.7})
		}
	}
	return out
}

// alone reports whether nothing but space and punctuation surrounds [start, end).
func alone(text string, start, end int) bool {
	return len(text)-(end-start) < 40 && !strings.ContainsFunc(text[:start], isWord) && !strings.ContainsFunc(text[end:], isWord)
}

// indianPhone reports whether twelve digits are 91 and a mobile number.
func indianPhone(d string) bool { return d[:2] == "91" && d[2] >= '6' }

// invalidSSN were printed in advertisements and never issued.
var invalidSSN = []string{"078051120", "219099999", "123456789", "987654321"}

func (s *scan) ssn(n number, out []Finding) []Finding {
	gs := s.groupsOf(n)
	for i := range gs {
		w := window(gs, i, []int{3, 2, 4})
		if w == nil {
			w = window(gs, i, []int{9})
		}
		if w == nil || !edges(gs, i, len(w)) {
			continue
		}
		start, end := w[0].start, w[len(w)-1].end
		d := s.ascii(w)
		if !s.loose(start, end) || d[:3] == "000" || d[:3] == "666" || d[0] == '9' || d[3:5] == "00" || d[5:] == "0000" || slices.Contains(invalidSSN, d) || uniform(d) {
			continue
		}
		label := s.label(start, end)
		if label == kindSSN || label == 0 && len(w) == 3 && len(gs) == 3 {
			confidence := 0.8
			if label == kindSSN {
				confidence = 1
			}
			out = append(out, Finding{SSN, start, end, "us-ssn", confidence})
		}
	}
	return out
}

// account finds bank account numbers: six to twenty digits right behind the
// words for one, or nine and more beside an IFSC code.
func (s *scan) account(n number, out []Finding) []Finding {
	if n.digits > 20 || !s.loose(n.start, n.end) || s.masked(n.start) || s.amount(n.start, n.end) {
		return out
	}
	w, ok := s.before(n.start, reachBefore, numberKinds...)
	if ok && w.kind == kindAccount && connects(s.text[w.end:n.start], 2) {
		return append(out, Finding{Account, n.start, n.end, "account-label", 0.95})
	}
	one := n.n == 1 && n.digits >= 9
	if ok && w.kind == kindAccounts && one && connects(s.text[w.end:n.start], 2) {
		return append(out, Finding{Account, n.start, n.end, "account-label", 0.8})
	}
	if ok {
		return out
	}
	if w, found := s.after(n.end, reachAfter, numberKinds...); found && w.kind == kindAccount && connects(s.text[n.end:w.start], 1) {
		return append(out, Finding{Account, n.start, n.end, "account-label", 0.9})
	}
	if one && n.digits != 10 && s.nearIFSC(n.start, n.end) {
		return append(out, Finding{Account, n.start, n.end, "account-ifsc", 0.8})
	}
	return out
}

// masked reports whether the number before at is the visible end of a hidden
// one: XX1234, *4321, "ending 1234".
func (s *scan) masked(at int) bool {
	t := s.text[max(0, at-24):at]
	if strings.HasSuffix(t, "*") || strings.HasSuffix(t, "x") || strings.HasSuffix(t, "X") || strings.HasSuffix(t, "•") || strings.HasSuffix(t, "…") || strings.HasSuffix(t, "..") {
		return true
	}
	word, from := s.wordBefore(at)
	if word == "in" || word == "with" || word == "en" || word == "auf" || word == "por" || word == "digits" || word == "four" || word == "4" {
		word, _ = s.wordBefore(from)
	}
	switch word {
	case "ending", "ends", "end", "last", "endend", "endet", "terminada", "termina", "terminado", "terminant", "finissant", "оканчивающийся", "заканчивается":
		return true
	}
	return false
}

// currencies before and behind amounts.
var currencies = set(`rs rs. inr usd eur gbp ₹ $ € £ ¥ rupees rupee rupaye rupaiye rubles рублей руб руб. евро dollars dollar euros euro pounds bucks yen zł zl kč kc kr huf chf cad aud aed sar try tl ₺ rp idr vnd đ 元 円 원 रुपये रुपए रु %`)

// amount reports whether [start, end) is a sum of money.
func (s *scan) amount(start, end int) bool {
	if word, _ := s.wordBefore(start); currencies[word] || currencies[strings.TrimRight(word, ".")] {
		return true
	}
	t := s.text[end:]
	if strings.HasPrefix(t, "/-") || currencies[s.wordAfter(end)] {
		return true
	}
	r, _ := utf8.DecodeRuneInString(t)
	if currencies[string(r)] {
		return true
	}
	r, _ = utf8.DecodeLastRuneInString(strings.TrimRight(s.text[:start], " "))
	return r != utf8.RuneError && currencies[string(r)]
}
