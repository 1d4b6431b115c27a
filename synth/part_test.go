package synth

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/vault"
)

// byWords says how much texts are alike by the words that they share.
type byWords struct{}

func (byWords) Similar(_ context.Context, text string, others []string) ([]float64, error) {
	out := make([]float64, len(others))
	for i, o := range others {
		out[i] = extract.Overlap(text, o)
	}
	return out, nil
}

// sittingsOf are n sessions of one topic, the i-th of which is about one of several
// matters, in turn.
func sittingsOf(n int, matter func(i int) []string) []session {
	var out []session
	for i := range n {
		names := matter(i)
		day := fmt.Sprintf("2024-%02d-%02d", 1+i/28, 1+i%28)
		note := vault.Parse(vault.Path(fmt.Sprintf("sessions/2024/%s-s%d.md", day, i)), []byte("---\ntype: session\ntopic: sourdough\n---\n\nx\n"))
		s := session{note: note, start: day + "T08:00:00Z", title: strings.Join(names, " "), topic: "sourdough", names: names}
		for _, p := range append([]string{"sourdough"}, names...) {
			s.phrases = append(s.phrases, extract.PhraseKey(p))
		}
		text := fmt.Sprintf("Talked of the %s and the %s.", names[0], names[1])
		s.items = []item{{text: text, line: text, key: " " + extract.PhraseKey(text)}}
		out = append(out, s)
	}
	return out
}

var (
	ofBread = []string{"rye starter", "oven temperature", "flour mill", "proofing basket"}
	ofBikes = []string{"gear cable", "brake pads", "tyre pressure", "chain oil"}
)

// bikesEvery gives the names of ofBread, and to every third session, or so, those of ofBikes.
func bikesEvery(third int) func(i int) []string {
	return func(i int) []string {
		list := ofBread
		if i%third == 0 {
			list = ofBikes
		}
		return []string{list[i%4], list[(i+1)%4], list[(i/3)%4]}
	}
}

// A topic that has grown past mostTopic is parted where it is about two things, each
// of leastPart sessions at least. Its name stays with the larger part, and what was
// parted stays as it is in the next run.
func TestALargeTopicIsParted(t *testing.T) {
	tests := map[string]struct {
		sessions []session
		want     []int // members of the topics, the old name's first
	}{
		"about two things":                {sittingsOf(60, bikesEvery(3)), []int{40, 20}},
		"not too large":                   {sittingsOf(mostTopic, bikesEvery(3)), []int{mostTopic}},
		"a few are of another thing":      {sittingsOf(60, bikesEvery(9)), []int{60}},
		"one thing, however much is said": {sittingsOf(60, func(int) []string { return ofBread }), []int{60}},
		"about two things, much of both":  {sittingsOf(150, bikesEvery(3)), nil},
	}
	for name, tt := range tests {
		for _, near := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, by meaning %v", name, near), func(t *testing.T) {
				r := &Runner{}
				if near {
					r.cfg.Near = byWords{}
				}
				g, err := r.group(t.Context(), slices.Clone(tt.sessions), nil)
				if err != nil {
					t.Fatal(err)
				}
				var sizes []int
				seen := map[int]bool{}
				for _, c := range g.clusters {
					sizes = append(sizes, len(c.members))
					if c.name == "" {
						t.Errorf("a part of %d has no name", len(c.members))
					}
					if !slices.IsSorted(c.members) {
						t.Error("the sessions of a part are not in the order of time")
					}
					for _, m := range c.members {
						if seen[m] {
							t.Errorf("session %d is in two parts", m)
						}
						seen[m] = true
					}
				}
				if len(seen) != len(tt.sessions) {
					t.Errorf("%d of %d sessions are in a part", len(seen), len(tt.sessions))
				}
				if tt.want != nil {
					if d := cmp.Diff(tt.want, sizes); d != "" {
						t.Errorf("(-want +got):\n%s", d)
					}
				}
				if g.clusters[0].name != "sourdough" || len(g.clusters) > 1 && strings.EqualFold(g.clusters[1].name, "sourdough") {
					t.Errorf("the parts are called %q, ...", g.clusters[0].name)
				}
				// The next run reads the names from the sessions.
				again := slices.Clone(tt.sessions)
				for _, c := range g.clusters {
					for _, m := range c.members {
						again[m].topic = c.name
					}
				}
				next, err := r.group(t.Context(), again, nil)
				if err != nil {
					t.Fatal(err)
				}
				var after []int
				for _, c := range next.clusters {
					after = append(after, len(c.members))
				}
				slices.Sort(sizes)
				slices.Sort(after)
				if d := cmp.Diff(sizes, after); d != "" {
					t.Errorf("the next run parts anew (-first +next):\n%s", d)
				}
			})
		}
	}
}
