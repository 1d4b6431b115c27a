package vault

import (
	"strings"
	"testing"
)

func TestTorn(t *testing.T) {
	const ledger = "---\nid: f-1\ntype: facts\n---\n\n# Tea\n\n- Drinks green tea. (kind:: preference) ^f-1a\n- Lives in Porto. (kind:: identity) ^f-1b\n"
	const transcript = "---\ntype: transcript\nsource: chatgpt\n---\n\nhello\n"
	const porto = "- Lives in Porto. (kind:: identity) ^f-1b"
	for name, test := range map[string]struct{ before, after, want string }{
		"nothing is left":                  {ledger, "", "it is empty"},
		"zeros, as after a power cut":      {ledger, strings.Repeat("\x00", len(ledger)), "it is empty"},
		"blank lines":                      {ledger, "\n \n", "it is empty"},
		"the properties break off":         {ledger, ledger[:14], "its properties cannot be read"},
		"the properties are gone":          {ledger, "# Tea\n", "its properties cannot be read"},
		"the properties are no YAML":       {ledger, strings.Replace(ledger, "id: f-1", "id: [f-1", 1), "its properties cannot be read"},
		"a line breaks off":                {ledger, ledger[:len(ledger)-20], "its last line breaks off"},
		"a transcript that is empty":       {transcript, "", "it is empty"},
		"a claim was deleted":              {ledger, strings.Replace(ledger, porto+"\n", "", 1), ""},
		"the last, and its end of line":    {ledger, strings.Replace(ledger, "\n"+porto+"\n", "", 1), ""},
		"all of them, one by one":          {ledger, ledger[:strings.Index(ledger, "- ")], ""},
		"the end of the last line is gone": {ledger, strings.TrimSuffix(ledger, "\n"), ""},
		"a line of theirs is not finished": {ledger, ledger + "- Likes", ""},
		"another type":                     {ledger, strings.Replace(ledger, "facts", "note", 1), ""},
		"a note of theirs":                 {"mine\n", "", ""},
		"nothing was there":                {"", ledger[:20], ""},
	} {
		if got := Torn([]byte(test.before), []byte(test.after)); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
