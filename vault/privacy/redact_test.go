package privacy

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

var testKey = []byte("a key of thirty-two bytes, really")

func TestRedact(t *testing.T) {
	r := NewRedactor(Policy{Phone: Redact, IFSC: Keep}, testKey)
	got, found := r.Redact("OTP 482913, IFSC SBIN0001234, call +49 30 1234567")
	id := NewID(testKey, OTP, "482913")
	phone := NewID(testKey, Phone, "+49 30 1234567")
	if want := "OTP [otp " + id + "], IFSC SBIN0001234, call [phone " + phone + "]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if len(found) != 2 || found[0].Secret != "482913" || found[0].Start != 4 || found[0].ID != id || found[0].Action != Redact {
		t.Errorf("redactions %+v", found)
	}
	if marks := Marks(got); len(marks) != 2 || marks[0].ID != id || marks[1].Class != Phone {
		t.Errorf("marks %+v", marks)
	}
	secrets := map[string]string{id: "482913"}
	back := Restore(got, func(id string) (string, bool) { s, ok := secrets[id]; return s, ok })
	if want := "OTP 482913, IFSC SBIN0001234, call [phone " + phone + "]"; back != want {
		t.Errorf("restored %q", back)
	}
}

func TestRefusedTextComesBackRedacted(t *testing.T) {
	r := NewRedactor(Policy{Password: Refuse}, testKey)
	got, found := r.Redact("the wifi password is Mango#55")
	if strings.Contains(got, "Mango") || len(Refused(found)) != 1 {
		t.Errorf("%q %+v", got, found)
	}
}

func TestTypedBracketsAreNoMarks(t *testing.T) {
	for _, text := range []string{"[otp 7f2k9q3mwx]", "[password hunter2222]", "[otp]", "[otp 123]", "[nothing 7f2k9q3mwx]", "[", "[otp "} {
		if m := Marks(text); len(m) != 0 {
			t.Errorf("Marks(%q) = %+v", text, m)
		}
	}
}

func TestIDsNeedTheKey(t *testing.T) {
	a, b := NewID([]byte("one"), OTP, "1234"), NewID([]byte("two"), OTP, "1234")
	if a == b || a != NewID([]byte("one"), OTP, "1234") || a == NewID([]byte("one"), Password, "1234") {
		t.Errorf("%s %s", a, b)
	}
}

func TestFindAfter(t *testing.T) {
	d := New(Config{})
	for _, c := range []struct {
		previous, text string
		want           Class
	}{
		{"otp bhejo na", "482913", OTP},
		{"what's the wifi password?", "Mango#55", Password},
		{"the vault password is", "Zebra!9981", Password},
		{"What's the Netflix password again", "it's Tr0mpete", Password},
		{"WLAN Passwort bitte?", "kaktus-88", Password},
		{"contraseña?", "perroverde7", Password},
		{"wifi ka password batao", "chai@1234", Password},
		{"send me your account number", "50100234567890", Account},
		{"Kontonummer?", "532013000", Account},
		{"what's the password", "no idea", ""},
		{"password?", "tomorrow!", ""},
		{"password?", "at 10:30pm", ""},
		{"password?", "https://example.org/a1b2c3", ""},
		{"did you reset the password?", "yes, 2x", ""},
		{"I reset my password today", "B2B-meeting4", ""},
		{"the password is wrong", "Monday 10:30", ""},
		{"how do I reset my password?", "see step-2b", ""},
		{"order number?", "50100234567890", ""},
		{"send me the OTP please", "see you at 1830", ""},
		{"how many people came?", "482913", ""},
		{"", "482913", ""},
	} {
		var got Class
		if f := d.FindAfter(c.previous, c.text); len(f) > 0 {
			got = f[0].Class
		}
		if got != c.want {
			t.Errorf("FindAfter(%q, %q) = %q, want %q", c.previous, c.text, got, c.want)
		}
	}
}

func TestPolicy(t *testing.T) {
	p, err := ParsePolicy(map[string]string{"otp": "keep", "phone": "redact", "card": "refuse"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Policy{OTP: Keep, Phone: Redact, Card: Refuse}, p); diff != "" {
		t.Error(diff)
	}
	if p.For(IBAN) != Redact || p.For(Email) != Keep || p.Strict().For(OTP) != Redact || p.Strict().For(Card) != Refuse {
		t.Error("defaults or strictness differ")
	}
	for _, bad := range []map[string]string{{"opt": "keep"}, {"otp": "hide"}} {
		if _, err := ParsePolicy(bad); err == nil {
			t.Errorf("%v was accepted", bad)
		}
	}
}

// FuzzRedact holds what redaction promises for any text: twice is once, spans are
// in order and cut out their secrets, nothing is lost, and marks are untouched.
func FuzzRedact(f *testing.F) {
	for i, s := range samples(f) {
		if i%7 == 0 {
			f.Add(s.text)
		}
	}
	id := NewID(testKey, Password, "x")
	f.Add("password [password " + id + "] hunter2! 4111 1111 1111 1111")
	f.Add("otp [otp " + NewID(testKey, OTP, "1") + "]482913")
	all := Policy{Phone: Redact, Email: Redact}
	f.Fuzz(func(t *testing.T, text string) {
		r := NewRedactor(all, testKey)
		once, found := r.Redact(text)
		twice, again := r.Redact(once)
		if once != twice || len(again) != 0 {
			t.Fatalf("not idempotent:\n%q\n%q\n%q", text, once, twice)
		}
		secrets := map[string]string{}
		for _, x := range found {
			if x.Start < 0 || x.End > len(text) || x.Start >= x.End || text[x.Start:x.End] != x.Secret {
				t.Fatalf("%+v does not cut out its secret of %q", x, text)
			}
			if utf8.ValidString(text) && !utf8.ValidString(x.Secret) {
				t.Fatalf("%q cuts a rune of %q", x.Secret, text)
			}
			secrets[x.ID] = x.Secret
		}
		if got := Restore(once, func(id string) (string, bool) { s, ok := secrets[id]; return s, ok }); got != text && len(Marks(text)) == 0 {
			t.Fatalf("restored %q, was %q", got, text)
		}
		if before := Marks(text); len(before) > 0 {
			after := Marks(once)
			for _, m := range before {
				kept := false
				for _, n := range after {
					kept = kept || n.ID == m.ID && n.Class == m.Class
				}
				if !kept {
					t.Fatalf("mark %+v is gone from %q", m, once)
				}
			}
		}
	})
}
