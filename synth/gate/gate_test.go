package gate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/vault"
)

var world = World{
	Resolves: func(l vault.Link, _ vault.Path) bool { return l.Target != "nowhere" },
	Turn: func(p vault.Path, id string) (string, bool) {
		return "I prefer tea in the   morning.", p == "transcripts/a.md" && id == "t0001"
	},
	Held:   func(line string) bool { return strings.Contains(line, "held") },
	Secret: func(text string) bool { return strings.Contains(text, "hunter2") },
	Tokens: func(text string) int { return len(strings.Fields(text)) },
}

const (
	ledgerHead  = "---\nid: fa-1\ntype: facts\n---\n\n"
	profileHead = "---\nid: profile\ntype: profile\nupdated: 2025-01-02\n---\n\n"
	claimLine   = "- Prefers tea. (kind:: preference) (from:: [[transcripts/a#^t0001|\"I prefer tea in the morning\"]]) ^f-1\n"
)

// lines are n bullets that cite a turn and share no word.
func lines(from, n int) string {
	var b strings.Builder
	for i := from; i < from+n; i++ {
		fmt.Fprintf(&b, "- word%d other%d ([[transcripts/a#^t0001|1]])\n", i, i)
	}
	return b.String()
}

func TestGates(t *testing.T) {
	session := "---\nid: ss-1\ntype: session\n---\n\n"
	topic := func(n int) string {
		var b strings.Builder
		b.WriteString("---\nid: to-1\ntype: topic\n---\n\n")
		for i := range n {
			fmt.Fprintf(&b, "[[sessions/2025/s%d|S]]\n", i)
		}
		return b.String()
	}
	tests := []struct {
		name         string
		path         vault.Path
		before, made string
		after        string // made where empty
		want         []string
	}{
		{name: "a good profile", path: "profile.md", made: profileHead + lines(0, 5)},
		{name: "front matter that does not parse", path: "profile.md", made: "---\nid: [a\n---\n\n" + lines(0, 1), want: []string{FrontMatter}},
		{name: "no id", path: "profile.md", made: "---\ntype: profile\n---\n", want: []string{FrontMatter}},
		{name: "a date that is none", path: "profile.md", made: "---\nid: profile\ntype: profile\nupdated: soon\n---\n", want: []string{FrontMatter}},
		{name: "the person's broken front matter", path: "profile.md", before: "---\nid: [a\n---\n", made: profileHead, after: "---\nid: [a\n---\n\nmore\n"},
		{name: "a link to nowhere", path: "profile.md", made: profileHead + "- Tea. [[nowhere]]\n", want: []string{Links}},
		{name: "the person's link to nowhere", path: "profile.md", before: profileHead + "[[nowhere]]\n", made: profileHead, after: profileHead + "[[nowhere]]\n" + lines(0, 1)},
		{name: "a good claim", path: "facts/a.md", made: ledgerHead + claimLine},
		{name: "a claim without a source", path: "facts/a.md", made: ledgerHead + "- Prefers tea. (kind:: preference) ^f-1\n", want: []string{Citations}},
		{name: "a claim with a false quote", path: "facts/a.md", made: ledgerHead + strings.Replace(claimLine, "prefer tea in", "hate tea in", 1), want: []string{Citations}},
		{name: "the person's own claim", path: "facts/a.md", before: ledgerHead + "- Mine.\n", made: ledgerHead + "- Mine.\n" + claimLine},
		{name: "a profile line without a source", path: "profile.md", made: profileHead + "- Tea.\n", want: []string{Citations}},
		{name: "a summary line without a source", path: "sessions/a.md", made: session + "- Tea.\n", want: []string{Citations}},
		{name: "a provider's summary", path: "sessions/a.md", made: "---\nid: ss-1\ntype: session\nprovider: claude\n---\n\n- Tea.\n" + strings.Repeat("word ", 300)},
		{name: "a long summary", path: "sessions/a.md", made: session + strings.Repeat("word ", 201), want: []string{Caps}},
		{name: "a long profile", path: "profile.md", made: profileHead + strings.Repeat("word ", 201), want: []string{Caps}},
		{name: "a person's long addition", path: "profile.md", before: profileHead, made: profileHead + lines(0, 2), after: profileHead + lines(0, 2) + strings.Repeat("word ", 300)},
		{name: "a long MEMORY.md", path: "MEMORY.md", made: "---\nid: memory\ntype: boot\n---\n" + strings.Repeat("\n", 250), want: []string{Caps}},
		{name: "a large MEMORY.md", path: "MEMORY.md", made: "---\nid: memory\ntype: boot\n---\n" + strings.Repeat("x", 26<<10), want: []string{Caps}},
		{name: "a secret", path: "profile.md", made: profileHead + "- hunter2 [[a]]\n", want: []string{Secrets}},
		{name: "the person's secret", path: "profile.md", before: profileHead + "hunter2\n", made: profileHead, after: profileHead + "hunter2\n" + lines(0, 1)},
		{name: "a quarter lost", path: "profile.md", before: profileHead + lines(0, 8), made: profileHead + lines(2, 8)},
		{name: "more than a quarter lost", path: "profile.md", before: profileHead + lines(0, 8), made: profileHead + lines(3, 8), want: []string{Loss}},
		{name: "lines that the ledgers hold", path: "profile.md", before: profileHead + "- held a [[x]]\n- held b [[x]]\n- held c [[x]]\n", made: profileHead + lines(0, 1)},
		{name: "claims lost", path: "facts/a.md", before: ledgerHead + claimLine + "- A. ^f-2\n- B. ^f-3\n", made: ledgerHead + claimLine, want: []string{Loss}},
		{name: "claims superseded", path: "facts/a.md", before: ledgerHead + claimLine + "- A. ^f-2\n- B. ^f-3\n",
			made: ledgerHead + claimLine + "\n## Superseded\n\n" + strings.ReplaceAll(claimLine, "f-1", "f-2") + strings.ReplaceAll(claimLine, "f-1", "f-3")},
		{name: "a topic that loses its sessions", path: "memory/a.md", before: topic(8), made: topic(5), want: []string{Loss}},
		{name: "a topic that loses one of many", path: "memory/a.md", before: topic(8), made: topic(7)},
	}
	for _, tt := range tests {
		p := Page{Path: tt.path, Made: []byte(tt.made), After: []byte(tt.after)}
		if tt.after == "" {
			p.After = p.Made
		}
		if tt.before != "" {
			p.Before = []byte(tt.before)
		}
		var got []string
		for _, f := range Check(p, world) {
			got = append(got, f.Gate)
			if !strings.HasPrefix(f.Message, string(tt.path)) {
				t.Errorf("%s: the message does not say where: %s", tt.name, f.Message)
			}
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s\n%v", tt.name, d, Check(p, world))
		}
	}
}

// The id to which a citation leads is no secret, whatever stands before it.
func TestCitedIDsAreNoSecrets(t *testing.T) {
	w := world
	w.Secret = func(text string) bool { return strings.Contains(text, "8gsjd8") }
	for line, want := range map[string]bool{
		"- Uses scrypt for the password ([[facts/work/software#^f-8gsjd8|f-8gsjd8]]).": false,
		"- Uses scrypt for the password 8gsjd8 ([[facts/work/software#^f-1|f-1]]).":    true,
		"- Uses scrypt ([[facts/work/8gsjd8#^f-abcdef|f-abcdef]]).":                    true,
	} {
		got := false
		for _, f := range Check(Page{Path: "profile.md", Made: []byte(profileHead + line), After: []byte(profileHead + line)}, w) {
			got = got || f.Gate == Secrets
		}
		if got != want {
			t.Errorf("%q: a secret is %v", line, got)
		}
	}
}
