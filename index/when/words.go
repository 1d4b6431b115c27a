package when

import "time"

var months = map[string]time.Month{
	"january": 1, "jan": 1, "february": 2, "feb": 2, "march": 3, "mar": 3, "april": 4, "apr": 4, "may": 5, "june": 6, "jun": 6,
	"july": 7, "jul": 7, "august": 8, "aug": 8, "september": 9, "sep": 9, "sept": 9, "october": 10, "oct": 10,
	"november": 11, "nov": 11, "december": 12, "dec": 12,
}

var weekdays = map[string]time.Weekday{
	"sunday": 0, "monday": 1, "tuesday": 2, "wednesday": 3, "thursday": 4, "friday": 5, "saturday": 6,
}

// seasons of the northern half of the world; by their first month.
var seasons = map[string]time.Month{"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}

// holidays that have a date, by month and day. Those that move get the middle
// of their span and a wide range.
var holidays = map[string]struct {
	month time.Month
	day   int
	span  int
}{
	"christmas": {12, 24, 3}, "halloween": {10, 31, 1}, "valentine": {2, 14, 1}, "valentines": {2, 14, 1},
	"thanksgiving": {11, 22, 8}, "easter": {3, 22, 36},
}

var numbers = map[string]int{
	"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
	"nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "couple": 2, "few": 3, "several": 4,
}

var ordinals = map[string]int{"first": 1, "second": 2, "third": 3, "fourth": 4, "last": -1}

// units of time in days; months and years are added by the calendar.
var units = map[string]string{
	"day": "day", "days": "day", "night": "day", "nights": "day", "morning": "day", "evening": "day", "afternoon": "day",
	"week": "week", "weeks": "week", "weekend": "weekend", "weekends": "weekend",
	"month": "month", "months": "month", "year": "year", "years": "year",
}

// introduces says which words make a following "may", "march" or weekday a time.
var introduces = map[string]bool{
	"in": true, "on": true, "since": true, "during": true, "last": true, "this": true, "next": true, "of": true, "until": true,
	"till": true, "by": true, "before": true, "after": true, "early": true, "mid": true, "late": true, "from": true, "around": true,
	"past": true, "previous": true, "and": true, "between": true, "to": true, "through": true, "for": true, "every": true,
}
