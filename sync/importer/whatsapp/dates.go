package whatsapp

import (
	"time"

	"github.com/memsync/memsync/vault"
)

// An order says which field of a date is which.
type order uint8

const (
	dayMonthYear order = iota
	monthDayYear
	yearMonthDay
	yearDayMonth
	dayMonth
	monthDay
	orderCount
)

var orderNames = [orderCount]string{"day, month, year", "month, day, year", "year, month, day", "year, day, month", "day, month", "month, day"}

func (o order) String() string { return orderNames[o] }

// orders lists the orders in which a header's date can be read, the more
// common first.
func (s *shape) orders() []order {
	switch {
	case s.fields == 2:
		return []order{dayMonth, monthDay}
	case s.year == 0:
		return []order{yearMonthDay, yearDayMonth}
	case s.year == 2:
		return []order{dayMonthYear, monthDayYear}
	}
	return []order{dayMonthYear, monthDayYear, yearMonthDay}
}

// apply reads the date of h in order o. The year is 0 where it is not given.
func (o order) apply(h *header) (year, month, day int, ok bool) {
	a, b, c := h.values[0], h.values[1], h.values[2]
	switch o {
	case dayMonthYear:
		year, month, day = c, b, a
	case monthDayYear:
		year, month, day = c, a, b
	case yearMonthDay:
		year, month, day = a, b, c
	case yearDayMonth:
		year, month, day = a, c, b
	case dayMonth:
		month, day = b, a
	case monthDay:
		month, day = a, b
	}
	leapless := 2000
	if h.fields == 3 {
		if year >= firstPersian && year <= lastPersian {
			return fromPersian(year, month, day)
		}
		year = gregorian(year)
		leapless = year
		// WhatsApp is from 2009; a little slack for phones with a wrong clock.
		if year < 2000 || year > 2200 {
			return 0, 0, 0, false
		}
	}
	return year, month, day, month >= 1 && month <= 12 && day >= 1 && day <= monthDays(leapless, month)
}

// eras are the year names that stand before their number. before is the
// Gregorian year before the era's first.
var eras = []struct {
	name   string
	before int
}{
	{"令和", 2018}, {"平成", 1988}, {"㋿", 2018}, {"㍻", 1988}, {"R", 2018}, {"H", 1988}, {"民國", 1911}, {"民国", 1911},
}

// gregorian turns a year as written into a Gregorian one. Years of the
// Buddhist calendar are 543 ahead; written with two digits they are told apart
// because WhatsApp began in 2552 (2009), while 2052 and later have not come.
// Three digits count from 1912, as Taiwan does.
func gregorian(year int) int {
	switch {
	case year < 52:
		return 2000 + year
	case year < 100:
		return 2500 + year - 543
	case year < 200:
		return 1911 + year
	case year >= 2400 && year < 2700:
		return year - 543
	}
	return year
}

func monthDays(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// dayNumber counts days so that a difference of one is a day.
func dayNumber(year, month, day int) int {
	// The civil calendar in eras of 400 years, years beginning in March.
	if month <= 2 {
		year--
		month += 12
	}
	return 365*year + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + day
}

// stamp puts a date and a time of day, in minutes, together.
func stamp(year, month, day, minute, second int, seconds bool) vault.Stamp {
	return vault.Stamp{
		Time:     time.Date(year, time.Month(month), day, 0, minute, second, 0, time.UTC),
		Floating: true,
		Minutes:  !seconds,
	}
}
