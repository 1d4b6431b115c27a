package privacy

import (
	"strings"

	"github.com/memsync/memsync/vault/lazyregexp"
)

// changedFromTo is "… changed from 1188 to 7720" behind a label.
var changedFromTo = lazyregexp.New(`^(?: \pL+){0,3} (?:from|von|de|du|da) (\d{4,8}) (?:to|auf|zu|in|a|à|para) (\d{4,8})\b(?: \pL+)?`)

// changeStems say that a code became another: a range of postal codes does not.
var changeStems = []string{"chang", "geänder", "cambi", "modif", "mudou", "mudei", "switched", "reset"}

// changedCodes finds both codes of a change: the old one often opens another door.
func (s *scan) changedCodes(out []Finding) []Finding {
	for _, w := range s.hits {
		if w.kind != kindOTP && w.kind != kindCode {
			continue
		}
		t := s.text[w.end:min(len(s.text), w.end+96)]
		m := changedFromTo.FindStringSubmatchIndex(t)
		if m == nil || m[3]-m[2] != m[5]-m[4] {
			continue
		}
		said := strings.ToLower(t[:m[1]])
		for _, stem := range changeStems {
			if strings.Contains(said, stem) {
				for i := 2; i < 6; i += 2 {
					out = append(out, Finding{OTP, w.end + m[i], w.end + m[i+1], "code-changed", 0.85})
				}
				break
			}
		}
	}
	return out
}
