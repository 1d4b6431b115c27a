package privacy

import (
	"bufio"
	"encoding/json"
	"math/rand"
	"os"
	"path/filepath"
	"regexp"
	"regexp/syntax"
	"sort"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// reference opens a file of the reference data, which is used in place and never
// part of the project.
func reference(t *testing.T, path string) *os.File {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
	f, err := os.Open(filepath.Join(dir, "..", "shared", "data", path))
	if err != nil {
		t.Skipf("the reference data is not here: %v", err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// presidioClasses are the entities of Presidio's tests that are classes of ours.
var presidioClasses = map[string]Class{
	"CREDIT_CARD": Card, "IBAN_CODE": IBAN, "IN_AADHAAR": Aadhaar, "IN_PAN": PAN, "US_SSN": SSN,
	"PHONE_NUMBER": Phone, "EMAIL_ADDRESS": Email,
}

// TestPresidio runs the detector over the cases of Presidio's own tests. A class
// of ours is asked for what the case expects; every other case is a trap: numbers
// of other kinds that ought not alarm.
func TestPresidio(t *testing.T) {
	f := reference(t, "pii/presidio_cases.jsonl")
	d := New(Config{Classes: Classes()})
	tallies := map[Class]*tally{}
	of := func(c Class) *tally {
		if tallies[c] == nil {
			tallies[c] = &tally{}
		}
		return tallies[c]
	}
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var c struct {
			File     string
			Text     string
			Entities []string
			Expected *int `json:"expected_len"`
		}
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		var class Class
		for _, e := range c.Entities {
			if k, ok := presidioClasses[e]; ok {
				class = k
			}
		}
		want := 0
		if c.Expected != nil && class != "" {
			want = *c.Expected
		}
		got := map[Class]int{}
		for _, x := range d.Find(c.Text) {
			got[x.Class]++
		}
		if class != "" {
			of(class).want += want
			of(class).found += min(want, got[class])
			if n := got[class] - want; n > 0 && c.Expected != nil {
				of(class).false += n
				t.Logf("%s: %d more of %s in %q", c.File, n, class, c.Text)
			}
			if got[class] < want {
				t.Logf("%s: %d of %d of %s in %q", c.File, got[class], want, class, c.Text)
			}
		}
		for k, n := range got {
			if k != class && k.Secret() {
				of(k).false += n
				t.Logf("%s: %s in %q", c.File, k, c.Text)
			}
		}
	}
	for _, c := range classes {
		if x := tallies[c]; x != nil {
			t.Logf("%-12s found %3d of %3d (%.3f), %2d false", c, x.found, x.want, x.recall(), x.false)
		}
	}
}

// TestGitleaks makes strings from each rule of gitleaks' rule set, each checked
// against the rule itself and its entropy, and says for how many rules they are
// found.
func TestGitleaks(t *testing.T) {
	f := reference(t, "pii/gitleaks.toml")
	d := New(Config{})
	type rule struct {
		id, regex string
		entropy   float64
		group     int
	}
	var rules []rule
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for skip := false; sc.Scan(); {
		line := sc.Text()
		name, value, _ := strings.Cut(line, " = ")
		switch {
		case line == "[[rules]]":
			rules = append(rules, rule{})
			skip = false
		case strings.HasPrefix(line, "["):
			skip = true // an allow list
		case len(rules) == 0 || skip:
		case name == "id":
			rules[len(rules)-1].id = strings.Trim(value, `"`)
		case name == "regex":
			rules[len(rules)-1].regex = strings.Trim(value, `'`)
		case name == "entropy":
			rules[len(rules)-1].entropy, _ = strconv.ParseFloat(value, 64)
		case name == "secretGroup":
			rules[len(rules)-1].group, _ = strconv.Atoi(value)
		}
	}
	const each = 8
	known, made := 0, 0
	var missed []string
	for _, r := range rules {
		re, err := regexp.Compile(r.regex)
		if err != nil || r.regex == "" {
			continue
		}
		tree, err := syntax.Parse(r.regex, syntax.Perl)
		if err != nil {
			continue
		}
		random := rand.New(rand.NewSource(1))
		tried, found, last := 0, 0, ""
		for range 40 * each {
			if tried == each {
				break
			}
			var b strings.Builder
			generate(&b, tree, random)
			text := b.String()
			m := re.FindStringSubmatchIndex(text)
			if m == nil {
				continue
			}
			group := r.group
			if group == 0 {
				for g := 1; g < len(m)/2; g++ {
					if m[2*g] >= 0 {
						group = g
						break
					}
				}
			}
			from, to := m[2*group], m[2*group+1]
			if entropy(text[from:to]) < r.entropy {
				continue
			}
			tried++
			last = text
			for _, x := range d.Find(text) {
				if x.Start <= from+(to-from)/4 && x.End >= to-(to-from)/4 { // three quarters hidden is a secret spoilt
					found++
					break
				}
			}
		}
		if tried == 0 {
			continue
		}
		made++
		if found*2 > tried {
			known++
		} else {
			missed = append(missed, r.id)
			if len(last) < 200 {
				t.Logf("%s: %q", r.id, last)
			}
		}
	}
	sort.Strings(missed)
	t.Logf("strings of %d of %d rules are found (%.3f); missed: %s", known, made, ratio(known, made), strings.Join(missed, " "))
	// The rest are ids rather than keys, rules of one file format, and strings whose
	// random case the rule allows and the provider never writes.
	if ratio(known, made) < 0.85 {
		t.Errorf("only %.3f of the rules, wanted 0.85", ratio(known, made))
	}
}

// generate writes a random string that re matches, but for assertions.
func generate(b *strings.Builder, re *syntax.Regexp, r *rand.Rand) {
	switch re.Op {
	case syntax.OpLiteral:
		for _, c := range re.Rune {
			if re.Flags&syntax.FoldCase != 0 {
				c = unicode.ToLower(c) // as the provider writes it
			}
			b.WriteRune(c)
		}
	case syntax.OpCharClass:
		// Printable ASCII where the class has any.
		var choice []rune
		for i := 0; i < len(re.Rune); i += 2 {
			for c := max(re.Rune[i], ' '); c <= min(re.Rune[i+1], '~'); c++ {
				choice = append(choice, c)
			}
		}
		if len(choice) == 0 {
			b.WriteRune(re.Rune[0])
			return
		}
		b.WriteRune(choice[r.Intn(len(choice))])
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte(alnumSet[r.Intn(len(alnumSet))])
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range re.Sub {
			generate(b, sub, r)
		}
	case syntax.OpAlternate:
		generate(b, re.Sub[r.Intn(len(re.Sub))], r)
	case syntax.OpQuest:
		if r.Intn(2) == 0 {
			generate(b, re.Sub[0], r)
		}
	case syntax.OpStar:
		repeat(b, re.Sub[0], r, 0, 4)
	case syntax.OpPlus:
		repeat(b, re.Sub[0], r, 1, 5)
	case syntax.OpRepeat:
		hi := re.Max
		if hi < 0 {
			hi = re.Min + 8
		}
		if re.Min == 0 && hi > 4 {
			hi = 0 // random letters glued to a name are nothing that anybody writes
		}
		repeat(b, re.Sub[0], r, re.Min, hi)
	}
}

func repeat(b *strings.Builder, re *syntax.Regexp, r *rand.Rand, lo, hi int) {
	for range lo + r.Intn(hi-lo+1) {
		generate(b, re, r)
	}
}
