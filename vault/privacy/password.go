package privacy

import (
	"slices"
	"strings"
	"unicode"
)

// passwords finds what a label of the kind password gives.
func (s *scan) passwords(out []Finding) []Finding {
	for _, w := range s.hits {
		if w.kind != kindPassword && w.kind != kindPass {
			continue
		}
		if strings.HasPrefix(s.text[w.start:w.end], "PASS") && w.kind == kindPass || s.inURL(w.start) || s.compound(w) {
			continue
		}
		if v, ok := s.valueAfter(w.end, 4); ok {
			if end, confidence := s.password(w, v); confidence > 0 {
				out = append(out, Finding{Password, v.start, end, "password-label", confidence})
				continue
			}
		}
		if f, ok := s.passwordBefore(w); ok {
			out = append(out, f)
		}
	}
	return s.urlPasswords(out)
}

// compound reports whether the label is part of another name: password_hash,
// password-protected, boarding pass.
func (s *scan) compound(w hit) bool {
	if w.end < len(s.text) && (s.text[w.end] == '(' || digit(s.text[w.end])) {
		return true // a call, a name: password(…), exampleInputPassword1
	}
	if w.end+1 < len(s.text) && s.text[w.end] == '.' && letter(s.text[w.end+1]) {
		return true // a member: pw.flush
	}
	if w.start > 0 && s.text[w.start-1] == '$' {
		return true // a variable that is read: $PWD
	}
	if q := w.start - 1; q > 0 && (s.text[q] == '"' || s.text[q] == '\'') && s.text[q-1] == '=' {
		return true // the value of an attribute: name="password"
	}
	if w.end+1 < len(s.text) && (s.text[w.end] == '_' || s.text[w.end] == '-') && isWord(rune(s.text[w.end+1])) {
		return true
	}
	if w.kind != kindPass {
		return false
	}
	word, _ := s.wordBefore(w.start)
	return slices.Contains([]string{"boarding", "season", "mountain", "bus", "rail", "travel", "hall", "gate", "visitor", "tests", "test", "will", "to", "backstage", "ski", "first", "second", "band"}, word)
}

// password judges the value of a label. It returns where the secret ends: a
// passphrase is longer than its first word.
func (s *scan) password(w hit, v value) (int, float64) {
	t := s.text[v.start:v.end]
	low := strings.ToLower(strings.Trim(t, ".,!"))
	if v.assigned && strings.HasSuffix(lowerASCII(s.text[w.start:w.end]), "phrase") {
		if end := s.phrase(v, true); end > 0 {
			return end, 0.9
		}
	}
	switch {
	case placeholder(t) || len(t) < 3 || notPassword[low] || strings.Contains(t, "://") || path(t):
		return 0, 0
	case w.kind == kindPass && !(strong(t) && (v.assigned || v.stated)):
		return 0, 0
	case ordinal(t) || strings.HasSuffix(strings.TrimRight(s.text[:v.end], " "), "()"):
		return 0, 0
	}
	if v.quoted {
		if strings.Count(t, " ") > 8 || !v.assigned && !v.stated && !strong(t) {
			return 0, 0
		}
		return v.end, 0.9
	}
	digits := strings.Trim(t, "0123456789") == ""
	behind := s.wordAfter(v.end)
	switch {
	case digits:
		if len(t) < 4 || units[behind] || len(t) == 4 && yearLike(t) && !v.assigned {
			return 0, 0
		}
		return v.end, 0.8
	case datelike(t):
		return 0, 0
	case strong(t):
		return v.end, 0.95
	}
	if !plainWord(t) {
		return 0, 0
	}
	if end := s.phrase(v, false); end > 0 {
		return end, 0.8
	}
	if v.assigned && v.last {
		return v.end, 0.7
	}
	if v.stated && v.ended && len(t) >= 6 && !participle(low) && !s.general(w) {
		return v.end, 0.6
	}
	return 0, 0
}

// path reports whether t names a file.
func path(t string) bool {
	return (strings.HasPrefix(t, "/") || strings.HasPrefix(t, "./") || strings.HasPrefix(t, "~/")) && strings.Count(t, "/") > 1
}

// datelike reports whether t is built of digits and separators alone: a date, a time.
func datelike(t string) bool {
	return strings.Trim(strings.TrimSuffix(t, "Z"), "0123456789-./:T+") == ""
}

// plainWord reports whether t is a single word without signs.
func plainWord(t string) bool {
	return !strings.ContainsFunc(t, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '-' && r != '\'' })
}

// phrase returns the end of a passphrase that fills the rest of the line: four
// to eight words in small letters, none of which a sentence is made of unless the
// label says that a phrase follows.
func (s *scan) phrase(v value, any bool) int {
	if !v.assigned {
		return 0
	}
	rest := s.text[v.start:]
	if i := strings.IndexAny(rest, "\r\n"); i >= 0 {
		rest = rest[:i]
	}
	rest = strings.TrimRight(rest, " .")
	words := strings.Fields(rest)
	if len(words) < 4 || len(words) > 8 {
		return 0
	}
	for _, w := range words {
		if len(w) < 3 || len(w) > 12 || strings.Trim(w, "abcdefghijklmnopqrstuvwxyz") != "" || !any && (connectors[w] || notPassword[w]) {
			return 0
		}
	}
	return v.start + len(rest)
}

// general reports whether the label speaks of passwords at large: "a good
// password is …".
func (s *scan) general(w hit) bool {
	word, _ := s.wordBefore(w.start)
	switch word {
	case "a", "an", "any", "every", "each", "no", "good", "strong", "better", "best", "secure", "bad", "weak", "ein", "kein", "gutes", "una", "buena", "un", "bon", "uma", "хороший":
		return true
	}
	return false
}

// participle reports whether an English word describes rather than names:
// "my password is outdated", "… is working".
func participle(w string) bool {
	for _, suffix := range []string{"ed", "ing", "able", "ible", "ly", "ful", "less", "ous", "ive", "ish", "ent", "ant", "word", "wort"} {
		if strings.HasSuffix(w, suffix) && len(w) > len(suffix)+2 {
			return true
		}
	}
	return false
}

// notPassword are words that stand where a password would and say something of it.
var notPassword = set(`value values input output arg args data name user username pass field key keys result required wrong incorrect invalid missing empty unknown correct right same different secure insecure strong weak short long safe good bad fine old new ok okay easy hard simple complex known secret private public hidden visible
	needed optional mandatory set unset not only just also still never always already too very so now again here there this that what which who how why when where it its is are was be been being a an the my your our their his her in on at to of for from with by
	under over as if or and but then than string str text varchar null nil none undefined true false yes no bool int number password passwort user username admin's default example encrypted hashed stored saved salted generated masked protected shared changed updated reset expired leaked
	compromised case-sensitive see ask check enter type use forgot forgotten lost gone valid me him them someone everyone anyone something anything nothing below above attached inside email mail sms phone todo tbd n/a na blank please sent send let will would should must can could may might do does did don't doesn't
	falsch richtig abgelaufen ungültig gültig leer vergessen geändert sicher unsicher schwach stark kurz lang nicht nein ja ein eine der die das wie immer noch schon gesperrt erforderlich gleich dasselbe muss soll wurde wird fehlt bekannt geheim
	incorrecta incorrecto correcta válida inválida segura débil fuerte misma la el una un no muy ya está obligatoria vacía caducada vencida practicar secreta debe fue
	incorrect obligatoire oublié invalide expiré requis trop faible le un une pas même est doit vide secret
	sbagliata errata corretta scaduta obbligatoria non troppo la una stessa errato sbagliato deve vuota
	errada incorreta expirada obrigatória muito não mesma uma a o inválido vazia
	неверный неправильный верный правильный не забыл забыла устарел истек истёк тот такой же слишком нужен обязателен пустой сложный простой новый старый надежный неизвестен какой что это изменен сброшен
	गलत सही क्या भूल नहीं नया पुराना kya galat sahi bhool nahi do bhejo batao bata kahan rakho rakh badal badlo change yaad hi bhi mat
	错误 正确 什么 不对 忘记 过期 无效 필요 틀렸 błędne złe nieprawidłowe za nie jest špatné špatně nesprávné je fout onjuist verkeerd verlopen fel felaktigt glömt inte yanlış hatalı doğru unuttum salah benar sai đúng lupa
	خطأ صحيحة خاطئة غير ما هو`)

// passwordBefore finds "Mango#55 is the wifi password".
func (s *scan) passwordBefore(w hit) (Finding, bool) {
	line := s.text[max(0, w.start-80):w.start]
	if i := strings.LastIndexAny(line, "\n"); i >= 0 {
		line = line[i+1:]
	}
	off := w.start - len(line)
	for _, is := range []string{" is ", " ist ", " es ", " est ", " è ", " é "} {
		i := strings.LastIndex(line, is)
		if i < 0 || !connects(line[i+len(is):], 2) {
			continue
		}
		from := off + strings.LastIndexAny(line[:i], " \t(\"'`") + 1
		to := off + i
		for to > from && strings.IndexByte("\"'`.,)", s.text[to-1]) >= 0 {
			to--
		}
		t := s.text[from:to]
		if len(t) >= 6 && strong(t) && !placeholder(t) && !s.marked(from, to) && strings.IndexByte(t, '/') < 0 {
			return Finding{Password, from, to, "password-statement", 0.8}, true
		}
	}
	return Finding{}, false
}

// urlPasswords finds scheme://user:password@host and "-u user:password".
func (s *scan) urlPasswords(out []Finding) []Finding {
	for _, at := range s.ats {
		t := s.text[max(0, at-longURL):at]
		t = t[strings.LastIndexAny(t, " \t\n\"'`<>(")+1:]
		i := strings.Index(t, "://")
		if i < 0 {
			continue
		}
		userinfo := t[i+3:]
		j := strings.IndexByte(userinfo, ':')
		if j < 0 || strings.ContainsAny(userinfo, "/?#") {
			continue
		}
		start := at - len(userinfo) + j + 1
		if pw := s.text[start:at]; len(pw) >= 3 && !placeholder(pw) && !notPassword[lowerASCII(pw)] && !s.marked(start, at) {
			out = append(out, Finding{Password, start, at, "url-credentials", 0.95})
		}
	}
	for _, w := range s.hits {
		if w.kind != kindPassword || s.text[w.start:w.end] != "curl -u" {
			continue
		}
		if v, ok := s.take(w.end+1, value{}); ok && w.end+1 < len(s.text) {
			if j := strings.IndexByte(s.text[v.start:v.end], ':'); j >= 0 && v.end-v.start-j > 3 && !placeholder(s.text[v.start+j+1:v.end]) {
				out = append(out, Finding{Password, v.start + j + 1, v.end, "curl-user", 0.9})
			}
		}
	}
	return out
}
