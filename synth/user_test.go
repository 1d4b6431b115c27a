package synth

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/vault"
)

func headsOf(n int, month func(i int) string) []head {
	var out []head
	for i := range n {
		key := fmt.Sprintf("chatgpt\x00c%04d", i)
		out = append(out, head{path: vault.Path(fmt.Sprintf("transcripts/%04d.md", i)), key: key, created: month(i) + "-10T08:00:00Z", ended: "x"})
	}
	return out
}

func keys(heads []head) []string {
	var out []string
	for _, h := range heads {
		out = append(out, h.key)
	}
	return out
}

// The sample is bounded, the same for the same conversations in any order, spread
// over the months, and nearly the same after one more conversation.
func TestSample(t *testing.T) {
	tests := map[string][]head{
		"one month":   headsOf(500, func(int) string { return "2025-03" }),
		"two years":   headsOf(500, func(i int) string { return fmt.Sprintf("20%02d-%02d", 24+i%2, 1+i%12) }),
		"many months": headsOf(300, func(i int) string { return fmt.Sprintf("%04d-%02d", 1990+i%30, 1+i%12) }),
		"uneven":      headsOf(400, func(i int) string { return fmt.Sprintf("2025-%02d", 1+min(11, i/2)) }),
		"few":         headsOf(7, func(i int) string { return "2025-01" }),
		"none":        nil,
	}
	for name, heads := range tests {
		got := sample(heads, userSample)
		if len(got) != min(userSample, len(heads)) {
			t.Errorf("%s: %d in the sample", name, len(got))
		}
		turned := slices.Clone(heads)
		slices.Reverse(turned)
		if d := cmp.Diff(keys(got), keys(sample(turned, userSample))); d != "" {
			t.Errorf("%s: the order of the files changes the sample:\n%s", name, d)
		}
		all, shown := map[string]bool{}, map[string]bool{}
		for _, h := range heads {
			all[h.created[:7]] = true
		}
		for _, h := range got {
			shown[h.created[:7]] = true
		}
		if len(shown) < min(len(all), userSample) {
			t.Errorf("%s: %d of %d months are in the sample", name, len(shown), len(all))
		}
		if len(heads) == 0 {
			continue
		}
		more := sample(append(slices.Clone(heads), head{path: "new.md", key: "chatgpt\x00new", created: heads[0].created, ended: "x"}), userSample)
		moved := 0
		for _, k := range keys(more) {
			if !slices.Contains(keys(got), k) {
				moved++
			}
		}
		if moved > 3 {
			t.Errorf("%s: one more conversation changed %d of the sample", name, moved)
		}
	}
}

func TestUserPage(t *testing.T) {
	l := newLab(t)
	l.add(
		said("u1", "Roster", "2025-01-12T07:30:00Z",
			"Hi, I'm Ana Roth, a paramedic from Graz.", "I'm working on the roster of the mountain rescue.", "Why is the roster late?",
			"I've decided on SQLite over Postgres because it is one file.", "I prefer short answers.", "Could you check the roster again, please?"),
		said("u2", "Roster again", "2025-02-12T07:30:00Z",
			"The roster is late again. I'm frustrated that the roster keeps failing on Sundays.", "I'm working on the roster of the mountain rescue in Graz.",
			"I prefer short answers without lists.", "I go running every morning before my shift.", "I'm proud of our summer course in Bad Aussee.", "Can you show the roster?"),
		said("u3", "Key", "2025-03-12T07:30:00Z", "I prefer the password hunter2-hunter2 for the roster of the team."),
	)
	l.cfg.Secret = func(text string) bool { return strings.Contains(text, "hunter2") }
	l.run()
	page := l.read("USER.md")
	for _, want := range []string{
		"From 3 of 3 conversations", "## Works on\n\n- Working on the roster of the mountain rescue in Graz. (", "Ana Roth, a paramedic from Graz.",
		"Decided on SQLite over Postgres because it is one file.", "Prefer short answers without lists.", "Frustrated that the roster keeps failing on Sundays.",
		"every morning before my shift", "Proud of our summer course", "- roster, in 2 conversations to 2025-02-12.", "Asks something in 25% of messages.",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("USER.md has no %q:\n%s", want, page)
		}
	}
	for _, not := range []string{"hunter2", "Paris"} { // a secret, and what the assistant said
		if strings.Contains(page, not) {
			t.Errorf("USER.md has %q:\n%s", not, page)
		}
	}
	if n := Tokens(string(vault.Parse("USER.md", []byte(page)).Body())); n > userTokens {
		t.Errorf("USER.md has %d tokens", n)
	}
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "- ") && !strings.Contains(line, "[[transcripts/") && line != "- user\n" {
			t.Errorf("a line without its turn: %s", line)
		}
	}
	checkLaws(t, l)

	// What was forgotten is not said again.
	l.cfg.Forgotten, _ = vault.NewForgotten(l.cfg.Chance)
	l.cfg.Forgotten.Add("Decided on SQLite over Postgres because it is one file.")
	r := NewRunner(l.v, l.cfg)
	r.seen = progress{}
	made, err := r.user(t.Context(), NewView(l.v))
	if err != nil {
		t.Fatal(err)
	}
	if len(made.Pages) != 1 || strings.Contains(string(made.Pages[0].Data), "SQLite over Postgres") {
		t.Error("USER.md says what the person removed")
	}
}

// A sample that has not changed is not read again.
func TestUserReadsOnce(t *testing.T) {
	l := baker(t)
	r := NewRunner(l.v, l.cfg)
	made, err := r.user(t.Context(), NewView(l.v))
	if err != nil || len(made.Pages)+len(made.Sources) > 0 {
		t.Errorf("a second run reads %v, %v", made.Sources, err)
	}
}

// What is tried, advised or counted is no routine, an errand no work, and a formula no
// tool.
func TestWhatIsOnlyMeant(t *testing.T) {
	for text, want := range map[string]bool{
		"I walk the dog every morning before work.":                        true,
		"I've been swimming in the lake twice a week.":                     true,
		"I'm trying to stay below the daily quota of 40 calls.":            false,
		"My suggestion is a swim twice a week and a walk.":                 false,
		"I've set the daily limit of the oven to 20 loaves.":               false,
		"I feel my knee a little more than usually after the long stairs.": false,
	} {
		got := false
		for _, s := range extract.Statements(text) {
			got = got || routine(s)
		}
		if got != want {
			t.Errorf("%q: a routine is %v", text, got)
		}
	}
	for text, want := range map[string]bool{
		"I'm working on a cookbook about rye bread.":            true,
		"I'm running some errands today in the old town.":       false,
		"I'm running into some issues with the oven's display.": false,
	} {
		got := false
		for _, s := range extract.Statements(text) {
			got = got || worksOn(s)
		}
		if got != want {
			t.Errorf("%q: work is %v", text, got)
		}
	}
	v := voice{turns: []spoken{{text: "I solved it using Viviani's theorem and drew it using Inkscape."}, {text: "Using Viviani's theorem again, I set up Inkscape with our API. I used the API."}}, talks: []conversation{{}}}
	if got := strings.Join(v.toolLines(), "\n"); !strings.HasPrefix(got, "- Inkscape, in 1 conversation") || strings.Contains(got, "Viviani") || strings.Contains(got, "- API") {
		t.Errorf("the tools are\n%s", got)
	}
}
