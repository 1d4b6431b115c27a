package privacy

import "strings"

// phones finds telephone numbers: an international prefix, a label, or the
// groups in which numbers are written.
func (s *scan) phones(out []Finding) []Finding {
	for _, n := range s.numbers {
		if n.digits < 7 || n.digits > 15 {
			continue
		}
		start, end := n.start, n.end
		plus := start > 0 && s.text[start-1] == '+'
		if plus {
			start--
		}
		if start > 1 && s.text[start-1] == ' ' && s.text[start-2] == ')' || start > 0 && s.text[start-1] == ')' {
			if i := strings.LastIndexByte(s.text[max(0, start-8):start], '('); i >= 0 { // (415) 555-0132
				start = max(0, start-8) + i
			}
		}
		if !plus && !s.loose(start, end) {
			continue
		}
		w, labelled := s.before(start, reachBefore, kindOther, kindAccount, kindCard, kindOTP)
		labelled = labelled && strings.ContainsAny(lowerASCII(s.text[w.start:w.end]), "phoneltmbcrf") && phoneWord(lowerASCII(s.text[w.start:w.end]))
		gs := s.groupsOf(n)
		shaped := len(gs) == 3 && gs[0].n == 3 && gs[1].n == 3 && gs[2].n == 4 && spacing(gs[0].sep) == spacing(gs[1].sep)
		bracket := start < n.start && !plus
		if plus || labelled || shaped || bracket {
			out = append(out, Finding{Phone, start, end, "phone", 0.7})
		}
	}
	return out
}

func phoneWord(w string) bool {
	for _, p := range []string{"phone", "mobile", "tel", "call", "dial", "fax", "handy", "телефон", "тел", "फोन", "मोबाइल", "电话", "電話", "전화", "téléphone", "teléfono"} {
		if strings.HasPrefix(w, p) {
			return true
		}
	}
	return false
}

// emails finds addresses whose domain has a dot.
func (s *scan) emails(out []Finding) []Finding {
	for _, at := range s.ats {
		t := s.text
		from, to := at, at+1
		for from > 0 && (alnum(t[from-1]) || strings.IndexByte("._%+-", t[from-1]) >= 0) {
			from--
		}
		for to < len(t) && (alnum(t[to]) || t[to] == '.' || t[to] == '-') {
			to++
		}
		for to > at && (t[to-1] == '.' || t[to-1] == '-') {
			to--
		}
		for from < at && t[from] == '.' {
			from++
		}
		domain := t[at+1 : max(at+1, to)]
		i := strings.LastIndexByte(domain, '.')
		if from == at || i < 1 || len(domain)-i < 3 || !letter(domain[i+1]) || strings.Contains(domain, "..") {
			continue
		}
		out = append(out, Finding{Email, from, to, "email", 0.9})
	}
	return out
}
