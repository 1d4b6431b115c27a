package synth

import (
	"strings"
	"time"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/lazyregexp"
)

// This file tells plans that are over: their day has passed by the newest session.
// They stay in the ledgers, and are neither in force nor on the card.

// soonSpan is how long what was planned for "next month" or sooner is current;
// yearSpan is the same for "this year" and "next year".
const (
	soonSpan = 62 * 24 * time.Hour
	yearSpan = 2 * 366 * 24 * time.Hour
)

var (
	soonWords = lazyregexp.New(`(?i)\b(?:today|tonight|tomorrow|(?:this|next|coming|upcoming) (?:week|weekend|month|mon|tues|wednes|thurs|fri|satur|sun)\w*|on (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b`)
	yearWords = lazyregexp.New(`(?i)\b(?:this|next|coming) (?:year|summer|winter|spring|autumn|fall|season|semester)\b`)
	fullDay   = lazyregexp.New(`(?i)\b(january|february|march|april|may|june|july|august|september|october|november|december)(?: (\d{1,2})(?:st|nd|rd|th)?)?,? (20\d\d)\b|\b(20\d\d)-(\d\d)-(\d\d)\b`)
	monthDay  = lazyregexp.New(`(?i)\b(january|february|march|april|may|june|july|august|september|october|november|december) (\d{1,2})\b`)
)

// over reports whether a goal, a task or a constraint speaks of a time that is past
// at the day now. What names no time is never over.
func over(c vault.Claim, now string) bool {
	switch c.Kind {
	case "goal", "task", "constraint":
	default:
		return false
	}
	end, err := time.Parse(time.DateOnly, now)
	if err != nil || c.Pin != "" {
		return false
	}
	said, err := time.Parse(time.DateOnly, c.LastSeen)
	if err != nil {
		said = time.Time{}
	}
	if last := lastDay(c.Text, said); !last.IsZero() {
		return last.Before(end)
	}
	if said.IsZero() {
		return false
	}
	switch age := end.Sub(said); {
	case soonWords.MatchString(c.Text):
		return age > soonSpan
	case yearWords.MatchString(c.Text):
		return age > yearSpan
	}
	return false
}

// lastDay is the last day that a text names, zero where it names none. A month
// without a day lasts to its end; one without a year is the first after said.
func lastDay(text string, said time.Time) time.Time {
	var last time.Time
	see := func(t time.Time, err error) {
		if err == nil && t.After(last) {
			last = t
		}
	}
	for _, m := range fullDay.FindAllStringSubmatch(text, -1) {
		switch {
		case m[4] != "":
			see(time.Parse(time.DateOnly, m[4]+"-"+m[5]+"-"+m[6]))
		case m[2] != "":
			see(time.Parse("January 2 2006", capital(m[1])+" "+m[2]+" "+m[3]))
		default:
			t, err := time.Parse("January 2006", capital(m[1])+" "+m[3])
			see(t.AddDate(0, 1, -1), err)
		}
	}
	if !last.IsZero() || said.IsZero() {
		return last
	}
	for _, m := range monthDay.FindAllStringSubmatch(text, -1) {
		t, err := time.Parse("January 2 2006", capital(m[1])+" "+m[2]+" "+said.Format("2006"))
		if err == nil && t.Before(said) {
			t = t.AddDate(1, 0, 0)
		}
		see(t, err)
	}
	return last
}

func capital(month string) string { return strings.ToUpper(month[:1]) + strings.ToLower(month[1:]) }
