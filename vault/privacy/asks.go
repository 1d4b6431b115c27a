package privacy

import (
	"strings"
	"unicode/utf8"
)

// asked maps the words of the lexicon to what a question with them is after.
var asked = map[kind]Class{
	kindOTP: OTP, kindPassword: Password, kindPass: Password, kindAccount: Account, kindAadhaar: Aadhaar, kindPAN: PAN,
	kindUPI: UPI, kindIFSC: IFSC, kindSSN: SSN, kindCard: Card, kindKey: Key, kindCode: OTP,
}

// Asks reports whether a question asks for the value of a secret, as "what's my
// wifi password" does, and for which. Questions about secrets ("how do I reset my
// password", "when does my card expire") do not.
func Asks(query string) (Class, bool) {
	if len(query) > 400 {
		return "", false // nobody asks for a PIN in a page of text
	}
	q := " " + strings.Join(strings.Fields(strings.ToLower(query)), " ") + " "
	s := scans.Get().(*scan)
	defer s.release()
	s.run(shared(), strings.TrimSpace(q))
	words := strings.Fields(strings.Map(func(r rune) rune {
		if strings.ContainsRune("?!.,:;\"“”¿¡？。，()", r) {
			return ' '
		}
		return r
	}, q))
	class, at := s.wanted(words)
	if class == "" {
		return "", false
	}
	for _, w := range words {
		if aboutSecrets[w] {
			return "", false
		}
	}
	flat := " " + strings.Join(words, " ") + " "
	for _, p := range aboutPhrases {
		if p[len(p)-1] < utf8.RuneSelf {
			p += " " // "what is an", not "what is Ann's"
		}
		if strings.Contains(flat, " "+p) {
			return "", false
		}
	}
	if yesOrNo[words[0]] {
		return "", false
	}
	if asksFor(flat, s.text) {
		return class, true
	}
	// "wifi password", "netflix password ana": a search of a few words whose head is
	// the secret and which names what it opens.
	if n := len(words); n >= 2 && n <= 5 && at && (!connectors[words[0]] || possessives[words[0]]) {
		return class, true
	}
	return "", false
}

// wanted returns the class of the last secret named, and whether it stands at the
// end of the question, or at its beginning in a search.
func (s *scan) wanted(words []string) (Class, bool) {
	var class Class
	end := false
	numbered := false
	for _, w := range words {
		if numberWords[w] {
			numbered = true
		}
	}
	for _, w := range s.hits {
		c, ok := asked[w.kind]
		text := s.text[w.start:w.end]
		switch {
		case !ok:
			if w.kind == kindPEM {
				class = PrivateKey
			}
			continue
		case w.kind == kindCard && !numbered && !strings.ContainsAny(text, "号号號") && !strings.Contains(text, "番号") && !strings.Contains(text, "nummer") && !strings.Contains(text, "번호"):
			continue // a card is more than its number
		case w.kind == kindKey && !keyWords[text], w.kind == kindPass:
			continue
		case w.kind == kindCode && !pinWords[text]:
			continue
		case strings.HasPrefix(text, "clave") && !possessive(words) && !strings.Contains(s.text, "wifi"):
			continue // la clave is also the key to something
		case w.kind == kindUPI && !(strings.Contains(text, "id") || strings.Contains(text, "vpa") || strings.Contains(text, "handle") || numbered || strings.Contains(text, "आईडी")):
			continue
		case (w.kind == kindPAN || w.kind == kindAadhaar) && !numbered && !possessive(words):
			continue
		}
		class, end = c, strings.Trim(s.text[w.end:], " ?!.") == ""
	}
	if strings.Contains(s.text, " iban") || strings.HasPrefix(s.text, "iban") {
		class, end = IBAN, strings.HasSuffix(strings.TrimRight(s.text, " ?"), "iban")
	}
	if strings.Contains(s.text, "private key") || strings.Contains(s.text, "seed phrase") || strings.Contains(s.text, "recovery phrase") {
		class, end = PrivateKey, true
	}
	return class, end
}

var (
	numberWords = set(`number numbers no num digits nummer kartennummer número numero numéro номер नंबर नम्बर संख्या numarası numer nr number's number? cvv 号码 nomor número?`)
	keyWords    = listed(`apikey, api_key, token, credentials, creds, api key, api keys, access keys, secret keys, access tokens, api-key, access key, secret key, access token, auth token, client secret, session token, refresh token,
		api-schlüssel, api schlüssel, clé api, clave api, clave de api, chiave api, ключ api, апи ключ, api-ключ, api密钥, 密钥, apiキー`)
	pinWords = set(`pin пин пин-код पिन pinkode pinnummer`)
)

func listed(list string) map[string]bool {
	m := map[string]bool{}
	for _, p := range phrases(list) {
		m[p] = true
	}
	return m
}

func possessive(words []string) bool {
	for _, w := range words {
		if possessives[w] {
			return true
		}
	}
	return false
}

var possessives = set(`my our his her their mom's mum's dad's wife's husband's mein meine meinen meiner unser unsere mi mis nuestra nuestro mon ma mes notre mio mia nostro minha meu nossa мой моя моё мою мои наш मेरा मेरी मेरे हमारा mera meri mere hamara min mitt mijn onze mój moje moja můj benim saya`)

// asksFor reports whether the question wants the thing itself: what is it, tell
// me, give me, show me, do you remember.
func asksFor(flat, text string) bool {
	for _, p := range askPhrases {
		if strings.Contains(flat, " "+p+" ") {
			return true
		}
	}
	for _, p := range askParts {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}

var askPhrases = phrases(`what is my, what's my, what’s my, whats my, what was my, what are my, what is the, what's the, what’s the, whats the, what was the, what were the, what is our, what's our, what was our, what is his, what is her, what's her, what's his, what is ana's, which is my, which password, which pin, which otp, what password, what pin, what otp, what code, what is,
	tell me, give me, show me, send me, read me, remind me, find me, find my, find the, get me, get my, look up, fetch, retrieve, reveal, print, list my, list all, list the, share my, share the, repeat, recall, do you know, do you remember, do you have, can you tell, can i have, could i have, i need my, i need the, i forgot my, need my, need the, what did i set, what do i use, what did we set, let me know, spell out, paste, output, dump, say my, say the, where did i write, where is my, where's my,
	wie lautet, wie ist mein, wie ist das, was ist mein, was ist das, was war, sag mir, nenn mir, nenne mir, gib mir, zeig mir, zeige mir, weißt du, kennst du, wie heißt, wie war,
	cuál es, cual es, cuál era, cual era, dime, dame, muéstrame, muestrame, recuérdame, sabes, qué contraseña, que contraseña, enséñame,
	quel est, quelle est, quel était, c'est quoi, donne-moi, dis-moi, montre-moi, rappelle-moi, tu connais, donne moi, dis moi,
	qual è, qual e, qual era, dimmi, dammi, mostrami, ricordami, qual é, me diga, me dá, me passa, mostra, me lembra, diga-me,
	какой у, какой был, какой мой, какой, скажи, дай, покажи, напомни, назови, пришли, подскажи,
	क्या है, क्या था, बताओ, बताइए, बता दो, दो, भेजो, दिखाओ, kya hai, kya tha, kya h, batao, bata do, bata, bolo, bhejo, dikhao, dedo, de do, yaad hai,
	jakie jest, jaki jest, podaj, powiedz, jaké je, jaký je, řekni, wat is, wat was, geef me, geef mij, vertel, vad är, vad var, ge mig, berätta, nedir, ne, neydi, söyle, ver, apa, berapa, kasih tau, là gì, cho tôi`)

var askParts = []string{"是什么", "是多少", "告诉我", "给我", "查一下", "は何", "教えて", "は？", "뭐", "알려", "무엇", "ما هو", "ما هي", "أعطني", "اعطني", "قل لي"}

// yesOrNo begin questions that are answered without the secret.
var yesOrNo = set(`is are does did was were has have should ist sind hat war es está è é est`)

func phrases(list string) []string {
	var out []string
	for p := range strings.SplitSeq(list, ",") {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}

// aboutSecrets are words of questions that are about secrets and want none.
var aboutSecrets = set(`reset resetting change changing changed update updated rotate rotation rotated manager managers policy policies strength strong stronger strongest secure securely safe safely best better good bad weak length long expire expires expired work works working hash hashed hashing encrypt encrypted encryption store stored storing storage rule rules
	requirement requirements recommend recommended recommendation generator generate generated difference different mean means meaning definition define explain standard protocol format regex validate validation algorithm library limit limits block blocked cancel cancelled lost stolen leak leaked breach hacked phishing scam fraud history tip tips advice why when who
	implement implementation bug error issue field form login-page screen flow test tests column table schema hint invented inventor rotation-policy article book movie song economy count counts context price cost fee fees delivery apply
	ändern zurücksetzen sicher sicheres manager ablauf läuft wann warum vergessen-funktion cambiar restablecer segura seguro caduca vence cuándo cuando cómo changer réinitialiser sûr expire quand pourquoi comment cambiare reimpostare sicura scade quando perché come mudar redefinir segura vence сменить поменять сбросить надежный когда почему зачем истекает безопасный बदलें बदलूं बदलना कब क्यों कैसे badlu badle badalna kab kyun kaise zmienić zmień hvordan hur wanneer hoe nasıl kapan kenapa`)

var aboutPhrases = phrases(`how do, how to, how does, how can i, how should, how often, how many, how long, how are, how is, should i, can i use, wie kann, wie oft, wie viele, wie funktioniert, wie ändere, wie sicher, como cambio, como funciona, como faço, как работает, как сменить, как часто, what is a, what is an, what's a, what's an, what does, what makes, what happens, was ist ein, qu'est-ce qu'un, que es un, qué es un, qué es una, что такое, क्या होता, kya hota, 什么样, 怎么, 如何, なぜ, どうやって, 어떻게, كيف,
	the point of, the purpose of, the best, the safest, about password, about passwords, about my`)

// Refusal is the sentence with which a request for a secret is turned down.
func Refusal(c Class) string {
	name := map[Class]string{
		Card: "card numbers", IBAN: "bank account numbers", Aadhaar: "Aadhaar numbers", PAN: "PANs", IFSC: "bank codes", UPI: "payment addresses",
		OTP: "one-time codes and PINs", Password: "passwords", Account: "bank account numbers", SSN: "social security numbers",
		Key: "keys and tokens", PrivateKey: "private keys", Phone: "telephone numbers", Email: "e-mail addresses",
	}[c]
	return "memsync does not give out " + name + ": secrets are kept out of answers and contexts, so that neither a model nor a log ever holds one. " +
		"Where a mark such as " + FormatMark(c, "…") + " stands in a note, its owner can see the original with memsync reveal and the mark's id."
}
