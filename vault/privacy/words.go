package privacy

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A kind is what a word says about the number or the value near it.
type kind uint8

const (
	kindOther    kind = iota + 1 // names a number that is no secret: order, invoice, port
	kindOTP                      // one-time code, security code: nearly always a secret follows
	kindCode                     // code, PIN: a secret only when it stands right at the number
	kindCue                      // log in, verify, do not share: speaks for a code
	kindPassword                 // password in any language
	kindPass                     // "pass": a password only with a clear value
	kindAccount                  // account number
	kindAccounts                 // account: weaker
	kindCard
	kindAadhaar
	kindPAN
	kindIFSC
	kindBank // a bank, a transfer: speaks for IFSC
	kindUPI
	kindSSN
	kindKey      // key, token, secret
	kindProvider // a service whose keys are assigned without a mark of their own
	kindPlain    // names a value that looks like a key and is none: public key, checksum
	kindPrefix   // a key's own beginning; arg is its rule
	kindPEM
)

// words are the context words, one phrase a comma. A star before a phrase lets it
// end a compound (Gastpasswort), a star behind lets it be inflected. A word is here
// when a native writer would put it beside the secret.
var words = map[kind]string{
	kindOTP: `otp, otp code, one-time password, one time password, one-time passcode, one time passcode, one-time code, one time code,
		one-time pin, verification code, confirmation code, security code, login code, log-in code, sign-in code, authentication code,
		auth code, access code, passcode, 2fa, two-factor code, mfa code, authenticator code, guard code, cvv, cvv2, cvc, cvc2, mtan, smstan, digicode, door code, gate code, entry code, safe code, lock code, lockbox, lockbox code, keypad code, alarm code, key safe, *türcode, *geheimzahl, tan-nummer,
		*bestätigungscode, *sicherheitscode, *verifizierungscode, *einmalcode, *einmalpasswort, *einmalkennwort, *zugangscode, *anmeldecode, *freischaltcode, *prüfnummer, *entsperrcode, *freigabecode, *zahlenkombination, safe combination, lock combination, locker combination,
		combinación de la caja fuerte, combinación del candado, combinaison du coffre, combinaison du cadenas, combinazione della cassaforte,
		código de verificación, codigo de verificacion, código de seguridad, codigo de seguridad, código de confirmación, codigo de confirmacion, código otp, codigo otp, clave dinámica,
		code de vérification, code de verification, code de confirmation, code de sécurité, code de securite, code de connexion, code à usage unique, code d'accès,
		codice di verifica, codice di sicurezza, codice di conferma, codice otp, codice di accesso,
		código de verificação, codigo de verificacao, código de segurança, código de confirmação, código de acesso,
		код подтверждения, код для входа, код безопасности, проверочный код, смс-код, код из смс, одноразовый пароль, одноразовый код,
		код підтвердження, ओटीपी, सत्यापन कोड, वेरिफिकेशन कोड, ওটিপি, ஓடிபி, ఓటీపీ, او ٹی پی,
		رمز التحقق, رمز التأكيد, رمز الأمان, کد تایید, کد تأیید,
		验证码, 驗證碼, 校验码, 动态码, 安全码, 認証コード, 確認コード, ワンタイムパスワード, 인증번호, 인증 번호, 인증코드, 보안코드,
		doğrulama kod*, onay kod*, güvenlik kod*, kod weryfikacyjny, kod autoryzacyjny, kod sms, kode otp, kode verifikasi, mã otp, mã xác nhận, mã xác minh,
		verificatiecode*, bevestigingscode*, beveiligingscode*, ověřovací kód, engångskod*, säkerhetskod*, verifieringskod*, bekräftelsekode*, bekræftelseskode*, κωδικός επαλήθευσης`,
	kindCode: `code, codes, pin, pin number, tan, pinnummer, código, codigo, clave numérica, codice, код, пин, пин-код, пин-кода, пин код, пінкод, कोड, पिन, الرمز, رمز, الكود,
		kod, koden, kode, kodun, kodunuz, mã pin, kód, コード, 暗証番号, 비번, 密码锁, pinkode`,
	kindCue: `verify, verification, log in, login, log-in, sign in, sign-in, signing in, authenticate, authentication, do not share, don't share, never share, not share,
		valid for, valid till, expires, expire in, anmelden, anmeldung, weitergeben, gültig, iniciar sesión, no lo comparta, no compartas, connexion, connecter, accedi, accesso,
		подтвержд*, вход*, не сообщайте, никому, batana, mat batana, share mat, 登录, 登録, ログイン, one tap, two-factor, two factor, telegram, whatsapp`,
	kindPassword: `password, passwords, passwort, *passwort, *kennwort, passphrase, pass phrase, passwd, pwd, pw, pgpassword, contraseña, contrasena, clave del wifi, clave de, clave wifi, clave, mot de passe, mots de passe, mdp,
		parola d'ordine, parola chiave, parola, senha, palavra-passe, *пароль, пароль от, пароля, паролем, паролі, पासवर्ड, পাসওয়ার্ড, கடவுச்சொல், పాస్` + "\u200c" + `వర్డ్, پاس ورڈ, كلمة المرور, كلمة السر, كلمة مرور, گذرواژه, رمز عبور, סיסמה, סיסמא, הסיסמה,
		密码, 密碼, 口令, パスワード, 비밀번호, 패스워드, รหัสผ่าน, hasło, haslo, heslo, *wachtwoord, *lösenord, *lösenordet, losenord, adgangskode*, passord*, salasana*, jelszó*, jelszo, şifre, şifresi, şifrem, şifreniz, sifre, sifresi, parolanız,
		kata sandi, sandi, mật khẩu, mat khau, κωδικός πρόσβασης, parolă, parola mea, lozinka, sshpass -p, curl -u`,
	kindPass: `pass`,
	kindAccount: `account number, account no, account no., account num, account #, acct number, acct no, acct no., acct #, acct, a/c no, a/c no., a/c number, a/c, ac no, ac no., acc no, acc no., acc number, bank account, bank a/c, savings account,
		*kontonummer, konto-nr, konto-nr., kontonr, kontonr., número de cuenta, numero de cuenta, nº de cuenta, cuenta bancaria, numéro de compte, numero de compte, n° de compte, compte bancaire,
		numero di conto, numero conto, conto corrente, número da conta, numero da conta, conta bancária, номер счета, номер счёта, расчетный счет, расчётный счёт, номер рахунку, खाता संख्या, खाता नंबर, अकाउंट नंबर, खाते का नंबर, رقم الحساب, رقم حساب,
		账号, 帐号, 賬號, 银行账户, 銀行帳號, 口座番号, 계좌번호, 계좌 번호, numer konta, nr konta, číslo účtu, cislo uctu, rekeningnummer, rekening nummer, nomor rekening, no rekening, hesap numarası, hesap no, số tài khoản, kontonummer`,
	kindAccounts: `account, cuenta, konto, compte, conto, conta, счет, счёт, खाता, rekening, hesap, beneficiary`,
	kindCard: `card, card number, card no, card no., credit card, debit card, visa, mastercard, master card, amex, american express, maestro, rupay, unionpay, diners, discover, jcb, *kreditkarte, *kartennummer, karte, tarjeta, número de tarjeta,
		carte bancaire, carte bleue, numéro de carte, carte, carta di credito, numero della carta, cartão, cartao, карта, карты, карту, номер карты, कार्ड, कार्ड नंबर, بطاقة, رقم البطاقة, 信用卡, 银联卡号, 卡号, クレジットカード, カード番号, 카드번호, karta, kartı, kart numarası, kartu kredit, creditcard`,
	kindAadhaar: `aadhaar, aadhar, adhaar, adhar, aadhaar number, aadhaar no, aadhaar card, aadhar card, aadhar number, aadhar card number, aadhaar card number, adhaar number, adhar card, e-aadhaar, uidai, आधार, आधार नंबर, आधार संख्या, आधार कार्ड, আধার, ஆதார், ఆధార్`,
	kindPAN:     `pan, pan card, pan number, pan no, pan card number, permanent account number, पैन, पैन नंबर, पैन कार्ड`,
	kindIFSC:    `ifsc, ifsc code, ifsc no, ifs code, आईएफएससी, आईएफएससी कोड`,
	kindBank:    `neft, rtgs, imps, bank, branch, beneficiary, बैंक, cheque`,
	kindUPI:     `upi, upi id, upi handle, vpa, gpay, google pay, phonepe, phone pe, bhim, paytm, amazon pay, mobikwik, collect request, यूपीआई, यूपीआई आईडी, upi://pay`,
	kindSSN:     `ssn, social security, social security number, social security no, social security #`,
	kindKey: `key, keys, apikey, api key, api keys, access keys, secret keys, access tokens, api-key, api_key, secret, secret key, secret_key, token, access token, access_token, auth token, auth_token, bearer, credential, credentials, creds, client secret, client_secret, clientsecret,
		secretkey, accesskey, access key, access_key, authtoken, accesstoken, accountkey, account key, auth, authorization, api-schlüssel, api schlüssel, clé api, clave api, clave de api, chiave api, ключ api, апи ключ, api-ключ, api密钥, 密钥, apiキー, session token, refresh token, refresh_token, access-token, auth-token, secret-key, client-secret, webhook secret, signing secret`,
	kindPlain: `public key, public_key, publickey, primary key, primary_key, foreign key, foreign_key, cache key, cache_key, cachekey, partition key, partition_key, sort key, sort_key, sort-key, row key, idempotency key, idempotency_key, idempotency-key, object key, s3 key, key id, key_id, keyid, keyboard, key name, key_name,
		keyword, keywords, token count, token_count, tokens, max_tokens, token_type, token type, token id, tokenizer, token_id, next_token, next page token, nextpagetoken, page_token, page token, secretary, secret_name, secret name, secret id, secret_id, author, authority, authors, auth_url, credential_type, fingerprint, checksum, etag, sha1, sha256, md5, integrity, digest, commit, continuation token, cancellation token, csrf token,
		key_file, key file, keyfile, key_path, keypath, keystore, keynote, key takeaway, key takeaways, key point, key points`,
	kindProvider: `adafruit, adobe, airtable, algolia, alibaba, aliyun, asana, atlassian, confluence, jira, aws, azure, beamer, bitbucket, bittrex, circleci, cloudflare, codecov, cohere, coinbase, confluent, contentful, datadog, deepgram, discord, droneci, dropbox, elevenlabs, etsy, facebook, fastly, figma, finicity, finnhub, flickr, freshbooks, gitter, gocardless,
		heroku, hubspot, infracost, intercom, jfrog, artifactory, bintray, kraken, kucoin, launchdarkly, linear, linkedin, linked_in, linked-in, lob, looker, mailchimp, mailgun, mapbox, mattermost, meraki, messagebird, message-bird, message_bird, mistral, netlify, newrelic, new-relic, new_relic, nytimes, okta, openweather, openweathermap, plaid, privateai, private_ai, private-ai, rapidapi, replicate, sendbird, sentry, snyk, sonar, sourcegraph, spotify, squarespace, sumo, supabase, telegr, telegram, travis, trello, twilio, twitch, twitter, typeform, vercel, yandex, zendesk`,
	kindOther: `order, orders, order no, order number, order id, invoice, invoice no, receipt, tracking, tracking number, tracking code, tracking no, shipment, parcel, parcel number, paket, *paketnummer, paquete, colis, pacco, awb, ref, ref no, reference, ref., upi ref, utr, txn, txn id, transaction, transaction id, ticket, ticket no, pnr, pnr no, booking, booking code, booking id, imei, imsi, iccid, isbn, ean, upc, gtin, barcode, bar code, serial, serial number, serial no, sku, part no, part number, model, version, build, timestamp, created_at, updated_at, epoch,
		customer number, customer id, user id, member number, phone, phone number, mobile, mobile number, mobile no, tel, telephone, call, dial, fax, helpline, toll free, toll-free, room, flight, gate, line, lines, page, pages, chapter, issue, pr, rfc, port, limit, steam id, discord id, tweet, fb post, score, population, lat, lng, pi, micr code, micr,
		promo code, coupon code, coupon, discount code, voucher code, voucher, gift code, referral code, invite code, zip code, zip, postal code, post code, postcode, zipcode, pin code, pincode, pin codes, pin code of, area code, country code, dial code, dialling code, error code, exit code, status code, response code, return code, http, source code, dress code, course code, product code, item code, qr code, hex code, hs code, hsn code, sac code, sort code, swift code, bank code, branch code, colour code, color code, tax code, morse code, line code, state code, city code, currency code, genetic code, building code, code review, code base, code name, code of conduct, security code changes,
		gpio pin, plz, *postleitzahl, *fehlercode, *gutscheincode, *gutschein, *bestellnummer, bestellung, *rechnungsnummer, rechnung, *sendungsnummer, blz, *kundennummer, telefon, *telefonnummer, handynummer, código postal, codigo postal, código de error, código promocional, código de barras, código de descuento, pedido, factura, teléfono, code postal, code promo, code erreur, commande, facture, téléphone, codice postale, codice fiscale, codice errore, codice sconto, ordine, fattura, cap,
		código de erro, código do produto, cep, код города, код ошибки, код товара, почтовый индекс, индекс, промокод, заказ, заказа, счет-фактура, телефон, тел, पिन कोड, ऑर्डर, फोन, मोबाइल, मोबाइल नंबर, 邮政编码, 郵便番号, 邮编, 订单, 订单号, 电话, 注文番号, 電話, 우편번호, 주문번호, 전화, kod pocztowy, zamówienie, telefon kodu, posta kodu, sipariş, kode pos, pesanan, mã vùng, mã bưu điện, mã giảm giá, foutcode, bestelling, postnummer, psč, objednávka,
		the code on, pr code, event code, count, total, quota, vat, abn, gstin, case, policy, employee, asset, roll no, dob, date of birth, birthday, year, years`,
	kindPEM: `-----begin`,
}

// A hit is a word of the lexicon found in a text.
type hit struct {
	start, end int
	kind       kind
	arg        int // the rule of a kindPrefix
}

type lexeme struct {
	text        string // ASCII letters lowered
	kind        kind
	arg         int
	left, right bool // a word boundary is asked for
}

// A lexicon finds many words in one pass: the last three bytes are looked up in
// a bit set, and only where that says maybe are words compared.
type lexicon struct {
	filter  [1 << (hashBits - 6)]uint64
	lexemes map[uint32][]lexeme
}

const hashBits = 18

func trigram(a, b, c byte) uint32 {
	h := uint32(a)
	h = h<<6 ^ uint32(b)
	h = h<<6 ^ uint32(c)
	return h & (1<<hashBits - 1)
}

func newLexicon() *lexicon {
	l := &lexicon{lexemes: map[uint32][]lexeme{}}
	for k, list := range words {
		for phrase := range strings.SplitSeq(list, ",") {
			phrase = strings.TrimSpace(phrase)
			if phrase == "" {
				continue
			}
			x := lexeme{kind: k, left: true, right: true}
			phrase, anyLeft := strings.CutPrefix(phrase, "*")
			phrase, anyRight := strings.CutSuffix(phrase, "*")
			first, _ := utf8.DecodeRuneInString(phrase)
			last, _ := utf8.DecodeLastRuneInString(phrase)
			x.left = !anyLeft && !unspaced(first) && isWord(first)
			x.right = !anyRight && !unspaced(last) && isWord(last)
			for _, form := range forms(phrase) {
				x.text = form
				l.add(x)
			}
		}
	}
	for i, r := range keyRules {
		l.add(lexeme{text: lowerASCII(r.prefix), kind: kindPrefix, arg: i, left: !r.inside})
	}
	for _, xs := range l.lexemes { // the longest word at a place wins
		sort.SliceStable(xs, func(i, j int) bool {
			if len(xs[i].text) != len(xs[j].text) {
				return len(xs[i].text) > len(xs[j].text)
			}
			return xs[i].kind < xs[j].kind
		})
	}
	return l
}

func (l *lexicon) add(x lexeme) {
	starts := []string{x.text}
	if len(x.text) == 2 { // too short for a trigram: a word of two letters needs a neighbour
		starts = nil
		neighbours := " :=\"'/.#\n\t-,)"
		if x.kind == kindPrefix {
			neighbours = "0123456789abcdef"
		}
		for _, c := range neighbours {
			starts = append(starts, x.text+string(c))
		}
	}
	for _, s := range starts {
		h := trigram(s[0], s[1], s[2])
		l.filter[h>>6] |= 1 << (h & 63)
		l.lexemes[h] = append(l.lexemes[h], x)
	}
}

// match returns the longest word that starts at i.
func (l *lexicon) match(s string, i int, h uint32) (hit, bool) {
	for _, x := range l.lexemes[h] {
		end := i + len(x.text)
		if end > len(s) || !equalFold(s[i:end], x.text) {
			continue
		}
		camel := x.kind == kindPassword || x.kind == kindKey || x.kind == kindProvider
		if x.left && i > 0 && !boundaryBefore(s, i, camel) {
			continue
		}
		if x.right && end < len(s) && !boundaryAfter(s, end) {
			continue
		}
		return hit{i, end, x.kind, x.arg}, true
	}
	return hit{}, false
}

// boundaryBefore reports whether a word can begin at i: no letter stands before,
// or, in names of programs, a lower-case one before a capital (dbPassword).
func boundaryBefore(s string, i int, camel bool) bool {
	r, _ := utf8.DecodeLastRuneInString(s[:i])
	if !isWord(r) || unspaced(r) {
		return true
	}
	return camel && s[i] >= 'A' && s[i] <= 'Z' && r >= 'a' && r <= 'z'
}

func boundaryAfter(s string, i int) bool {
	r, _ := utf8.DecodeRuneInString(s[i:])
	return !isWord(r) || unspaced(r)
}

// isWord reports whether r belongs to a word: a letter, or a sign that hangs on one.
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	}
	return unicode.IsLetter(r) || unicode.IsMark(r)
}

// unspaced reports whether r is of a script that writes words without spaces
// between them, or hangs particles on them.
func unspaced(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai) || r == 'ー'
}

// forms are the spellings of a phrase that differ beyond ASCII case.
func forms(phrase string) []string {
	low := lowerASCII(strings.ToLower(phrase))
	out := []string{low}
	up := lowerASCII(strings.ToUpper(phrase))
	r, n := utf8.DecodeRuneInString(phrase)
	for _, f := range []string{up, lowerASCII(string(unicode.ToUpper(r)) + phrase[n:])} {
		if f != low && f != out[len(out)-1] {
			out = append(out, f)
		}
	}
	return out
}

func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// equalFold compares s with low, whose ASCII letters are lower case.
func equalFold(s, low string) bool {
	for i := range len(low) {
		if fold[s[i]] != low[i] {
			return false
		}
	}
	return true
}

var fold = func() (t [256]byte) {
	for i := range t {
		t[i] = byte(i)
		if i >= 'A' && i <= 'Z' {
			t[i] += 'a' - 'A'
		}
	}
	return t
}()
