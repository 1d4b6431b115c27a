package privacy

import (
	"os"
	"strings"
	"testing"
)

func TestAsks(t *testing.T) {
	b, err := os.ReadFile("testdata/asks.txt")
	if err != nil {
		t.Fatal(err)
	}
	var asked, found, false int
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			continue
		}
		want, query, _ := strings.Cut(line, " ")
		class, ok := Asks(query)
		got := "-"
		if ok {
			got = string(class)
		}
		if want != "-" {
			asked++
		}
		switch {
		case want == got && want != "-":
			found++
		case want == "-" && got != "-":
			false++
		}
		if want != got {
			t.Logf("Asks(%q) = %s, want %s", query, got, want)
		}
	}
	t.Logf("%d of %d requests known, %d false", found, asked, false)
	if ratio(found, asked) < 0.97 || ratio(found, found+false) < 0.97 {
		t.Errorf("recall %.3f, precision %.3f, wanted 0.97", ratio(found, asked), ratio(found, found+false))
	}
}

func TestRefusalNamesEveryClass(t *testing.T) {
	for _, c := range Classes() {
		if s := Refusal(c); strings.Contains(s, "out :") || strings.Contains(s, "  ") || len(Marks(s)) != 0 {
			t.Errorf("Refusal(%s) = %q", c, s)
		}
	}
}
