package when

import (
	"strings"
	"testing"
	"time"
)

// now is a Thursday.
var now = time.Date(2023, 8, 17, 15, 4, 0, 0, time.UTC)

func TestFind(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"What happened on 7 May 2023?", "7 May 2023=2023-05-07/2023-05-08"},
		{"on May 7th, 2023 then", "May 7th, 2023=2023-05-07/2023-05-08"},
		{"the 7th of May", "7th of May=2023-05-07/2023-05-08"},
		{"on 1 February, 2023?", "1 February, 2023=2023-02-01/2023-02-02"},
		{"on 20 December", "20 December=2022-12-20/2022-12-21"},
		{"2023-05-07", "2023-05-07=2023-05-07/2023-05-08"},
		{"am 24.01.2024", "24.01.2024=2024-01-24/2024-01-25"},
		{"5/7/2023 or 17/7/2023", "5/7/2023=2023-05-07/2023-05-08 17/7/2023=2023-07-17/2023-07-18"},
		{"in March", "March=2023-03-01/2023-04-01"},
		{"in October", "October=2022-10-01/2022-11-01"},
		{"in October 2023", "October 2023=2023-10-01/2023-11-01"},
		{"you may march on", ""},
		{"What may I do", ""},
		{"in 2022", "2022=2022-01-01/2023-01-01"},
		{"2022 apples and the number 1984", ""},
		{"yesterday", "yesterday=2023-08-16/2023-08-17"},
		{"today and tomorrow", "today=2023-08-17/2023-08-18 tomorrow=2023-08-18/2023-08-19"},
		{"last Tuesday", "last Tuesday=2023-08-15/2023-08-16"},
		{"last Thursday", "last Thursday=2023-08-10/2023-08-11"},
		{"next Thursday", "next Thursday=2023-08-24/2023-08-25"},
		{"on Friday", "Friday=2023-08-11/2023-08-12"},
		{"last week", "last week=2023-08-07/2023-08-14"},
		{"this week's plan", "this week's=2023-08-14/2023-08-21"},
		{"last weekend", "last weekend=2023-08-12/2023-08-14"},
		{"last month", "last month=2023-07-01/2023-08-01"},
		{"last year", "last year=2022-01-01/2023-01-01"},
		{"last summer", "summer=2023-06-01/2023-09-01"},
		{"summer of 2022", "2022=2022-01-01/2023-01-01"},
		{"the summer of 2022", "summer of 2022=2022-06-01/2022-09-01"},
		{"the past three weeks", "past three weeks=2023-07-27/2023-08-18"},
		{"last 10 days", "last 10 days=2023-08-07/2023-08-18"},
		{"two weeks ago", "two weeks ago=2023-07-31/2023-08-07"},
		{"a few days ago", "a few days ago=2023-08-14/2023-08-15"},
		{"a month ago", "a month ago=2023-07-02/2023-08-02"},
		{"two weeks before August 11, 2023", "two weeks before August 11, 2023=2023-07-25/2023-08-01"},
		{"last weekend before April 10, 2023", "last weekend before April 10, 2023=2023-04-08/2023-04-10"},
		{"on Friday before 10.01.2024", "Friday before 10.01.2024=2024-01-05/2024-01-06"},
		{"first week of January 2023", "first week of January 2023=2023-01-01/2023-01-08"},
		{"late May 2023", "late May 2023=2023-05-21/2023-06-01"},
		{"on Christmas Eve 2022", "Christmas Eve 2022=2022-12-24/2022-12-27"},
		{"New Year's Eve", "New Year's Eve=2022-12-31/2023-01-02"},
		{"31.02.2023 45 May 2023", "May 2023=2023-05-01/2023-06-01"},
		{"version 1.2.2023 of 3.4", "1.2.2023=2023-02-01/2023-02-02"},
		{"I have two dogs", ""},
		{"", ""},
	} {
		var got []string
		for _, r := range Find(c.text, now) {
			got = append(got, c.text[r.Start:r.End]+"="+r.From.Format(time.DateOnly)+"/"+r.To.Format(time.DateOnly))
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("Find(%q):\n got %s\nwant %s", c.text, g, c.want)
		}
	}
}

func TestFindWithoutNow(t *testing.T) {
	for _, text := range []string{"yesterday", "in March", "last summer", "two weeks ago", "7 May", "on Friday", "last weekend"} {
		if got := Find(text, time.Time{}); len(got) != 0 {
			t.Errorf("Find(%q) without a now = %v", text, got)
		}
	}
	for _, text := range []string{"7 May 2023", "the weekend two weeks before 7 May 2023", "last weekend before April 10, 2023"} {
		if got := Find(text, time.Time{}); len(got) != 1 {
			t.Errorf("Find(%q) without a now = %v, want one", text, got)
		}
	}
}

// Laws: ranges are not empty, in order, do not overlap and name bytes of the text.
func FuzzFind(f *testing.F) {
	for _, s := range []string{"two weeks before August 11, 2023", "last 3 months of 2022", "1.1.1 2/3 May the 5", "first week of the year 2024", "next May'sd"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		last := 0
		for _, r := range Find(s, now) {
			if r.Start < last || r.End <= r.Start || r.End > len(s) {
				t.Fatalf("Find(%q): span %d-%d", s, r.Start, r.End)
			}
			last = r.End
			if !r.From.Before(r.To) {
				t.Fatalf("Find(%q): empty range %v", s, r)
			}
		}
		Find(s, time.Time{})
	})
}
