package whatsapp

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// chat repeats a few lines so that the file has a form of its own.
func chat(lines ...string) []byte {
	return []byte(strings.Join(lines, "\n") + "\n")
}

var opening = []string{
	"28/07/2025, 09:00 - Anna: Morning", "28/07/2025, 09:01 - Jonas: Hi", "29/07/2025, 18:00 - Anna: Home?", "29/07/2025, 18:02 - Jonas: Soon",
	"30/07/2025, 12:00 - Anna: Lunch?", "30/07/2025, 12:05 - Jonas: Yes", "31/07/2025, 20:00 - Anna: Film?", "31/07/2025, 20:10 - Jonas: Sure",
}

var ending = []string{"14/08/2025, 08:00 - Anna: Off we go", "14/08/2025, 08:01 - Jonas: Bye"}

func around(lines ...string) []byte {
	all := append(append(append([]string{}, opening...), lines...), ending...)
	return chat(all...)
}

func TestQuotes(t *testing.T) {
	for _, tt := range []struct {
		name  string
		lines []string
		// text is that of the messages between opening and ending; doubts the
		// lines that must be named.
		text   []string
		doubts []int
	}{
		{
			"copied messages without a year",
			[]string{"13/08/2025, 10:00 - Anna: She wrote:", "[12/08, 14:22] Mira: I quit", "[12/08, 14:23] Mira: today", "13/08/2025, 10:05 - Jonas: wow"},
			[]string{"She wrote:\n[12/08, 14:22] Mira: I quit\n[12/08, 14:23] Mira: today", "wow"},
			[]int{10, 11},
		},
		{
			"another phone's form",
			[]string{"13/08/2025, 10:00 - Anna: look", "[8/12/25, 2:22:01 PM] Jonas: I said so", "13/08/2025, 10:05 - Jonas: ok"},
			[]string{"look\n[8/12/25, 2:22:01 PM] Jonas: I said so", "ok"},
			[]int{10},
		},
		{
			"this chat's own form, older, and time returns",
			[]string{"13/08/2025, 10:00 - Anna: remember?", "29/07/2025, 18:00 - Anna: Home?", "29/07/2025, 18:02 - Jonas: Soon", "13/08/2025, 10:05 - Jonas: haha"},
			[]string{"remember?\n29/07/2025, 18:00 - Anna: Home?\n29/07/2025, 18:02 - Jonas: Soon", "haha"},
			[]int{10, 11},
		},
		{
			"strangers of another chat, some hours ago",
			[]string{"13/08/2025, 20:00 - Anna: from work:", "13/08/2025, 10:00 - Boss: all in?", "13/08/2025, 10:01 - Cleo: yes", "13/08/2025, 20:05 - Jonas: lol"},
			[]string{"from work:\n13/08/2025, 10:00 - Boss: all in?\n13/08/2025, 10:01 - Cleo: yes", "lol"},
			[]int{10, 11},
		},
		{
			"a list of appointments in the chat's form",
			[]string{"13/08/2025, 20:00 - Anna: Dates:", "19/09/2025, 10:00 - dentist", "20/10/2025, 11:00 - hairdresser", "13/08/2025, 20:05 - Jonas: noted"},
			[]string{"Dates:\n19/09/2025, 10:00 - dentist\n20/10/2025, 11:00 - hairdresser", "noted"},
			[]int{10, 11},
		},
		{
			"a date that does not exist here",
			[]string{"13/08/2025, 20:00 - Anna: hm", "08/13/2025, 10:00 - Jonas: american", "13/08/2025, 20:05 - Jonas: ok"},
			[]string{"hm\n08/13/2025, 10:00 - Jonas: american", "ok"},
			[]int{10},
		},
		{
			"a log line that is nearly a header",
			[]string{"13/08/2025, 20:00 - Anna: log:", "2025-08-13 20:00:01,123 INFO start: now", "13/08/2025, 20:05 - Jonas: ok"},
			[]string{"log:\n2025-08-13 20:00:01,123 INFO start: now", "ok"},
			[]int{10},
		},
		{
			"messages that arrived late stay messages",
			[]string{"13/08/2025, 20:00 - Anna: one", "13/08/2025, 19:20 - Jonas: late", "13/08/2025, 20:05 - Jonas: ok"},
			[]string{"one", "late", "ok"},
			nil,
		},
		{
			"a message of days ago that continues what stood before is kept and named",
			[]string{"13/08/2025, 20:00 - Anna: one", "01/08/2025, 19:20 - Jonas: late", "13/08/2025, 20:05 - Jonas: ok"},
			[]string{"one", "late", "ok"},
			[]int{10},
		},
		{
			"a long silence is no jump",
			[]string{"13/08/2025, 20:00 - Anna: one"},
			[]string{"one"},
			nil,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			data := around(tt.lines...)
			c := Parse("", data)
			checkRaw(t, data, c)
			var text []string
			n := len(c.Messages)
			if n < len(opening)+len(ending) {
				t.Fatalf("%d messages", n)
			}
			for _, m := range c.Messages[len(opening) : n-len(ending)] {
				text = append(text, m.Text)
			}
			if diff := cmp.Diff(tt.text, text); diff != "" {
				t.Errorf("texts (-want +got):\n%s", diff)
			}
			var lines []int
			for _, d := range c.Doubts {
				lines = append(lines, d.Line)
			}
			if diff := cmp.Diff(tt.doubts, lines); diff != "" {
				t.Errorf("doubts (-want +got):\n%s\n%v", diff, c.Doubts)
			}
		})
	}
}

// In a chat between two people, nobody else writes.
func TestQuotesOfThirdPersons(t *testing.T) {
	var lines []string
	for range 4 {
		lines = append(lines, opening...)
	}
	lines = append(lines, "31/07/2025, 20:11 - Anna: Mira says", "31/07/2025, 20:11 - Mira: I quit", "31/07/2025, 20:12 - Jonas: ok")
	// Time runs back at each repetition, but only that last part matters.
	c := Parse("Jonas", chat(lines...))
	m := c.Messages[len(c.Messages)-2]
	if want := "Mira says\n31/07/2025, 20:11 - Mira: I quit"; m.Text != want {
		t.Errorf("text is %q, want %q", m.Text, want)
	}
}

// iOS ends messages with CRLF and lines within them with LF.
func TestQuotesByLineEnds(t *testing.T) {
	data := []byte("[28.07.25, 09:00:00] Anna: a\r\n[28.07.25, 09:01:00] Jonas: b\r\n[29.07.25, 09:01:00] Jonas: see\n[29.07.25, 09:00:30] Mira: quote\r\n[29.07.25, 09:02:00] Anna: c\r\n" +
		strings.Repeat("[30.07.25, 09:02:00] Anna: d\r\n", 12))
	c := Parse("", data)
	if got, want := c.Messages[2].Text, "see\n[29.07.25, 09:00:30] Mira: quote"; got != want {
		t.Errorf("text is %q, want %q", got, want)
	}
	if len(c.Doubts) != 1 || c.Doubts[0].Line != 4 {
		t.Errorf("doubts are %v", c.Doubts)
	}
}

// Two exports in one file are both read.
func TestTwoExportsInOneFile(t *testing.T) {
	var ios []string
	for _, l := range []string{"15.08.25, 10:00:00] Anna: x", "15.08.25, 10:01:00] Jonas: y", "16.08.25, 10:00:00] Anna: z"} {
		for range 4 {
			ios = append(ios, "["+l)
		}
	}
	data := chat(append(append([]string{}, opening...), ios...)...)
	c := Parse("", data)
	if len(c.Messages) != len(opening)+len(ios) {
		t.Errorf("%d messages, want %d", len(c.Messages), len(opening)+len(ios))
	}
	if len(c.Doubts) == 0 {
		t.Error("nobody is told")
	}
}

// A quote in another form stays one in the smallest of chats.
func TestQuotesInSmallChats(t *testing.T) {
	for _, data := range [][]byte{
		chat("13/08/2025, 10:00 - Anna: look", "[8/12/25, 2:22:01 PM] Mira: so", "13/08/2025, 10:05 - Jonas: ok"),
		chat("13/08/2025, 10:00 - Anna: look", "[12/08, 14:22] Mira: so", "[12/08, 14:23] Mira: so", "[12/08, 14:24] Mira: so", "13/08/2025, 10:05 - Jonas: ok"),
	} {
		if c := Parse("", data); len(c.Messages) != 2 || len(c.Doubts) == 0 {
			t.Errorf("%d messages, doubts %v", len(c.Messages), c.Doubts)
		}
	}
}
