package privacy

// ibanLength is how long each country's IBAN is, from the SWIFT registry.
var ibanLength = map[string]int{
	"AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BI": 27, "BR": 29, "BY": 28,
	"CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DJ": 27, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18,
	"FK": 18, "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HN": 28, "HR": 21, "HU": 28,
	"IE": 22, "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20,
	"LU": 20, "LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MN": 20, "MR": 27, "MT": 31, "MU": 30, "NI": 28,
	"NL": 18, "NO": 15, "OM": 23, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "RU": 33, "SA": 24,
	"SC": 31, "SD": 18, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "SO": 23, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26,
	"UA": 29, "VA": 22, "VG": 24, "XK": 20, "YE": 30,
}

// ibans finds IBANs of a known country and length whose check digits hold.
func (s *scan) ibans(out []Finding) []Finding {
	done := 0
	for _, n := range s.numbers {
		if n.start < done {
			continue
		}
		// The country and check digits stand before the number, at most a bank code
		// of four letters and two separators away: "GB34 NWBK 4580…".
		for p := max(done, n.start-12); p+4 <= n.start+2 && p+4 <= len(s.text); p++ {
			if end := s.ibanAt(p); end > 0 {
				out = append(out, Finding{IBAN, p, end, "iban-mod97", 1})
				done = end
				break
			}
		}
	}
	return out
}

// ibanAt returns where the IBAN that begins at p ends, or 0.
func (s *scan) ibanAt(p int) int {
	t := s.text
	if !letter(t[p]) || !letter(t[p+1]) || !digit(t[p+2]) || !digit(t[p+3]) || p > 0 && alnum(t[p-1]) {
		return 0
	}
	want := ibanLength[string([]byte{upper(t[p]), upper(t[p+1])})]
	if want == 0 {
		return 0
	}
	var buf [34]byte
	k, i := 0, p
	for ; i < len(t) && k < want; i++ {
		switch {
		case alnum(t[i]):
			buf[k] = upper(t[i])
			k++
		case (t[i] == ' ' || t[i] == '-') && i+1 < len(t) && alnum(t[i+1]):
		case t[i] == 0xC2 && i+2 < len(t) && t[i+1] == 0xA0 && alnum(t[i+2]):
			i++
		default:
			return 0
		}
	}
	if k < want || i < len(t) && alnum(t[i]) || !mod97(string(buf[:k])) {
		return 0
	}
	return i
}

func letter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }
func digit(b byte) bool  { return b >= '0' && b <= '9' }
func alnum(b byte) bool  { return letter(b) || digit(b) }

func upper(b byte) byte {
	if b >= 'a' && b <= 'z' {
		return b - 'a' + 'A'
	}
	return b
}
