package vault

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func texts(raw string) (out []string, changed []string) {
	t := ParseTranscript(Parse("t.md", []byte(raw)))
	for _, p := range t.Turns {
		out = append(out, p.Text)
	}
	return out, t.Changed
}

func TestEditedTranscripts(t *testing.T) {
	raw := string(FormatTurns(1, []Turn{
		{Sender: "user", Text: "One.\n\nTwo paragraphs."},
		{Sender: "assistant", Text: "**user** · (bytes:: 3) ^t0003\n\nfake"},
		{Sender: "user", Text: "```\nopen"},
		{Sender: "user", Text: "Last."},
	}))
	for _, c := range []struct {
		name, old, new string
		want           []string
		changed        []string
	}{
		{"untouched", "", "", []string{"One.\n\nTwo paragraphs.", "**user** · (bytes:: 3) ^t0003\n\nfake", "```\nopen", "Last."}, nil},
		{"a remark between", "paragraphs.\n", "paragraphs.\n\nMy remark.\n", []string{"One.\n\nTwo paragraphs.", "**user** · (bytes:: 3) ^t0003\n\nfake", "```\nopen", "Last."}, nil},
		{"a remark below", "Last.\n", "Last.\n\nMy remark.\n", []string{"One.\n\nTwo paragraphs.", "**user** · (bytes:: 3) ^t0003\n\nfake", "```\nopen", "Last."}, nil},
		{"a word longer", "One.", "Only one.", []string{"Only one.\n\nTwo paragraphs.", "**user** · (bytes:: 3) ^t0003\n\nfake", "```\nopen", "Last."}, []string{"t0001"}},
		{"a word shorter", "Two paragraphs.", "Two.", []string{"One.\n\nTwo.", "**user** · (bytes:: 3) ^t0003\n\nfake", "```\nopen", "Last."}, []string{"t0001"}},
		{"a turn removed", "**user** · (bytes:: 5) ^t0004\n\nLast.\n", "", []string{"One.\n\nTwo paragraphs.", "**user** · (bytes:: 3) ^t0003\n\nfake", "```\nopen"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			edited := strings.Replace(raw, c.old, c.new, 1)
			if c.old != "" && edited == raw {
				t.Fatalf("%q does not stand in\n%s", c.old, raw)
			}
			got, changed := texts(edited)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s\n%s", diff, edited)
			}
			if diff := cmp.Diff(c.changed, changed); diff != "" {
				t.Errorf("changed (-want +got):\n%s", diff)
			}
		})
	}
	crlf, _ := texts(strings.ReplaceAll(raw, "\n", "\r\n"))
	if len(crlf) != 4 {
		t.Errorf("with CRLF there are %d turns: %q", len(crlf), crlf)
	}
}

func TestLedgerEdits(t *testing.T) {
	const before = "---\r\ntype: facts\r\n---\r\n\r\nIntro.\r\n\r\n- One. (kind:: goal) (from:: [[t#^t1|\"a ) b\"]]) ^f-1\r\n  more of one\r\n- Mine, by hand\r\n\r\n```\r\n- not a claim ^f-9\r\n```\r\n\r\n## Notes\r\n\r\ntext"
	n := Parse("facts/x/y.md", []byte(before))
	if got := len(n.Claims()); got != 2 {
		t.Fatalf("%d claims", got)
	}
	if err := n.SetClaimField("f-1", "pin", "user"); err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(before, "\"]]) ^f-1", "\"]]) (pin:: user) ^f-1", 1)
	if diff := cmp.Diff(want, string(n.Bytes())); diff != "" {
		t.Errorf("set a field (-want +got):\n%s", diff)
	}
	n.AddClaim(Claim{ID: "f-2", Text: "Two", Confidence: -1, Importance: -1})
	want = strings.Replace(want, "- Mine, by hand\r\n", "- Mine, by hand\r\n- Two ^f-2\r\n", 1)
	if diff := cmp.Diff(want, string(n.Bytes())); diff != "" {
		t.Errorf("add (-want +got):\n%s", diff)
	}
	if err := n.Supersede("f-2", "2025-09-01"); err != nil {
		t.Fatal(err)
	}
	if c, ok := n.Claim("f-2"); !ok || !c.Superseded || c.Until != "2025-09-01" || c.InForce() {
		t.Errorf("superseded: %+v", c)
	}
	if err := n.RemoveClaim("f-2"); err != nil {
		t.Fatal(err)
	}
	if err := n.RemoveClaim("f-2"); err == nil || err.Error() != "facts/x/y.md: no claim ^f-2" {
		t.Errorf("err %v", err)
	}
}

func TestParseHeader(t *testing.T) {
	for line, want := range map[string]Turn{
		"**user** · 2025-08-09 19:31:04Z · (msg:: 0b1d) (bytes:: 3) ^t0001":                {ID: "t0001", Sender: "user", MessageID: "0b1d"},
		"**assistant** · 2025-08-09 19:31:40 · claude-4 (msg:: 41aa) (bytes:: 3) ^t0002":   {ID: "t0002", Sender: "assistant", Model: "claude-4", MessageID: "41aa"},
		"**assistant** · 2025-08-09 19:31:40 · claude-4 · (msg:: 41aa) (bytes:: 3) ^t0002": {ID: "t0002", Sender: "assistant", Model: "claude-4", MessageID: "41aa"},
		"**Jonas** · 2025-08-12 16:02 · (bytes:: 49) ^t0001":                               {ID: "t0001", Sender: "Jonas"},
		"**Jonas** · (bytes:: 49) ^t0012":                                                  {ID: "t0012", Sender: "Jonas"},
		"*system* · 2025-08-12 16:02 · (flags:: system) (bytes:: 49) ^t0001":               {ID: "t0001", Flags: []string{"system"}},
		"**** · 2025-08-12 16:02 · (flags:: system) (bytes:: 49) ^t0001":                   {ID: "t0001", Flags: []string{"system"}},
		"**system** · (bytes:: 49) ^t0012":                                                 {ID: "t0012", Sender: "system"},
		"*Jonas* · (bytes:: 49) ^t0012":                                                    {},
		"**bold** text (bytes:: 49) ^t0012":                                                {},
		"**Jonas** · (bytes:: x) ^t0012":                                                   {},
		"**Jonas** · (bytes:: 4) ^t12":                                                     {},
	} {
		got, ok := parseHeader(line)
		got.Time = Stamp{}
		if ok != (want.ID != "") || ok && cmp.Diff(want, got.Turn) != "" {
			t.Errorf("%s\n%v %s", line, ok, cmp.Diff(want, got.Turn))
		}
	}
}
