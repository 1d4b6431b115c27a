package whatsapp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/lazyregexp"
)

// maxShapes bounds the shapes that are told apart in one file. A file of one
// export has one; quotes bring a few more.
const maxShapes = 64

// A file of several exports is told from a chat with quotes by these: one
// shape with two thirds of the headers, the first among them, owns the file;
// another is accepted beside it where it has at least ten headers, and they are
// a third of all, or it takes over for good.
const (
	ownerShare   = 2.0 / 3
	partnerShare = 1.0 / 3
	takeover     = 10
)

// A chat is between two where its file is named after one of them, and of at
// least so many headers all but a few, or one in fifty, name the two.
const (
	coupleHeaders = 20
	coupleOthers  = 3
)

// A plan is what the first reading decided about a file.
type plan struct {
	shapes map[shape]*reading
	// total counts headers of accepted shapes.
	total int
	// crlf says that messages end in CRLF and lines within them in LF, as iOS
	// writes them.
	crlf bool
	// mixed says that several exports were put together, so that time may run
	// in any direction.
	mixed bool
	// doubts are sentences about the whole file.
	doubts []string
	marks  markStats
	// main is the shape that most headers have.
	main shape
	// contact is the other person of a chat between two, where the file's
	// name says who it is.
	contact string
	pair    [2]string
}

// A reading is how the headers of one shape are to be understood.
type reading struct {
	shape
	accepted bool
	n        int
	// firstLine and lastLine bound the lines that have the shape.
	firstLine, lastLine int
	afterCRLF           int
	order               order
	orders              orderStats
	words               wordStats
	meaning             map[string]period
	upper               int
	names               names
}

// survey reads a file once and decides. title is the chat's name after the
// file's, empty where it has none.
func survey(r io.Reader, title string) (*plan, error) {
	p := &plan{shapes: map[shape]*reading{}}
	lines := newLineReader(r)
	firstShape := shape{}
	wasCRLF := true
	for {
		l, err := lines.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if !l.start {
			continue
		}
		body := l.body()
		text := string(body[:min(len(body), maxHeader)])
		h, ok := scanHeader(text)
		if ok {
			if len(p.shapes) == 0 {
				firstShape = h.shape
			}
			p.add(&h, text, l.number, wasCRLF)
		}
		rest := text
		if ok {
			rest = text[h.rest:]
		}
		p.marks.add(rest, ok)
		wasCRLF = bytes.HasSuffix(l.text, []byte("\r\n"))
	}
	p.accept(firstShape)
	p.resolve(title)
	return p, nil
}

func (p *plan) add(h *header, text string, number int, afterCRLF bool) {
	r := p.shapes[h.shape]
	if r == nil {
		if len(p.shapes) == maxShapes {
			return
		}
		r = &reading{shape: h.shape, firstLine: number}
		p.shapes[h.shape] = r
	}
	r.n++
	r.lastLine = number
	if afterCRLF {
		r.afterCRLF++
	}
	r.orders.add(h, nameDay(text[h.rest:]))
	r.words.add(h)
	if h.after && strings.Contains(text[:h.rest], "M") {
		r.upper++
	}
	r.names.add(text[h.rest:])
}

// mediaName finds the day in names that WhatsApp gives to media:
// IMG-20220323-WA0002.jpg and 00000035-PHOTO-2022-03-27-21-41-55.jpg.
var mediaName = lazyregexp.New(`-(20\d\d)-?(\d\d)-?(\d\d)-(?:WA\d{4}|\d\d-\d\d-\d\d)`)

func nameDay(text string) int {
	if !strings.Contains(text, "-20") {
		return 0
	}
	m := mediaName.FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	year, _ := strconv.Atoi(m[1])
	month, _ := strconv.Atoi(m[2])
	day, _ := strconv.Atoi(m[3])
	return dayNumber(year, month, day)
}

// accept decides which shapes are headers of this file.
func (p *plan) accept(first shape) {
	var owner *reading
	for _, r := range p.shapes {
		if r.fields < first.fields {
			continue
		}
		if owner == nil || r.n > owner.n || r.n == owner.n && r.firstLine < owner.firstLine {
			owner = r
		}
	}
	if owner == nil {
		return
	}
	p.main = owner.shape
	counted := 0
	for _, r := range p.shapes {
		counted += r.n
	}
	owned := float64(owner.n) >= ownerShare*float64(counted) && first == owner.shape
	accepted := 0
	for _, r := range p.shapes {
		switch {
		case r == owner:
			r.accepted = true
		case r.fields < owner.fields:
			// Without a year: the form in which WhatsApp copies messages.
		case !owned && r.shape == first:
			r.accepted = true
		case r.n >= takeover && float64(r.n) >= partnerShare*float64(counted):
			r.accepted = true
		case !owned && float64(owner.n) < ownerShare*float64(counted):
			r.accepted = true
		case r.n >= takeover && (r.firstLine > owner.lastLine || r.lastLine < owner.firstLine):
			r.accepted = true
		}
		if r.accepted {
			accepted++
			p.total += r.n
		}
	}
	if p.mixed = accepted > 1; p.mixed {
		p.doubts = append(p.doubts, fmt.Sprintf("headers of %d forms stand in one file; it was read as several exports put together", accepted))
	}
}

// resolve decides order, words and names of the accepted shapes.
func (p *plan) resolve(title string) {
	crlf := 0
	for _, r := range p.shapes {
		if !r.accepted {
			continue
		}
		crlf += r.afterCRLF
		var doubt string
		r.order, doubt = r.orders.resolve(r.shape, r.hint())
		if r.fields == 2 {
			doubt = "the dates have no year; the messages are kept without a time"
		}
		if doubt != "" {
			p.doubts = append(p.doubts, doubt)
		}
		var unsure []string
		r.meaning, unsure = r.words.resolve()
		for _, word := range unsure {
			p.doubts = append(p.doubts, fmt.Sprintf("%q beside the time is not known and the order of messages does not tell; taken as %s",
				word, map[period]string{morning: "before noon", afternoon: "after noon", decoration: "no half of the day"}[r.meaning[word]]))
		}
	}
	p.crlf = p.total > 0 && crlf*10 >= p.total*9
	p.couple(title)
}

// hint is the order that people with such a phone use, for files that do not
// tell.
func (r *reading) hint() order {
	orders := r.shape.orders()
	if r.year >= 0 || r.fields < 3 {
		return orders[0]
	}
	for _, w := range r.words.words {
		// China, Japan and Korea put the year first, also with two digits.
		if strings.ContainsFunc(w, func(c rune) bool { return unicode.In(c, unicode.Han, unicode.Hangul) }) {
			return yearMonthDay
		}
	}
	if r.between == '/' && r.comma == ',' && r.upper*2 > r.n {
		return monthDayYear
	}
	return orders[0]
}

// couple finds the two people of a chat between two: the file is named after
// one, and hardly anyone else writes.
func (p *plan) couple(title string) {
	main := p.shapes[p.main]
	if main == nil || title == "" || main.names.count(title) == 0 {
		return
	}
	var second string
	n, sum := 0, 0
	for name, c := range main.names.seen {
		sum += c.n
		if name != title && (c.n > n || c.n == n && name < second) {
			second, n = name, c.n
		}
	}
	others := sum - n - main.names.count(title)
	if n > 0 && sum >= coupleHeaders && others <= max(coupleOthers, sum/50) {
		p.contact, p.pair = title, [2]string{title, second}
	}
}

// read understands a header. ok is false where it is not one of this file's.
// why says so for the reader of a warning.
func (p *plan) read(h *header) (s vault.Stamp, why string) {
	r := p.shapes[h.shape]
	if r == nil || !r.accepted {
		return s, "has the form of a header, but not this file's"
	}
	year, month, day, ok := r.order.apply(h)
	if !ok {
		return s, "has a date that does not exist in this file's order"
	}
	meaning := decoration
	if h.word != "" {
		if meaning, ok = r.meaning[h.word]; !ok || !r.common(h.word) {
			return s, "has a word beside the time that this file's headers do not have"
		}
	}
	if h.fields == 2 {
		return s, ""
	}
	return stamp(year, month, day, meaning.minuteOfDay(h.hour, h.minute), h.second, h.seconds), ""
}

// common reports whether a word beside the time belongs to the headers: it is
// known, or at least one header in fifty has it.
func (r *reading) common(word string) bool {
	if knownPeriod(word) != unknownPeriod {
		return true
	}
	for i, w := range r.words.words {
		if w == word {
			return r.words.count[i]*50 >= r.n
		}
	}
	return false
}
