package chatgen

import (
	"math/rand/v2"
	"strings"
	"time"
)

// Years makes the chat of two people over years: at least size bytes of text
// from begin on, the same for the same seed. Its words are real and its
// sentences are put together, so that few come twice; what people say about
// themselves is rare among small talk, as it is in chats.
func Years(seed uint64, me, friend string, begin time.Time, size int) []Message {
	y := years{r: rand.New(rand.NewPCG(seed, 2)), now: begin}
	out := []Message{{Time: begin, Kind: System}}
	for size > 0 {
		y.subject()
		who := y.r.IntN(2)
		for range 8 + y.r.IntN(50) {
			y.now = y.now.Add(time.Duration(5+y.r.IntN(200)) * time.Second)
			if y.r.IntN(100) < 62 {
				who = 1 - who
			}
			m := Message{Time: y.now, Sender: []string{me, friend}[who], Text: y.message()}
			if y.r.IntN(60) == 0 {
				m.Kind, m.Text = Media, ""
			}
			size -= len(m.Text)
			out = append(out, m)
		}
		gap := time.Duration(40+y.r.IntN(1200)) * time.Minute
		if y.r.IntN(4) == 0 {
			gap += time.Duration(y.r.IntN(96)) * time.Hour
		}
		y.now = y.now.Add(gap)
	}
	return out
}

type years struct {
	r   *rand.Rand
	now time.Time
	// of the talk that goes on
	thing, place, person string
}

func (y *years) one(from []string) string { return from[y.r.IntN(len(from))] }

func (y *years) subject() {
	y.thing, y.place, y.person = y.one(things), y.one(places), y.one(names)
}

// message is one to four sentences about the subject, or a short answer.
func (y *years) message() string {
	switch n := y.r.IntN(100); {
	case n < 18:
		return y.one(replies)
	case n < 22:
		return y.fill(y.one(about))
	}
	var b strings.Builder
	for i := range 1 + y.r.IntN(4) {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(y.fill(y.one(talk)))
	}
	return b.String()
}

// fill puts words into a sentence: {thing}, {place} and {person} are mostly the
// subject's.
func (y *years) fill(s string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "{")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		slot, after, _ := strings.Cut(rest, "}")
		b.WriteString(y.word(slot))
		s = after
	}
}

func (y *years) word(slot string) string {
	same := y.r.IntN(3) > 0
	switch slot {
	case "thing":
		if same {
			return y.thing
		}
		return y.one(things)
	case "place":
		if same {
			return y.place
		}
		return y.one(places)
	case "person":
		if same {
			return y.person
		}
		return y.one(names)
	case "how":
		return y.one(manners)
	case "do":
		return y.one(deeds)
	}
	return y.one(days)
}
