package eval

import (
	"strings"
	"time"
)

// layouts are the ways in which the sets write times.
var layouts = []string{
	"3:04 pm on 2 January, 2006",
	"02.01.2006, 15:04:05",
	"January-02-2006",
	"2006/01/02 (Mon) 15:04",
	time.RFC3339,
	"2006-01-02 15:04:05",
	"2006-01-02",
}

// ParseTime reads a time as the sets write it; what it cannot read is zero.
func ParseTime(s string) time.Time {
	s = strings.TrimSpace(s)
	for _, l := range layouts {
		if t, err := time.Parse(l, s); err == nil {
			return t
		}
	}
	return time.Time{}
}
