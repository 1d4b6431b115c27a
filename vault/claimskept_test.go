package vault

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Whatever is edited in a ledger, the claims that a note keeps are those that are read
// from its bytes.
func TestClaimsAreThoseOfTheBytes(t *testing.T) {
	const ledger = "---\nid: fa-x\ntype: facts\ntitle: X\n---\n\nSome words.\n\n- One. (kind:: event) ^f-1\n- Two\n  goes on. ^f-2\n* Three. (seen:: 2025-01-02) ^f-3\n\n## Superseded\n\n- Old. (status:: superseded) ^f-4\n\n```\n- no claim ^f-5\n```\n"
	values := []string{"2025-02-03", "", "a `tick`", "```", "<!-- b", "%% c", "d e f"}
	for seed := range uint64(40) {
		chance := rand.New(rand.NewPCG(seed, 1))
		text := ledger
		if seed%2 == 1 {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		n := Parse("facts/x.md", []byte(text))
		n.Claims()
		for step := range 30 {
			id := fmt.Sprintf("f-%d", 1+chance.IntN(9))
			value := values[chance.IntN(len(values))]
			switch chance.IntN(7) {
			case 0, 1:
				_ = n.SetClaimField(id, []string{"seen", "status", "rel"}[chance.IntN(3)], value)
			case 2:
				_ = n.AddEvidence(id, Evidence{Link: LinkToBlock("transcripts/a.md", "t0001", "1"), Quote: value})
			case 3:
				n.AddClaim(Claim{ID: id + "x", Text: "New " + value, Confidence: -1, Importance: -1, Superseded: chance.IntN(2) == 0})
			case 4:
				_ = n.RemoveClaim(id)
			case 5:
				_ = n.ReplaceClaim(id, Claim{ID: id, Text: "Other " + value, Confidence: -1, Importance: -1})
			default:
				_ = n.Supersede(id, "2025-05-05")
			}
			if diff := cmp.Diff(Parse(n.Path, n.Bytes()).Claims(), n.Claims()); diff != "" {
				t.Fatalf("seed %d, step %d (-read anew +kept):\n%s\n%s", seed, step, diff, n.Bytes())
			}
			if got := Parse(n.Path, n.Bytes()); got.Prop("title") != n.Prop("title") || got.BodyStart() != n.BodyStart() {
				t.Fatalf("seed %d, step %d: front matter is another", seed, step)
			}
		}
	}
}
