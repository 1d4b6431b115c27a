// Package privacy finds secrets in text, puts marks in their place, and keeps the
// originals where neither git nor a model ever sees them.
//
// A memory made of years of chats is full of secrets that nobody meant to keep:
// a PIN sent to a sister, the Wi-Fi password, a card read out over WhatsApp. Once
// committed they stay in the history for good. So text goes through here before
// it is written:
//
//	store, err := privacy.OpenOriginals(dir, nil)          // outside the vault, 0700
//	r := privacy.NewRedactor(policy, store.Key())
//	text, found := r.Redact("the wifi password is Mango#55")
//	// "the wifi password is [password 7f2k9q3mwx]"
//
// and found goes to store.Put before text is written to the vault. What is
// indexed, embedded or packed is redacted under policy.Strict, whatever the
// person keeps in the vault. Human edits are only looked at, with
// Detector.Find: what a person wrote is theirs, and a secret holds the commit back.
//
// # How secrets are found
//
// One pass over the bytes (scan.go) collects three things: numbers, with digits of
// any script and the separators that people put in; at-signs; and words of a
// lexicon in some twenty languages (words.go), among them the beginnings of API
// keys. Most text has none that matter and costs no more than the pass. Each class
// then has its own test:
//
//   - card, iban, aadhaar: check digits, issuers' ranges and countries' lengths
//   - pan, ifsc, upi, ssn: their structure, registered banks and apps, words near
//   - otp, password, account: nothing but the words near: labels ("OTP", "пароль"),
//     what joins them to a value ("is", ":", "है"), and what speaks against it
//     (amounts, years, order numbers, "the password is wrong")
//   - key, private-key: providers' prefixes; else a label, an assignment and entropy
//
// A number belongs to the nearest word that names it, so that an order number is
// not a card because its digits happen to check.
//
// # Marks
//
// A mark is "[class id]". The id is a keyed hash of the secret: the same secret has
// the same id in one vault, and the id tells nothing without the key, which lies
// with the originals. Its last letter is a check, so that a bracket which somebody
// typed hides nothing. Finding never looks into marks, which makes redaction
// idempotent: twice is once. A fuzz test holds that.
//
// # What it will not do
//
// It does not find names, addresses, health or opinions: a memory is made of those.
// It does not see secrets without a form and without a word for them ("it is
// tulip, as always"), nor words in pictures. testdata/figures.txt says how much is
// found on a labelled set, half of it held out.
//
// The rules of gitleaks were considered as a library: the package that holds them
// brings viper and some twenty-five modules more, and its expressions search code,
// not chats. The providers' formats are our own table instead (keyrules.go), and a
// test measures it against gitleaks' rules where they are at hand.
package privacy
