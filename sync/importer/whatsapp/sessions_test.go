package whatsapp

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/sync/importer/whatsapp/chatgen"
	"github.com/memsync/memsync/vault"
)

func turnsOf(messages []Message) []vault.Turn {
	var ids identifier
	var out []vault.Turn
	for i := range messages {
		out = append(out, messages[i].turn(ids.id(&messages[i])))
	}
	return out
}

func TestSessionCuts(t *testing.T) {
	at := func(clock, text string) vault.Turn {
		tm, err := time.Parse("02 15:04", clock)
		if err != nil {
			t.Fatal(err)
		}
		return vault.Turn{Sender: "Anna", Time: vault.Stamp{Time: tm.AddDate(2025, 7, 0), Floating: true, Minutes: true}, Text: text}
	}
	train := at("01 10:00", "Which train do we take to Hamburg on Saturday, the early train?")
	for _, tt := range []struct {
		name string
		next vault.Turn
		cut  bool
	}{
		{"minutes later", at("01 10:20", "My sister bought yellow curtains yesterday"), false},
		{"an hour later, the same topic", at("01 11:30", "The early train to Hamburg is full on Saturday"), false},
		{"an hour later, another topic", at("01 11:30", "My sister bought yellow curtains yesterday"), true},
		{"an hour later, no topic", at("01 11:30", "ok!"), false},
		{"four hours later, no topic", at("01 14:30", "ok!"), true},
		{"the next day, the same topic", at("02 10:00", "The early train to Hamburg is full on Saturday"), true},
	} {
		if got := len(Sessions([]vault.Turn{train, tt.next}, SessionConfig{})) == 2; got != tt.cut {
			t.Errorf("%s: cut is %v", tt.name, got)
		}
	}
	always := SessionConfig{Similarity: func(a, b string) float64 { return 1 }}
	if got := len(Sessions([]vault.Turn{train, at("01 15:30", "My sister bought yellow curtains yesterday")}, always)); got != 1 {
		t.Errorf("%d sessions with another measure of likeness, want 1", got)
	}
}

// A cut depends on what came before it alone.
func TestSessionsAreStable(t *testing.T) {
	messages := chatgen.Chat(21, 700)
	turns := turnsOf(Parse("", render(t, english, messages)).Messages)
	whole := Sessions(turns, SessionConfig{})
	for n := 1; n < len(turns); n += 13 {
		part := Sessions(turns[:n], SessionConfig{})
		for i, s := range part[:len(part)-1] {
			if diff := cmp.Diff(s, whole[i]); diff != "" {
				t.Fatalf("with %d turns, session %d is another", n, i)
			}
		}
		last := part[len(part)-1]
		if len(last) > len(whole[len(part)-1]) {
			t.Fatalf("with %d turns, the last session is longer than it will be", n)
		}
	}
}

// Sessions are bounded, and together they are the chat.
func TestSessionsAreBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var turns []vault.Turn
	tm := time.Date(2025, 8, 1, 8, 0, 0, 0, time.UTC)
	for i := range 5000 {
		tm = tm.Add(time.Duration(r.IntN(90)) * time.Second)
		turns = append(turns, vault.Turn{MessageID: fmt.Sprint(i), Sender: "Anna", Time: vault.Stamp{Time: tm, Floating: true}, Text: strings.Repeat("words and more ", 1+r.IntN(40))})
	}
	cfg := SessionConfig{}.withDefaults()
	n := 0
	for _, s := range Sessions(turns, SessionConfig{}) {
		size := 0
		for _, x := range s {
			if x.MessageID != fmt.Sprint(n) {
				t.Fatalf("turn %s stands at %d", x.MessageID, n)
			}
			n++
			size += len(x.Text)
		}
		if len(s) > cfg.MaxTurns || size > cfg.MaxBytes {
			t.Errorf("a session has %d turns, %d bytes", len(s), size)
		}
	}
	if n != len(turns) {
		t.Errorf("%d turns, want %d", n, len(turns))
	}
}
