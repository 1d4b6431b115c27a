package privacy

import (
	"strings"
	"testing"
	"time"
)

// TestNoTextIsSlow repeats what each detector starts at. Each 128 KiB take well
// under 0.2 s of a core; a search that is quadratic in the text takes half a minute.
func TestNoTextIsSlow(t *testing.T) {
	d := New(Config{Classes: Classes()})
	for _, p := range []string{
		"1", "12 ", "4111111111111111 ", "123456789012 ", "123456789012,SBIN0001234,", "४", "DE25",
		"otp ", "otp 482913 ", "482913 is is is otp ", "code code 4444 ", "password ", "password: ", `password "`, "is ",
		"eyJ", "sk-", "A3-", "key=", `key: "`, "-----BEGIN PRIVATE KEY-----", "a@", "@", "http://a:b@c ", "[otp ", "[otp 7f2k9q3mwx] ",
	} {
		text := strings.Repeat(p, 1<<17/len(p))
		began := time.Now()
		d.Find(text)
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%q, repeated: %v", p, took)
		}
	}
}
