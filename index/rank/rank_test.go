package rank

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/index/lexical"
)

// talk makes a corpus of turns, "speaker: text" a line; an empty line begins a
// new note, a day later.
func talk(text string) (*Corpus, [][]string) {
	c := &Corpus{Speakers: []string{""}}
	at := map[string]int32{}
	day := time.Date(2024, 3, 4, 9, 0, 0, 0, time.UTC)
	var terms [][]string
	note := int32(0)
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			note++
			day = day.AddDate(0, 0, 1)
			continue
		}
		speaker, said, _ := strings.Cut(line, ": ")
		if at[speaker] == 0 {
			at[speaker] = int32(len(c.Speakers))
			c.Speakers = append(c.Speakers, speaker)
		}
		var f Flag
		if Asks(said) {
			f |= Question
		}
		if Directs(said) {
			f |= Directive
		}
		if Prefers(said) {
			f |= Preference
		}
		if Tells(said) {
			f |= Personal
		}
		if speaker == "assistant" {
			f |= Assistant
		}
		ts := lexical.Analyze(line)
		terms = append(terms, ts)
		c.Note, c.Len = append(c.Note, note), append(c.Len, int32(len(ts)))
		c.Speaker, c.Flags = append(c.Speaker, at[speaker]), append(c.Flags, f)
		c.Time = append(c.Time, day.Unix())
		c.AvgLen += float64(len(ts))
	}
	c.AvgLen /= float64(len(terms))
	return c, terms
}

func ask(text string, terms [][]string) Query {
	q := Query{Text: text, TermsOf: func(pos int32) []string { return terms[pos] }}
	for _, t := range lexical.Query(text) {
		term := Term{Text: t}
		for i, ts := range terms {
			n := int32(0)
			for _, x := range ts {
				if x == t {
					n++
				}
			}
			if n > 0 {
				term.Postings = append(term.Postings, Posting{int32(i), n})
			}
		}
		q.Terms = append(q.Terms, term)
	}
	return q
}

const chat = `
Ana: How often do you and the children go swimming these days, if I may ask?
Ben: Twice a week at least, mostly on the mornings before the school begins
Ana: That is a lot more than we manage with our own small crowd of people
Ben: It keeps us healthy and we sleep so much better after it than before

Ben: The new bicycle arrived in a very large box at the office this morning
Ana: I have told the office about bicycle parking, and they were all in favour
Ben: Wow, bicycle!
Ana: The swimming pool is closed from today on because of repairs to the roof

Ana: Always call me Annie from now on
Ben: The train to the mountains leaves from the other platform at half past nine
`

func first(t *testing.T, c *Corpus, q Query) int32 {
	t.Helper()
	hits := Search(c, q)
	if len(hits) == 0 {
		t.Fatalf("%q finds nothing", q.Text)
	}
	return hits[0].Pos
}

func TestAnswerIsFoundThroughItsQuestion(t *testing.T) {
	c, terms := talk(chat)
	hits := Search(c, ask("How often do the children go swimming?", terms))
	var order []int32
	for _, h := range hits {
		order = append(order, h.Pos)
	}
	if len(order) < 2 || order[0] != 0 || order[1] != 1 {
		t.Errorf("got order %v, want the question (0) and its answer (1) first", order)
	}
}

func TestNamedSpeakerGoesFirst(t *testing.T) {
	c, terms := talk(chat)
	if got := first(t, c, ask("What did Ana say about the bicycle?", terms)); got != 5 {
		t.Errorf("Ana and the bicycle: position %d, want 5", got)
	}
	if got := first(t, c, ask("What did Ben say about the bicycle?", terms)); got != 4 {
		t.Errorf("Ben and the bicycle: position %d, want 4", got)
	}
}

func TestShortTurnsYield(t *testing.T) {
	c, terms := talk(chat)
	for i, h := range Search(c, ask("bicycle", terms)) {
		if h.Pos == 6 && i == 0 {
			t.Error(`"Wow, bicycle!" stands first`)
		}
	}
}

func TestTimeRaises(t *testing.T) {
	c, terms := talk(chat)
	q := ask("swimming on 5 March 2024", terms)
	if got := first(t, c, q); got != 7 {
		t.Errorf("on the day: position %d, want 7", got)
	}
	q = ask("what happened yesterday", terms)
	q.Now = time.Unix(c.Time[9], 0)
	q.Cosine = make([]float32, c.Size())
	q.Cosine[9] = 0.1 // something must be there at all
	if got := first(t, c, q); c.Note[got] != 1 {
		t.Errorf("yesterday: position %d, want one of the day before", got)
	}
}

func TestSupersededAndPinned(t *testing.T) {
	c, terms := talk(strings.Repeat("Ana: The budget of the garden is four hundred\n\n", 3))
	c.Flags[0] |= Superseded
	c.Flags[2] |= Pinned
	q := ask("garden budget", terms)
	q.TermsOf = nil
	hits := Search(c, q)
	if len(hits) != 3 || hits[0].Pos != 2 || hits[2].Pos != 0 {
		t.Fatalf("hits %v, want the pinned one first and the superseded one last", hits)
	}
	if hits[2].Parts.Superseded >= 0 || hits[0].Parts.Pin <= 0 {
		t.Errorf("parts do not tell: %+v", hits)
	}
}

func TestCollapse(t *testing.T) {
	c, terms := talk(strings.Repeat("Ana: The budget of the garden is four hundred and no more\n\n", 3) + "Ben: The garden looks lovely")
	hits := Search(c, ask("garden budget", terms))
	if len(hits) != 2 || len(hits[0].Same) != 2 {
		t.Errorf("hits %+v, want the three equal ones as one", hits)
	}
}

func TestModes(t *testing.T) {
	c, terms := talk(chat)
	q := ask("train platform", terms)
	q.Cosine = make([]float32, c.Size())
	for i := range q.Cosine {
		q.Cosine[i] = float32(math.NaN())
	}
	q.Cosine[2], q.Cosine[3] = 0.1, 0.9
	for mode, want := range map[Mode]int32{Keyword: 9, Vector: 3} {
		q.Mode = mode
		if got := first(t, c, q); got != want {
			t.Errorf("%v: position %d, want %d", mode, got, want)
		}
	}
	q.Mode = Hybrid
	seen := map[int32]bool{}
	for _, h := range Search(c, q) {
		seen[h.Pos] = true
	}
	if !seen[3] || !seen[9] {
		t.Error("hybrid lost the best of one side")
	}
}

func TestRelatedCountsInHybridOnly(t *testing.T) {
	c, terms := talk(chat)
	q := ask("cycle", terms)
	q.Terms[0].Related = []Related{{Text: "bicycl", Weight: 0.4, Postings: []Posting{{4, 1}, {5, 1}, {6, 1}}}}
	if got := first(t, c, q); c.Note[got] != 1 {
		t.Errorf("hybrid: position %d, want one about the bicycle", got)
	}
	q.Mode = Keyword
	if hits := Search(c, q); len(hits) != 0 {
		t.Errorf("keyword: %v, want nothing", hits)
	}
}

func TestFilterAndLimit(t *testing.T) {
	c, terms := talk(chat)
	q := ask("bicycle office", terms)
	q.Filter = func(pos int32) bool { return pos == 5 || pos == 6 }
	for _, h := range Search(c, q) {
		if h.Pos != 5 && h.Pos != 6 {
			t.Errorf("position %d passed the filter", h.Pos)
		}
	}
	q.Filter, q.Limit = nil, 1
	if n := len(Search(c, q)); n != 1 {
		t.Errorf("%d hits, want 1", n)
	}
}

func TestEmpty(t *testing.T) {
	if got := Search(&Corpus{}, Query{Text: "x"}); got != nil {
		t.Errorf("hits of no corpus: %v", got)
	}
	c := &Corpus{Note: []int32{0, 0}, Len: []int32{0, 0}}
	if got := Search(c, Query{Text: "x", Terms: []Term{{Text: "x"}}, Cosine: []float32{float32(math.NaN()), float32(math.NaN())}}); len(got) != 0 {
		t.Errorf("hits of no evidence: %v", got)
	}
}

// Laws: scores fall, positions are unique and in the corpus, parts sum up to the
// score, and the same search gives the same answer.
func TestLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		c, q := random(r, 1+r.IntN(300))
		hits := Search(c, q)
		seen := map[int32]bool{}
		for i, h := range hits {
			if h.Pos < 0 || int(h.Pos) >= c.Size() || seen[h.Pos] {
				t.Fatalf("position %d is not there or there twice", h.Pos)
			}
			seen[h.Pos] = true
			if i > 0 && hits[i-1].Score < h.Score {
				t.Fatalf("hit %d scores above the one before it", i)
			}
			p := h.Parts
			if sum := p.Relevance + p.Importance + p.Pin + p.Recency + p.Superseded; math.Abs(sum-h.Score) > 1e-9 {
				t.Fatalf("parts sum up to %v, score is %v", sum, h.Score)
			}
			if p.Relevance < 0 || p.Relevance > 1+1e-6 || p.Coverage < 0 || p.Coverage > 1 {
				t.Fatalf("relevance %v, coverage %v", p.Relevance, p.Coverage)
			}
		}
		if diff := cmp.Diff(hits, Search(c, q)); diff != "" {
			t.Fatalf("the second search differs:\n%s", diff)
		}
	}
}

func random(r *rand.Rand, n int) (*Corpus, Query) {
	c := &Corpus{Speakers: []string{"", "user", "assistant", "Ana"}, AvgLen: 40}
	note := int32(0)
	q := Query{Text: "what did Ana tell me about it last week", Now: time.Unix(1_700_000_000, 0)}
	for range n {
		if r.IntN(8) == 0 && len(c.Note) > 0 {
			note++
		}
		c.Note, c.Len = append(c.Note, note), append(c.Len, int32(1+r.IntN(120)))
		c.Speaker, c.Flags = append(c.Speaker, int32(r.IntN(4))), append(c.Flags, Flag(r.IntN(64)))
		c.Time = append(c.Time, 1_700_000_000-int64(r.IntN(5_000_000)))
		c.Importance, c.Salience = append(c.Importance, uint8(r.IntN(256))), append(c.Salience, uint8(r.IntN(256)))
		q.Cosine = append(q.Cosine, r.Float32()*0.6-0.1)
	}
	for k := range 6 {
		t := Term{Text: string(rune('a' + k))}
		for pos := range n {
			if r.IntN(1<<k+1) == 0 {
				t.Postings = append(t.Postings, Posting{int32(pos), int32(1 + r.IntN(3))})
			}
		}
		q.Terms = append(q.Terms, t)
	}
	return c, q
}

func TestAsks(t *testing.T) {
	for text, want := range map[string]bool{
		"How are you?": true, "really?! yes": true, "何ですか？": true, "لماذا؟": true, "(why?)": true,
		"see example.org/?q=1": false, "no question": false, "": false,
	} {
		if got := Asks(text); got != want {
			t.Errorf("Asks(%q) = %v", text, got)
		}
	}
}

func BenchmarkSearch50k(b *testing.B) {
	c, q := random(rand.New(rand.NewPCG(3, 4)), 50_000)
	b.ReportAllocs()
	for b.Loop() {
		Search(c, q)
	}
}

func TestAsksCourse(t *testing.T) {
	for text, want := range map[string]bool{
		"Can you summarise what I told you about the garden?": true, "In which order did I visit the islands?": true,
		"How has my running progressed?": true, "what is the height of the tower": false,
		"Where is the summit?": false, strings.Repeat("summary ", 500): false,
	} {
		if got := asksCourse(text); got != want {
			t.Errorf("asksCourse(%.40q) = %v", text, got)
		}
	}
}

// A question for a summary takes what is like its best hits, and leaves
// instructions be.
func TestCourse(t *testing.T) {
	c, terms := talk(`
user: My garden begins with four beds of beans beside the old stone wall
user: The slugs ate every single seedling within the first two nights of June

user: Always mention the price when I ask about tools for the garden
user: The dentist moved my appointment to the second Thursday of next month
`)
	q := ask("Give me a summary of my garden", terms)
	q.Cosine = []float32{0.9, 0.1, 0.1, 0.1}
	hits := Search(c, q)
	for _, h := range hits {
		if h.Pos == 2 && h.Score >= hits[0].Score {
			t.Error("an instruction leads a summary")
		}
	}
	score := func(pos int32, hits []Hit) float64 {
		for _, h := range hits {
			if h.Pos == pos {
				return h.Parts.Relevance
			}
		}
		return 0
	}
	before := score(1, hits) - score(3, hits)
	q.Near = func(pos []int32) []float32 {
		if len(pos) == 0 || pos[0] != 0 {
			t.Errorf("asked for what is like %v, want the best hit first", pos)
		}
		return []float32{1, 0.8, 0.1, 0}
	}
	hits = Search(c, q)
	if after := score(1, hits) - score(3, hits); after <= before {
		t.Errorf("what is like the best hit leads by %.3f, by %.3f without feedback", after, before)
	}
	q.Text = "garden beds"
	q.Near = func([]int32) []float32 { t.Error("asked for feedback on a plain question"); return nil }
	Search(c, q)
}

// The signature never hides a pair that is similar.
func TestSignature(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	found := 0
	for range 2000 {
		var a, b []string
		for i := range 8 + r.IntN(40) {
			word := fmt.Sprintf("w%03d", i)
			if a = append(a, word); r.IntN(25) > 0 {
				b = append(b, word)
			}
		}
		if similar(a, b) {
			found++
			if !sign(a).near(sign(b), min(len(a), len(b))) {
				t.Fatalf("similar sets told apart:\n%v\n%v", a, b)
			}
		}
	}
	if found < 100 {
		t.Errorf("%d similar pairs, too few to tell", found)
	}
}
