package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memsync/memsync/vault/history"
)

// spoken are invented sessions: what each is about, its key phrases, and its lines.
// Sessions of one matter do not all share a phrase, and some of different matters do.
var spoken = []struct{ matter, phrases, lines string }{
	{"bees", "beehive, varroa mites, oxalic acid", "Treated both hives against varroa with oxalic acid. Counted 40 mites on the board after two days."},
	{"roster", "shift roster, Postgres, REST API", "Trying to model the shift roster in Postgres. Decided on one table for shifts and one for swaps."},
	{"bees", "honey harvest, extractor, beehive", "Harvested 14 kilos of honey from the garden hive. Want to buy a second-hand extractor."},
	{"spanish", "subjunctive, Spanish verbs, flashcards", "Trying to understand when Spanish takes the subjunctive. Made 60 flashcards of irregular verbs."},
	{"knee", "knee pain, physiotherapy, running", "Hurt my left knee on a run in the park. The physiotherapist told me to rest it for two weeks."},
	{"roster", "swap requests, API endpoint, roster", "Added an endpoint with which nurses ask to swap a shift. Trying to validate that nobody works two nights in a row."},
	{"lisbon", "Lisbon, hostel, tram 28", "Booked a hostel in Alfama for the first week of May. Want to take tram 28 early in the morning."},
	{"sourdough", "sourdough starter, rye flour, hydration", "Feed the starter with rye flour every Monday. My last loaf was too wet at 80 percent hydration."},
	{"spanish", "Spanish conversation, tutor, pronunciation", "Found a tutor from Bogotá for Spanish conversation on Thursdays. My pronunciation of rr is still weak."},
	{"bees", "swarm, queen, bee colony", "The colony swarmed on Sunday and hung in the pear tree. Caught the swarm and gave it a new queen."},
	{"knee", "half marathon, training plan, knee", "Started running again for ten minutes without knee pain. My plan for the half marathon begins in week three."},
	{"lisbon", "Sintra, train, palace tickets", "Decided to take the train from Lisbon to Sintra. Bought tickets for the palace at nine."},
	{"roster", "deployment, Docker, staging server", "Set up the staging server for the roster with Docker. Trying to run the migrations on deployment."},
	{"sourdough", "baguette, oven temperature, crust", "Baked sourdough baguettes at 250 degrees. The crust came out pale, so I want to bake with steam."},
	{"tax", "tax return, home office, receipts", "Collected the receipts of my home office for the tax return. The accountant wants them by the end of May."},
	{"knee", "physiotherapy, stretching, squats", "Do squats and stretching for the knee every evening. My physiotherapist was happy with the progress."},
	{"spanish", "past tenses, Spanish novel, reading", "Reading a Spanish novel for beginners, a chapter a day. Trying to tell the two past tenses apart."},
	{"lisbon", "pastel de nata, Belém, budget", "Set a budget of 60 euros a day for the week in Lisbon. Want to eat pastéis de nata in Belém on the first morning."},
	{"bees", "winter feed, sugar syrup, hives", "Fed the hives with sugar syrup in September. Weighed each hive, and one is too light for the winter."},
	{"sourdough", "bread scoring, banneton, dough", "Bought a banneton for proofing the dough. Trying to score the bread so that it opens on one side."},
	{"roster", "unit tests, night shifts, CI pipeline", "Wrote tests for the rule about night shifts. The pipeline of the roster fails on time zones."},
}

// Sessions about one matter share a page, and those about others are on other pages:
// by meaning, as few share a phrase, with the built-in model. Those that come later
// join, and no earlier one moves.
func TestTopicsByMeaning(t *testing.T) {
	a, dir := madeVault(t)
	if err := os.WriteFile(filepath.Join(dir, "talks.md"), []byte("What was said. ^t0001\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	places := map[int]string{}
	for _, upTo := range []int{8, 15, len(spoken)} {
		for i := range upTo {
			path, text := sessionNote(i)
			file := filepath.Join(dir, filepath.FromSlash(path))
			if _, err := os.Stat(file); err == nil {
				continue
			}
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		git(t, dir, "add", "sessions")
		git(t, dir, "-c", "user.name=memsync", "-c", "user.email="+history.MachineEmail, "commit", "-q", "-m", "summaries: by hand")
		if status := a.run(t.Context(), []string{"synth", "--vault", dir, "--pass", "topics"}); status != exitDone {
			t.Fatalf("status %d", status)
		}
		now := onPages(t, dir)
		for i, was := range places {
			if was != "other-conversations.md" && now[i] != was {
				t.Errorf("talk %d went from %s to %s", i, was, now[i])
			}
		}
		places = now
	}
	together, right, wrong := 0, 0, 0
	for i := range spoken {
		for j := range i {
			one, page := spoken[i].matter == spoken[j].matter, places[i] == places[j] && places[i] != "other-conversations.md"
			switch {
			case one && page:
				right++
			case page:
				wrong++
				t.Logf("%s and %s are both on %s", spoken[i].lines, spoken[j].lines, places[i])
			}
			if one {
				together++
			}
		}
	}
	t.Logf("of %d pairs about one matter %d share a page, and %d pairs about two", together, right, wrong)
	for i, s := range spoken {
		t.Logf("%-10s %s", s.matter, places[i])
	}
	if float64(right) < 0.7*float64(together) || wrong > 3 {
		t.Error("the topics are not what the sessions are about")
	}
	before := git(t, dir, "rev-parse", "HEAD")
	if a.run(t.Context(), []string{"synth", "--vault", dir, "--pass", "topics"}); git(t, dir, "rev-parse", "HEAD") != before {
		t.Error("a second run made a commit")
	}
}

// onPages are the pages on which the sessions are linked.
func onPages(t *testing.T, dir string) map[int]string {
	t.Helper()
	pages, err := filepath.Glob(filepath.Join(dir, "memory", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[int]string{}
	for _, page := range pages {
		raw, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for i := range spoken {
			if strings.Contains(string(raw), fmt.Sprintf("-talk-%02d|", i)) {
				if out[i] != "" {
					t.Errorf("talk %d is on %s and on %s", i, out[i], filepath.Base(page))
				}
				out[i] = filepath.Base(page)
			}
		}
	}
	return out
}

// sessionNote is a session as the pass of summaries writes it.
func sessionNote(i int) (path, text string) {
	s := spoken[i]
	day := time.Date(2025, 1, 6, 9, 0, 0, 0, time.UTC).AddDate(0, 0, 6*i)
	var b strings.Builder
	fmt.Fprintf(&b, "---\nid: se-talk%02d\ntype: session\ntitle: Talk %02d\nstart: %s\nend: %s\nsource: chatgpt\ntopics:\n", i, i, day.Format(time.RFC3339), day.Format(time.RFC3339))
	for p := range strings.SplitSeq(s.phrases, ", ") {
		fmt.Fprintf(&b, "  - %s\n", p)
	}
	b.WriteString("generated: true\n---\n\n")
	for line := range strings.SplitSeq(strings.TrimSuffix(s.lines, "."), ". ") {
		fmt.Fprintf(&b, "- %s. ([[talks#^t0001|1]])\n", line)
	}
	return fmt.Sprintf("sessions/2025/%s-talk-%02d.md", day.Format("2006-01-02"), i), b.String()
}
