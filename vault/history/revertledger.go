package history

import (
	"bytes"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/merge"
)

// takeClaims undoes the making of a ledger that was edited since: the claims that the
// commit wrote go, where they stand as it wrote them, and every line of the person's
// stays. A ledger is a list of claims with ids, so that a line can be told by its own
// and not by its neighbours, as a merge of lines would. It reports false for a note
// that is no ledger.
func (f *undone) takeClaims(after []byte) bool {
	made, now := vault.Parse("ledger.md", after), vault.Parse("ledger.md", bytes.Clone(f.content))
	if !made.IsLedger() || !now.IsLedger() {
		return false
	}
	for _, c := range made.Claims() {
		stands, ok := now.Claim(c.ID)
		if c.ID == "" || !ok {
			continue
		}
		if was, is := c.Span.Cut(made.Bytes()), stands.Span.Cut(now.Bytes()); !bytes.Equal(was, is) {
			f.conflicts = append(f.conflicts, merge.Conflict{
				Base: merge.Range{Start: c.Line - 1, End: c.Line}, Ours: merge.Range{Start: stands.Line - 1, End: stands.Line}, BaseText: was, OursText: is,
			})
			continue
		}
		if now.RemoveClaim(c.ID) != nil {
			return false
		}
	}
	head := made.Bytes()[:made.BodyStart()]
	if bytes.Equal(now.Bytes()[:now.BodyStart()], head) && len(bytes.TrimSpace(now.Body())) == 0 {
		f.exists, f.content = false, nil
		return true
	}
	f.content = now.Bytes()
	return true
}
