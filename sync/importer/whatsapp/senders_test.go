package whatsapp

import (
	"testing"
)

func TestSenders(t *testing.T) {
	base := []string{"Anna: hi", "Anna: there", "Jonas Kern: yes", "Jonas Kern: no", "Team: Ops: up", "Team: Ops: down", "Team: Ops: up again"}
	for _, tt := range []struct{ line, sender, text string }{
		{"Anna: see: this", "Anna", "see: this"},
		{"Anna:.", "Anna", "."},
		{"Anna: ", "Anna", ""},
		{"Anna:", "Anna", ""},
		{"Team: Ops: all well", "Team: Ops", "all well"},
		{"Dr. Feather: hello", "Dr. Feather", "hello"},
		{"~\u202fMira: hello", "~ Mira", "hello"},
		{"\u202a+49 170 1234567\u202c: hello", "+49 170 1234567", "hello"},
		{"🤓: hello", "🤓", "hello"},
		{"Anna Lena Maria von der Heide: once", "Anna Lena Maria von der Heide", "once"},
		{"Anna created group “Trip: Goa”", "", "Anna created group “Trip: Goa”"},
		{`Anna changed the subject from "A: b" to "c"`, "", `Anna changed the subject from "A: b" to "c"`},
		{"Anna changed the group description to: be kind", "", "Anna changed the group description to: be kind"},
		{"Messages to this chat are now secured: nobody can read them", "", "Messages to this chat are now secured: nobody can read them"},
		{"安娜将群组名称改为“旅行: 果阿”", "", "安娜将群组名称改为“旅行: 果阿”"},
		{"Anna added you", "", "Anna added you"},
		{"You joined at 10:30", "", "You joined at 10:30"},
	} {
		t.Run(tt.line, func(t *testing.T) {
			var lines []string
			for _, l := range append(append([]string{}, base...), tt.line) {
				lines = append(lines, "23/04/2022, 10:00 - "+l)
			}
			c := Parse("", chat(lines...))
			if len(c.Messages) != len(lines) {
				t.Fatalf("%d messages, want %d", len(c.Messages), len(lines))
			}
			m := c.Messages[len(lines)-1]
			if m.Sender != tt.sender || m.Text != tt.text {
				t.Errorf("is %q: %q, want %q: %q", m.Sender, m.Text, tt.sender, tt.text)
			}
		})
	}
}
