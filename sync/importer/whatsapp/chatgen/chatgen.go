// Package chatgen writes chats as WhatsApp would export them, in any dialect.
//
// It is for tests and benchmarks: what it writes has a known content, so that
// a parser can be held to give exactly that back. It is written after what
// phones do, not after the parser, and shares no code with it.
package chatgen

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf16"
)

// A Kind says what a message is besides words.
type Kind int

// The kinds that each dialect can write.
const (
	Text Kind = iota
	Media
	Deleted
	Edited
	System
)

// A Message is what goes in.
type Message struct {
	Time   time.Time
	Sender string
	Text   string
	Kind   Kind
}

// A Dialect is how one phone writes.
type Dialect struct {
	Name string
	// Bracket is iOS's form: "[date, time] sender: text".
	Bracket bool
	// Order is "dmy", "mdy", "ymd"; Sep stands between the fields, End after
	// the date.
	Order, Sep, End string
	// Year is the number of its digits, Calendar "" for Gregorian, "buddhist"
	// or "reiwa".
	Year     int
	Calendar string
	// Pad writes day and month with two digits, PadHour the hour.
	Pad, PadHour bool
	// Comma stands between date and time.
	Comma string
	// Clock stands within the time; Seconds are written after it.
	Clock   string
	Seconds bool
	// AM and PM are the words of a 12-hour clock, empty on one of 24 hours.
	// Words are written after the time with Gap between, or before it.
	AM, PM, Gap string
	Before      bool
	// TimeFirst puts the time before the date.
	TimeFirst bool
	// Zero is the digit zero of the script; 0 means ASCII.
	Zero rune
	// Mark is written around the date's fields, as right-to-left phones do.
	Mark string
	// The words for messages that are not text.
	Omitted, Gone, Changed, Notice string
	// CRLF, BOM and UTF16 are the file's own form.
	CRLF, BOM, UTF16 bool
}

// Write writes messages in dialect d.
func Write(w io.Writer, d Dialect, messages []Message) error {
	out := bufio.NewWriterSize(w, 64<<10)
	if d.UTF16 || d.BOM {
		d.write(out, "\ufeff")
	}
	for i := range messages {
		d.write(out, d.line(&messages[i]))
	}
	return out.Flush()
}

func (d *Dialect) write(w *bufio.Writer, s string) {
	if !d.UTF16 {
		w.WriteString(s)
		return
	}
	for _, u := range utf16.Encode([]rune(s)) {
		var b [2]byte
		binary.LittleEndian.PutUint16(b[:], u)
		w.Write(b[:])
	}
}

func (d *Dialect) line(m *Message) string {
	var b strings.Builder
	head := d.date(m.Time) + d.Comma + d.time(m.Time)
	if d.TimeFirst {
		head = d.time(m.Time) + d.Comma + d.date(m.Time)
	}
	text, lead := d.Says(m), ""
	if d.Bracket {
		if m.Kind == Media {
			lead = "\u200e"
		}
		b.WriteString(lead + "[" + head + "] ")
	} else {
		b.WriteString(head + " - ")
	}
	if m.Sender != "" {
		b.WriteString(m.Sender + ": ")
	}
	b.WriteString(text)
	if d.CRLF {
		b.WriteByte('\r')
	}
	b.WriteByte('\n')
	return b.String()
}

// Says is the text of a message as the dialect writes it.
func (d *Dialect) Says(m *Message) string {
	mark := ""
	if d.Bracket {
		mark = "\u200e"
	}
	switch m.Kind {
	case Media:
		if d.Bracket {
			return mark + d.Omitted
		}
		return "<" + d.Omitted + ">"
	case Deleted:
		return mark + d.Gone
	case Edited:
		return m.Text + " " + mark + "<" + d.Changed + ">"
	case System:
		return mark + d.Notice
	}
	return m.Text
}

func (d *Dialect) date(t time.Time) string {
	field := func(n int) string {
		if d.Pad {
			return d.digits(fmt.Sprintf("%02d", n))
		}
		return d.digits(fmt.Sprint(n))
	}
	day, month := field(t.Day()), field(int(t.Month()))
	var year string
	switch d.Calendar {
	case "buddhist":
		year = fmt.Sprint(t.Year() + 543)
	case "reiwa":
		year = "R" + fmt.Sprint(t.Year()-2018)
	default:
		year = fmt.Sprint(t.Year())
	}
	if d.Year == 2 && len(year) == 4 {
		year = year[2:]
	}
	year = d.digits(year)
	sep := d.Mark + d.Sep
	switch d.Order {
	case "mdy":
		return d.Mark + month + sep + day + sep + year + d.End
	case "ymd":
		return d.Mark + year + sep + month + sep + day + d.End
	}
	return d.Mark + day + sep + month + sep + year + d.End
}

func (d *Dialect) time(t time.Time) string {
	hour, word := t.Hour(), ""
	if d.AM != "" {
		word = d.AM
		if hour >= 12 {
			word = d.PM
		}
		if hour %= 12; hour == 0 {
			hour = 12
		}
	}
	format := "%d"
	if d.PadHour {
		format = "%02d"
	}
	s := fmt.Sprintf(format, hour) + d.Clock + fmt.Sprintf("%02d", t.Minute())
	if d.Seconds {
		s += d.Clock + fmt.Sprintf("%02d", t.Second())
	}
	s = d.digits(s)
	switch {
	case word == "":
		return s
	case d.Before:
		return word + d.Gap + s
	}
	return s + d.Gap + word
}

func (d *Dialect) digits(s string) string {
	if d.Zero == 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return d.Zero + r - '0'
		}
		return r
	}, s)
}
