package chatgen

import (
	"math/rand/v2"
	"strings"
	"time"
)

var people = []string{"Anna Kern", "Jonas", "~ Mira", "+49 170 1234567", "Team: Ops", "Dr. Feather"}

var sentences = strings.Split(`Did you see the lake this morning?|Yes, and it was frozen over|The train leaves at 7:40, platform 3|ok|lol|
	Can you bring the blue folder?|Note: the door code changed|I will be late, sorry|Wo bist du gerade?|Kal milte hain, theek hai?|明日の会議は何時ですか|
	That cost 12.50 in the end|see https://example.org/a?b=c: it explains it|we meet 12/03 at the usual place|Happy birthday! 🎂🎂`, "|")

// Chat makes a chat of n messages by a fixed chance. Its first line is one of
// the app, its times run over days that tell day from month, and some messages
// have several lines.
func Chat(seed uint64, n int) []Message {
	r := rand.New(rand.NewPCG(seed, 1))
	t := time.Date(2022, 3, 9, 7, 12, 4, 0, time.UTC)
	out := []Message{{Time: t, Kind: System}}
	for i := 1; i < n; i++ {
		step := time.Duration(r.IntN(240)) * time.Second
		switch r.IntN(12) {
		case 0:
			step = time.Duration(2+r.IntN(9)) * time.Hour
		case 1:
			step = time.Duration(20+r.IntN(60)) * time.Hour
		}
		t = t.Add(step)
		m := Message{Time: t, Sender: people[r.IntN(len(people))], Text: strings.TrimSpace(sentences[r.IntN(len(sentences))])}
		switch r.IntN(20) {
		case 0:
			m.Kind, m.Text = Media, ""
		case 1:
			m.Kind, m.Text = Deleted, ""
		case 2:
			m.Kind = Edited
		case 3, 4:
			for range 1 + r.IntN(4) {
				m.Text += "\n" + strings.TrimSpace(sentences[r.IntN(len(sentences))])
			}
		}
		out = append(out, m)
	}
	return out
}
