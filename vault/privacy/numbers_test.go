package privacy

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

// Every country's IBANs are found, whole and in fours, small and large, and none
// with a wrong check digit.
func TestIBANsOfEveryCountry(t *testing.T) {
	d := New(Config{})
	r := rand.New(rand.NewSource(1))
	for country, n := range ibanLength {
		for i := range 6 {
			bban := make([]byte, n-4)
			for k := range bban {
				bban[k] = byte('0' + r.Intn(10))
				if i%2 == 1 && k < 4 {
					bban[k] = byte('A' + r.Intn(26))
				}
			}
			iban := ""
			for check := 2; check < 99; check++ {
				if iban = fmt.Sprintf("%s%02d%s", country, check, bban); mod97(iban) {
					break
				}
			}
			printed := inFours(iban)
			for _, text := range []string{iban, "IBAN " + printed, strings.ToLower(iban), "to " + strings.ReplaceAll(printed, " ", "-") + ", please", "mi cuenta " + printed, "Konto: " + printed, printed + " Zürich", iban + " t.n.v. de Vries", "account no. " + iban} {
				found := d.Find(text)
				if len(found) != 1 || found[0].Class != IBAN || found[0].End-found[0].Start < n {
					t.Errorf("%q: %+v", text, found)
				}
			}
			wrong := iban[:n-1] + string('0'+(iban[n-1]-'0'+1)%10)
			for _, f := range d.Find("IBAN " + wrong) {
				if f.Class == IBAN {
					t.Errorf("%q passes", wrong)
				}
			}
		}
	}
}

func inFours(s string) string {
	var parts []string
	for len(s) > 4 {
		parts = append(parts, s[:4])
		s = s[4:]
	}
	return strings.Join(append(parts, s), " ")
}

// A check digit catches any single wrong digit and any two neighbours swapped
// (Luhn: but for 09 and 90).
func TestCheckDigits(t *testing.T) {
	for _, c := range []struct {
		name  string
		check func(string) bool
		good  string
	}{
		{"luhn", luhn, "4111111111111111"},
		{"luhn", luhn, "378282246310005"},
		{"verhoeff", verhoeff, "547824504000"},
		{"verhoeff", verhoeff, "2363"},
	} {
		if !c.check(c.good) {
			t.Errorf("%s(%s) fails", c.name, c.good)
		}
		for i := range c.good {
			for b := byte('0'); b <= '9'; b++ {
				bad := c.good[:i] + string(b) + c.good[i+1:]
				if bad != c.good && c.check(bad) {
					t.Errorf("%s(%s) passes", c.name, bad)
				}
			}
			if i == 0 || c.good[i-1] == c.good[i] || c.name == "luhn" && c.good[i-1]+c.good[i] == '0'+'9' {
				continue
			}
			bad := c.good[:i-1] + string(c.good[i]) + string(c.good[i-1]) + c.good[i+1:]
			if c.check(bad) {
				t.Errorf("%s(%s) passes", c.name, bad)
			}
		}
	}
}

func TestDigitsOfEveryScript(t *testing.T) {
	for _, zero := range []rune{'0', '٠', '۰', '०', '০', '੦', '૦', '୦', '௦', '౦', '೦', '൦', '๐', '໐', '༠', '၀', '០', '᠐', '０', 0x1D7CE, 0x1D7D8} {
		for v := range rune(10) {
			s := string(zero + v)
			if d, n := digitAt(s, 0); d != byte('0'+v) || n != len(s) {
				t.Errorf("digitAt(%q) = %c, %d", s, d, n)
			}
		}
	}
	for _, s := range []string{"a", "क", "ा", "ア", "ع", "д", "é", "", "\xe0", "\xe0\xa5", "\xd9"} {
		if _, n := digitAt(s, 0); n != 0 {
			t.Errorf("%q is a digit", s)
		}
	}
}
