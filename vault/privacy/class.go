package privacy

import (
	"fmt"
	"slices"
	"strings"
)

// A Class is a kind of secret or of personal data. Its value is the word that
// stands in marks, in configuration and in message flags.
type Class string

// The classes. All but Phone and Email are secrets.
const (
	Card       Class = "card"        // payment card numbers, and their security codes are OTP
	IBAN       Class = "iban"        // international bank account numbers
	Aadhaar    Class = "aadhaar"     // India's resident number
	PAN        Class = "pan"         // India's tax number
	IFSC       Class = "ifsc"        // code of an Indian bank branch
	UPI        Class = "upi"         // virtual payment address, name@bank
	OTP        Class = "otp"         // one-time codes, PINs, card security codes, door codes
	Password   Class = "password"    // passwords and passphrases in context
	Account    Class = "account"     // bank account numbers in context
	SSN        Class = "ssn"         // US social security numbers
	Key        Class = "key"         // API keys, tokens, client secrets
	PrivateKey Class = "private-key" // PEM and age private keys
	Phone      Class = "phone"       // telephone numbers
	Email      Class = "email"       // e-mail addresses
)

// classes is in order of precedence: where two findings cover the same text,
// the class that stands first names it.
var classes = []Class{PrivateKey, Key, IBAN, Card, Aadhaar, PAN, IFSC, UPI, SSN, Password, Account, OTP, Email, Phone}

// Classes returns every class, secrets first.
func Classes() []Class { return slices.Clone(classes) }

// Secrets returns the classes that are secrets.
func Secrets() []Class {
	return slices.DeleteFunc(Classes(), func(c Class) bool { return !c.Secret() })
}

// Secret reports whether c is guarded unless the person says otherwise. Phone
// numbers and e-mail addresses are personal, but a memory without them is of
// little use: they are kept unless a policy names them.
func (c Class) Secret() bool { return c != Phone && c != Email }

func (c Class) valid() bool { return slices.Contains(classes, c) }

// rank is the place of c in the order of precedence.
func (c Class) rank() int { return slices.Index(classes, c) }

// An Action is what happens to a finding.
type Action string

const (
	Redact Action = "redact" // replace the span by a mark, keep the original aside
	Keep   Action = "keep"   // leave the text as it is
	Refuse Action = "refuse" // do not write the text at all
)

// A Policy says what happens to each class. A class that it does not name is
// redacted when it is a secret and kept when it is not; nil is that default.
type Policy map[Class]Action

// For returns the action for c.
func (p Policy) For(c Class) Action {
	if a, ok := p[c]; ok {
		return a
	}
	if c.Secret() {
		return Redact
	}
	return Keep
}

// Strict returns p with every secret that p keeps redacted instead. What is
// indexed, embedded or packed goes through the strict policy.
func (p Policy) Strict() Policy {
	q := Policy{}
	for _, c := range classes {
		if q[c] = p.For(c); q[c] == Keep && c.Secret() {
			q[c] = Redact
		}
	}
	return q
}

// Classes returns the classes that p does not keep: those worth looking for.
func (p Policy) Classes() []Class {
	return slices.DeleteFunc(Classes(), func(c Class) bool { return p.For(c) == Keep })
}

// ParsePolicy reads class = action pairs as configuration gives them.
func ParsePolicy(pairs map[string]string) (Policy, error) {
	p := Policy{}
	for name, value := range pairs {
		c, a := Class(strings.ToLower(name)), Action(strings.ToLower(value))
		if !c.valid() {
			return nil, fmt.Errorf("privacy: no class %q; there are %s", name, join(classes))
		}
		if a != Redact && a != Keep && a != Refuse {
			return nil, fmt.Errorf("privacy: %s = %q is not redact, keep or refuse", name, value)
		}
		p[c] = a
	}
	return p, nil
}

func join(cs []Class) string {
	names := make([]string, len(cs))
	for i, c := range cs {
		names[i] = string(c)
	}
	return strings.Join(names, ", ")
}
