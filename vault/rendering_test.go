package vault

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestRenderings(t *testing.T) {
	at := Stamp{Time: time.Date(2025, 3, 14, 10, 2, 0, 0, time.UTC), Floating: true, Minutes: true}
	const p = Path("transcripts/whatsapp/2025/2025-03-14-mira.md")
	of := func(turn string) Link { return Link{Target: p.Stem(), Block: turn} }
	want := []Rendering{
		{Sender: "Mira", Time: at, Text: "Cannot come tomorrow (much work)", Of: of("t0012")},
		{Sender: "Mira **· (Arbeit)", Text: "Two\nlines", Of: of("t0120")},
		{Text: "The app said that", Of: of("t0121")},
	}
	body := "---\ntype: rendering\n---\n\nA line of the page's.\n\n"
	for _, r := range want {
		body += FormatRendering(p, r)
	}
	n := Parse("english/whatsapp/2025/2025-03-14-mira.md", []byte(body+"- a bullet of the person's\n- **Mira** · no link\n"))
	got := n.Renderings()
	want[1].Text = "Two lines"
	ignore := cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Span" || p.Last().String() == ".Alias" }, cmp.Ignore())
	if diff := cmp.Diff(want, got, ignore); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if line := string(got[0].Span.Cut(n.Bytes())); line != "- **Mira** · 2025-03-14 10:02 · Cannot come tomorrow (much work) ([[transcripts/whatsapp/2025/2025-03-14-mira#^t0012|12]])" {
		t.Errorf("the span is %q", line)
	}
}
