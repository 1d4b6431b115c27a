package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// What differs between two runs of the same commands in any case: ids of commits,
// durations, and the moment itself.
var passing = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`\b[0-9a-f]{40}\b`), "COMMIT"},
	{regexp.MustCompile(`\b[0-9a-f]{10}\b`), "COMMIT"},
	{regexp.MustCompile(`"took_ms":[0-9.]+`), `"took_ms":0`},
	{regexp.MustCompile(`"took_ns":[0-9]+`), `"took_ns":0`},
	{regexp.MustCompile(`; [0-9.]+ s\n`), "; 0 s\n"},
	{regexp.MustCompile(`\b20(2[6-9]|[3-9][0-9])-[01][0-9]-[0-3][0-9][T ][0-9:]+Z?`), "NOW"}, // the fixtures are older
	{regexp.MustCompile(`(\.[0-9]{6})[0-9]+`), "$1"},                                         // scores fade by the second
	{regexp.MustCompile(`"run":"[0-9]{8}-[0-9]{6}-[0-9a-f]{4}"`), `"run":"RUN"`},
}

// aloneOnly are fields of status that are the daemon's own, or a size on the disk of
// what is kept beside the vault.
var aloneOnly = []string{"daemon", "writer", "last_reconcile", "git_bytes", "cache_bytes", "state_bytes"}

// The commands that a daemon carries out print, byte for byte, what they print when
// they work alone, on both outputs, and end with the same status.
func TestTheSameOutputWithAndWithoutADaemon(t *testing.T) {
	a, err := txtar.ParseFile("testdata/script/review.txtar")
	if err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(t.TempDir(), "home")
	proposal := "2025-02-12-new-preference-prefer-plain-text-over-rich-mail-in-letters"
	commands := []struct {
		stdin string
		args  []string
	}{
		{"", []string{"import", "../chats.json"}},
		{"", []string{"import", "../chats.json", "--json"}},
		{"", []string{"import", "../nowhere.json"}},
		{"", []string{"status"}}, // which counts what is not distilled
		{"", []string{"status", "--json"}},
		{"", []string{"search", "letter to the landlord"}},
		{"", []string{"search", "broken heating", "--json"}},
		{"", []string{"search", "broken heating", "--json", "--explain", "--mode", "keyword", "--limit", "3"}},
		{"", []string{"search", "heating", "--mode", "nonsense"}},
		{"", []string{"search", "qqxyzzy", "--mode", "keyword"}},
		{"", []string{"context", "what about the heating"}},
		{"", []string{"boot"}},
		{"", []string{"ask", "what is broken in the hall"}},
		{"", []string{"review"}},
		{"", []string{"review", "list", "--json"}},
		{"", []string{"review", "show", proposal}},
		{"", []string{"review", "edit", proposal, "Writes plain text."}},
		{"", []string{"review", "accept", proposal}},
		{"", []string{"review", "accept", "pr-nobody"}},
		{"", []string{"synth", "--dry-run"}},
		{"", []string{"synth"}},
		{"", []string{"synth", "--pass", "nonsense"}},
		{"", []string{"synth", "--json"}},
		{file(t, a, "good.json"), []string{"ops", "apply", "-", "--dry-run"}},
		{file(t, a, "ops.json"), []string{"ops", "apply", "-"}},
		{file(t, a, "bad.json"), []string{"ops", "apply", "-", "--json"}},
		{"", []string{"pin", "f-30zwta"}},
		{"", []string{"profile"}},
		{"", []string{"index"}},
		{"", []string{"search", "plain text", "--json"}},
		{"", []string{"search"}},
	}
	reads := map[string]bool{"search": true, "context": true, "boot": true, "ask": true, "status": true, "profile": true}
	seen := map[bool][]string{}
	for _, daemon := range []bool{false, true} {
		if err := os.RemoveAll(home); err != nil {
			t.Fatal(err)
		}
		p := newPerson(t, home)
		p.must("init", p.dir)
		put(t, "version: 1\nhttp:\n  addr: 127.0.0.1:0\n", 0o600, p.dir, ".memoryrc")
		put(t, file(t, a, "chats.json"), 0o600, home, "chats.json")
		stop := func(os.Signal) {}
		if daemon {
			_, end := p.watch("--vault", p.dir)
			stop = func(s os.Signal) { end(s) }
		}
		for i, c := range commands {
			if daemon && i > 0 && !reads[commands[i-1].args[0]] {
				p.inStep() // a process of its own looks at the vault first
			}
			out, errs, status := p.run(c.stdin, c.args...)
			text := fmt.Sprintf("$ memsync %s\n%s-- stderr --\n%s-- status %d --\n", strings.Join(c.args, " "), out, errs, status)
			if c.args[0] == "status" {
				text = statusAlone(t, out)
			}
			for _, one := range passing {
				text = one.pattern.ReplaceAllString(text, one.instead)
			}
			seen[daemon] = append(seen[daemon], text)
			if daemon {
				if diff := cmp.Diff(seen[false][i], text); diff != "" {
					t.Errorf("%s prints otherwise with a daemon:\n%s", c.args, diff)
				}
			}
		}
		if daemon {
			var s struct {
				Daemon struct {
					Commands int `json:"commands"`
				} `json:"daemon"`
			}
			if err := json.Unmarshal([]byte(p.must("status", "--json")), &s); err != nil || s.Daemon.Commands < len(commands) {
				t.Errorf("the daemon carried out %d commands of %d: %v", s.Daemon.Commands, len(commands), err)
			}
		}
		stop(syscall.SIGTERM)
	}
}

// statusAlone is status without what only a daemon has.
func statusAlone(t *testing.T, out string) string {
	t.Helper()
	if strings.HasPrefix(out, "{") {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal([]byte(out), &fields); err != nil {
			t.Fatal(err, out)
		}
		for _, name := range aloneOnly {
			delete(fields, name)
		}
		raw, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	var kept []string
	for line := range strings.Lines(out) {
		name, _, _ := strings.Cut(line, " ")
		if name != "watch" && name != "writer" && name != "disk" && !strings.Contains(line, "looked at the vault") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

func file(t *testing.T, a *txtar.Archive, name string) string {
	t.Helper()
	for _, f := range a.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	t.Fatalf("no file %s", name)
	return ""
}
