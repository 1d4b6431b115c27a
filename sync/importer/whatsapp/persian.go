package whatsapp

import "time"

// Phones in Iran may count years from the Hijra by the sun: 1403 begins on 20 March
// 2024. Its months have 31 days, the last six 30, and the very last 29 but in leap
// years. Years of the lunar calendar lie higher (1430 is 2009) and are not read:
// their months depend on who saw the moon.
const (
	firstPersian = 1387 // begins on 20 March 2008; WhatsApp is from 2009
	lastPersian  = 1425 // before the first lunar year of WhatsApp
)

// fromPersian turns a day of the Persian calendar into one of the Gregorian.
func fromPersian(year, month, day int) (y, m, d int, ok bool) {
	if month < 1 || month > 12 || day < 1 || day > persianDays(year, month) {
		return 0, 0, 0, false
	}
	days := day - 1
	for i := 1; i < month; i++ {
		days += persianDays(year, i)
	}
	for i := firstPersian; i < year; i++ {
		days += 336 + persianDays(i, 12)
	}
	t := time.Date(2008, 3, 20+days, 0, 0, 0, 0, time.UTC)
	return t.Year(), int(t.Month()), t.Day(), true
}

// persianDays are the days of a month. Leap years come eight times in 33, which is
// what the spring equinox makes of them until beyond 1500.
func persianDays(year, month int) int {
	switch {
	case month <= 6:
		return 31
	case month < 12 || (25*year+11)%33 < 8:
		return 30
	}
	return 29
}
