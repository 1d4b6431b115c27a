package privacy_test

import (
	"fmt"

	"github.com/memsync/memsync/vault/privacy"
)

func ExampleRedactor_Redact() {
	r := privacy.NewRedactor(nil, []byte("thirty-two random bytes of a vault"))
	text, found := r.Redact("Card 4111 1111 1111 1111, order 739104, and the PIN is 7391.")
	fmt.Println(text)
	for _, f := range found {
		fmt.Println(f.Class, f.Rule)
	}
	// Output:
	// Card [card v3v53vcc1e], order 739104, and the PIN is [otp szys1s3js8].
	// card card-luhn
	// otp code-in-context
}

func ExampleAsks() {
	for _, q := range []string{"what's my wifi password?", "how do I reset my password?"} {
		class, ok := privacy.Asks(q)
		fmt.Println(q, ok, class)
	}
	// Output:
	// what's my wifi password? true password
	// how do I reset my password? false
}
