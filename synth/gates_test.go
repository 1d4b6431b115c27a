package synth

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/memsync/memsync/synth/gate"
	"github.com/memsync/memsync/synth/review"
	"github.com/memsync/memsync/vault"
)

// Each gate, held by the runner: a page that fails it is in no commit, waits in
// review/ with the reason, and is written when the person accepts it; only what
// would show a secret is not shown.
func TestEveryGateHolds(t *testing.T) {
	const head = "---\nid: profile\ntype: profile\ntitle: Profile\ngenerated: true\n---\n\n"
	cited := func(from, n int) string { // lines that no ledger holds
		const link = " ([[transcripts/chatgpt/2025/2025-01-12-sourdough#^t0002|2]])"
		var b strings.Builder
		for i := from; i < from+n; i++ {
			b.WriteString("- Word" + strings.Repeat("a", i+1) + " is other" + strings.Repeat("b", i+1) + link + "\n")
		}
		return b.String()
	}
	gates := map[string]func(l *lab) (p vault.Path, page string){
		gate.FrontMatter: func(*lab) (vault.Path, string) { return "memory/knots.md", "---\nid: [knots\n---\n\nKnots.\n" },
		gate.Links: func(*lab) (vault.Path, string) {
			return "memory/knots.md", "---\nid: to-knots\ntype: topic\ntitle: Knots\ngenerated: true\n---\n\nSee [[sessions/2024/nowhere]].\n"
		},
		gate.Citations: func(*lab) (vault.Path, string) {
			return "sessions/2025/2025-02-01-knots.md", "---\nid: ss-knots\ntype: session\ntitle: Knots\ngenerated: true\n---\n\n- Ties knots.\n"
		},
		gate.Caps: func(*lab) (vault.Path, string) {
			return "sessions/2025/2025-02-01-knots.md", "---\nid: ss-knots\ntype: session\ntitle: Knots\ngenerated: true\n---\n\n" + strings.Repeat("Many words about knots. ", 60) + "\n"
		},
		gate.Secrets: func(*lab) (vault.Path, string) {
			return "memory/knots.md", "---\nid: to-knots\ntype: topic\ntitle: Knots\ngenerated: true\n---\n\nThe word is hunter2.\n"
		},
		gate.Loss: func(*lab) (vault.Path, string) { return "profile.md", head + cited(20, 2) },
	}
	file, err := parser.ParseFile(token.NewFileSet(), "gate/gate.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, s := range g.Specs {
			if lit, ok := s.(*ast.ValueSpec).Values[0].(*ast.BasicLit); ok && lit.Kind == token.STRING && gates[strings.Trim(lit.Value, `"`)] == nil {
				t.Errorf("the gate %s is not tried", lit.Value)
			}
		}
	}
	for name, bad := range gates {
		l := baker(t)
		l.cfg.Secret = func(text string) bool { return strings.Contains(text, "hunter2") }
		commit := func(p vault.Path, page string) Report {
			var made Made
			made.page(p, []byte(page))
			made.Subject = "a page"
			rep, err := NewRunner(l.v, l.cfg).commit(t.Context(), "topics", NewView(l.v), made)
			if err != nil {
				t.Fatal(err)
			}
			return rep
		}
		if name == gate.Loss { // there is something to lose
			change, err := l.cfg.Begin("profile", nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := change.Write(t.Context(), "profile.md", vault.HashOf([]byte(l.read("profile.md"))), []byte(head+cited(0, 8))); err != nil {
				t.Fatal(err)
			}
			if _, err := change.Commit(t.Context(), "profile: eight lines", ""); err != nil {
				t.Fatal(err)
			}
		}
		p, page := bad(l)
		before, _ := l.v.Read(p)
		rep := commit(p, page)
		if after, _ := l.v.Read(p); string(after) != string(before) {
			t.Errorf("%s: the page was written:\n%s", name, after)
		}
		open, err := Proposals(t.Context(), NewView(l.v))
		if err != nil {
			t.Fatal(err)
		}
		var held review.Proposal
		for _, one := range open {
			if one.Target == p {
				held = one
			}
		}
		if len(rep.Skipped) != 1 || !strings.Contains(held.Reason, name+": ") {
			t.Errorf("%s: skipped %v, the proposal says %q", name, rep.Skipped, held.Reason)
			continue
		}
		if name == gate.Secrets {
			if held.Action != review.Notice || strings.Contains(l.read(held.Path), "hunter2") {
				t.Errorf("the proposal shows the secret:\n%s", l.read(held.Path))
			}
			continue
		}
		if name == gate.FrontMatter {
			continue // such a page helps nobody; its text is in the proposal
		}
		l.decide(Decision{held.ID, true})
		if after := l.read(p); after != page {
			t.Errorf("%s: accepted, and the page is\n%s", name, after)
		}
	}
}
