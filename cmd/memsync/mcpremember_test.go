package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memsync/memsync/cmd/internal/mcpserver"
)

// What an assistant remembers over MCP is the transcript, the claims that its
// words prove, and one commit; what they do not prove is refused.
func TestAnAssistantRemembers(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "vault")
	a, stdout, stderr := testApp(t, home, home)
	if status := a.run(t.Context(), []string{"init", dir}); status != 0 {
		t.Fatal(stdout, stderr)
	}
	a, _, _ = testApp(t, home, dir)
	m := newMemory(a)
	session := mcpserver.Session{
		ID: "s-1", Title: "Kiln",
		Messages: []mcpserver.Said{
			{Role: "user", Text: "Please remember that I never fire above 1240 degrees, and that my sister Lena keeps the spare key."},
			{Role: "assistant", Text: "I will remember that you like tea."},
		},
		Remember: []mcpserver.Thing{
			{Text: "Never fires above 1240 degrees.", Kind: "policy", Domain: "home", Topic: "kiln", Quote: "I never fire above 1240 degrees"},
			{Text: "Likes tea.", Kind: "preference", Quote: "you like tea"},
			{Text: "Lives in Paris.", Kind: "identity", Quote: "I live in Paris"},
		},
	}
	done, err := m.Remember(t.Context(), session)
	if err != nil {
		t.Fatal(err)
	}
	if done.Commit == "" || len(done.Transcripts) != 1 || len(done.Applied) != 1 || len(done.Rejected) != 2 ||
		done.Rejected[0].Reason != "not-their-words" || done.Rejected[1].Reason != "quote-not-in-turn" {
		t.Errorf("%+v", done)
	}
	ledger, err := os.ReadFile(filepath.Join(dir, "facts", "home", "kiln.md"))
	if err != nil || !strings.Contains(string(ledger), `#^t0001|"I never fire above 1240 degrees"]]`) {
		t.Errorf("%s, %v", ledger, err)
	}

	session.Remember = session.Remember[:1]
	if done, err = m.Remember(t.Context(), session); err != nil || done.Commit != "" || len(done.Transcripts) != 0 {
		t.Errorf("the same again: %+v, %v", done, err)
	}
	session.Messages = append(session.Messages, mcpserver.Said{Role: "user", Text: "I also decided to buy a second kiln in May 2026."})
	if done, err = m.Remember(t.Context(), session); err != nil || done.Commit == "" || len(done.Transcripts) != 1 {
		t.Errorf("what it grew by: %+v, %v", done, err)
	}
	if _, err = m.Remember(t.Context(), mcpserver.Session{Messages: []mcpserver.Said{{Role: "butler", Text: "Tea?"}}}); err == nil || !strings.Contains(err.Error(), `"butler" as a role`) {
		t.Errorf("%v", err)
	}
}
