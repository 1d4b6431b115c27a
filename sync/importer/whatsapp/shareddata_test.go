package whatsapp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/memsync/memsync/sync/importer/importertest"
)

// plainHeader finds lines that a person would call headers, by a rule that
// shares nothing with the scanner.
var plainHeader = regexp.MustCompile(`^\x{FEFF}?\x{200E}?\[?\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? \d{1,2}:\d{2}`)

// Every header of other projects' fixtures yields date, sender and text.
func TestSharedExports(t *testing.T) {
	root := importertest.Shared(t, "exports/whatsapp")
	files, err := filepath.Glob(filepath.Join(root, "*", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no exports in %s: %v", root, err)
	}
	headers := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		c := Parse(Title(file), data)
		checkRaw(t, data, c)
		at := map[int]Message{}
		for _, m := range c.Messages {
			at[m.Line] = m
		}
		for i, l := range strings.Split(string(data), "\n") {
			if !plainHeader.MatchString(l) {
				continue
			}
			headers++
			m, ok := at[i+1]
			if !ok {
				t.Errorf("%s:%d: not a message: %s", name, i+1, l)
				continue
			}
			if m.Time.IsZero() {
				t.Errorf("%s:%d: no date", name, i+1)
			}
			// The app's own lines have no sender; in these files they are
			// those without a colon after the header.
			_, after, _ := strings.Cut(l[10:], ":")
			_, after, _ = strings.Cut(after, " ")
			if m.Sender == "" && strings.Contains(after, ": ") {
				t.Errorf("%s:%d: no sender: %s", name, i+1, l)
			}
			if m.Text == "" {
				t.Errorf("%s:%d: no text", name, i+1)
			}
		}
		for _, d := range c.Doubts {
			t.Logf("%s:%d: %s", name, d.Line, d.Text)
		}
		importertest.Check(t, file, importertest.Read(t, Format{}, importertest.Input(file, data)))
		if !(Format{}).Sniff(file, data) {
			t.Errorf("%s is not taken for an export", name)
		}
	}
	t.Logf("%d headers in %d files", headers, len(files))
}

// instantiate writes a header for a shape of the census: runs of d are digits,
// of A and a letters, <XXXX> code points.
func instantiate(shape string) string {
	shape = regexp.MustCompile(`<([0-9A-F]{4})>`).ReplaceAllStringFunc(shape, func(s string) string {
		n, _ := strconv.ParseUint(s[1:5], 16, 32)
		return string(rune(n))
	})
	for _, r := range [][2]string{{"dddd", "2022"}, {"dd", "11"}, {"d", "9"}, {"a.a.", "p.m."}, {" AA]", " PM]"}, {" AA,", " PM,"}, {" AA ", " PM "}, {"?A ", "?A "}, {"aa", "pm"}, {"A9", "R4"}} {
		shape = strings.ReplaceAll(shape, r[0], r[1])
	}
	// One letter after a no-break space is an Arabic day period.
	return strings.ReplaceAll(shape, "\u00a0a]", "\u00a0م]")
}

// The header shapes of many real chats are recognised; what is not is listed.
func TestSharedCensus(t *testing.T) {
	data, err := os.ReadFile(importertest.Shared(t, "exports/whatsapp/header_shape_census.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	total, recognised, shapes, known := 0, 0, 0, 0
	var missing []string
	for l := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimRight(l, "\r\n"), "\t")
		n, err := strconv.Atoi(f[1])
		if err != nil {
			continue
		}
		shapes++
		total += n
		header := instantiate(f[2])
		if strings.HasSuffix(header, "]") {
			header += " "
		}
		h, ok := scanHeader(header + "Anna: see you")
		if ok && (h.rest == len(header) || h.closing == ':') {
			recognised += n
			known++
			continue
		}
		missing = append(missing, fmt.Sprintf("%6d  %s", n, f[2]))
	}
	sort.Strings(missing)
	share := float64(recognised) / float64(total)
	t.Logf("%d of %d lines (%.4f %%), %d of %d shapes", recognised, total, 100*share, known, shapes)
	t.Logf("not recognised:\n%s", strings.Join(missing, "\n"))
	if share < 0.995 {
		t.Errorf("%.4f of the census's lines are recognised, want at least 0.995", share)
	}
}

// Gold line numbers of three real chats lead to the right messages.
func TestSharedGold(t *testing.T) {
	root := importertest.Shared(t, "end-to-end/whatsapp")
	golds, err := filepath.Glob(filepath.Join(root, "*.gold.json"))
	if err != nil || len(golds) == 0 {
		t.Fatalf("no gold in %s: %v", root, err)
	}
	for _, gold := range golds {
		var g struct {
			LineOf map[string]int `json:"line_of"`
		}
		raw, err := os.ReadFile(gold)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(raw, &g); err != nil {
			t.Fatal(err)
		}
		chats, _ := filepath.Glob(strings.TrimSuffix(gold, "gold.json") + "*.txt")
		if len(chats) != 1 {
			t.Fatalf("%s has %d chats", gold, len(chats))
		}
		data, err := os.ReadFile(chats[0])
		if err != nil {
			t.Fatal(err)
		}
		c := Parse(Title(chats[0]), data)
		checkRaw(t, data, c)
		at := map[int]Message{}
		for _, m := range c.Messages {
			at[m.Line] = m
		}
		right := 0
		lines := strings.Split(string(data), "\n")
		for id, line := range g.LineOf {
			m, ok := at[line]
			first, _, _ := strings.Cut(m.Text, "\n")
			if !ok || m.Sender == "" || !strings.HasSuffix(strings.TrimRight(lines[line-1], "\r"), m.Sender+": "+strings.TrimRight(first, "\r")) {
				t.Errorf("%s: %s is not the message of line %d", filepath.Base(gold), id, line)
				continue
			}
			right++
		}
		t.Logf("%s: %d of %d, %d messages, %d doubts", filepath.Base(gold), right, len(g.LineOf), len(c.Messages), len(c.Doubts))
		for _, d := range c.Doubts {
			t.Logf("  line %d: %s", d.Line, d.Text)
		}
		for _, m := range c.Messages {
			if !utf8.ValidString(m.Text) {
				t.Errorf("line %d is not UTF-8", m.Line)
			}
		}
	}
}
