package importer

import (
	"strconv"
	"strings"
	"time"

	"github.com/memsync/memsync/vault"
)

// Seconds reads a Unix time in seconds from the text of a JSON number, to the
// nanosecond: "1714585031.148505" is not rounded through a float. Numbers too
// large for seconds are taken for milliseconds, as browser extensions write
// them. Zero, negative and unreadable times are unknown.
func Seconds(text string) vault.Stamp {
	if strings.HasPrefix(text, "-") {
		return vault.Stamp{}
	}
	mantissa, exponent := text, 0
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		n, err := strconv.Atoi(text[i+1:])
		if err != nil || n < -30 || n > 30 {
			return vault.Stamp{}
		}
		mantissa, exponent = text[:i], n
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	// Move the point right or left by shifting digits between the two halves.
	for ; exponent > 0; exponent-- {
		if fraction == "" {
			fraction = "0"
		}
		whole, fraction = whole+fraction[:1], fraction[1:]
	}
	for ; exponent < 0; exponent++ {
		if whole == "" {
			whole = "0"
		}
		whole, fraction = whole[:len(whole)-1], whole[len(whole)-1:]+fraction
	}
	if whole == "" {
		whole = "0"
	}
	secs, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || secs < 0 {
		return vault.Stamp{}
	}
	if secs >= 1e11 { // the year 5138 in seconds, 1973 in milliseconds
		if secs >= 1e14 {
			return vault.Stamp{}
		}
		return Seconds(text + "e-3")
	}
	fraction = (fraction + "000000000")[:9]
	nanos, err := strconv.ParseInt(fraction, 10, 64)
	if err != nil || secs == 0 && nanos == 0 {
		return vault.Stamp{}
	}
	return vault.Stamp{Time: time.Unix(secs, nanos).UTC()}
}

// ISO reads an RFC 3339 time, also without its zone, which is then unknown.
// Anything else is unknown.
func ISO(text string) vault.Stamp {
	if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return vault.Stamp{Time: t.UTC()}
	}
	if t, err := time.Parse("2006-01-02T15:04:05.999999999", text); err == nil {
		return vault.Stamp{Time: t, Floating: true}
	}
	return vault.Stamp{}
}
