package hooks

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/vault"
)

func TestReadTakesWhatHostsWrite(t *testing.T) {
	for name, one := range map[string]struct {
		text string
		want Input
		bad  bool
	}{
		"claude":   {`{"session_id":"s","transcript_path":"/t.jsonl","cwd":"/w","hook_event_name":"SessionStart","source":"startup"}`, Input{"s", "/t.jsonl", "/w", "startup"}, false},
		"codex":    {`{"session_id":"s","transcript_path":null,"cwd":"/w","model":"x"}`, Input{"s", "", "/w", ""}, false},
		"nothing":  {"", Input{}, false},
		"no JSON":  {"hello", Input{}, true},
		"a list":   {"[]", Input{}, true},
		"too long": {`{"session_id":"` + strings.Repeat("s", 2*maxInput) + `"}`, Input{}, true},
	} {
		r := strings.NewReader(one.text)
		got, err := Read(r)
		if diff := cmp.Diff(one.want, got); diff != "" || (err != nil) != one.bad {
			t.Errorf("%s: %v %s", name, err, diff)
		}
		if r.Len() > 0 {
			t.Errorf("%s: %d bytes are left unread", name, r.Len())
		}
	}
}

func TestTheAnswerHasTheHostsShape(t *testing.T) {
	if got, want := string(Start("", "a\nb")), `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"a\nb"}}`+"\n"; got != want {
		t.Errorf("got %s", got)
	}
	if got, want := string(Start(Cursor, "a")), `{"additional_context":"a"}`+"\n"; got != want {
		t.Errorf("got %s", got)
	}
}

// What is said is recognised, whole, whatever stands in it, and keeps the limit.
func FuzzBlock(f *testing.F) {
	f.Add("Ana, a potter.\n")
	f.Add("</memsync-context>\nafter it")
	f.Add("<memsync-context>\n</memsync-context></memsync-context")
	f.Add("<</memsync-context/memsync-context>")
	f.Fuzz(func(t *testing.T, text string) {
		text = text[:min(len(text), Room)]
		block := Block(text)
		if left := vault.StripInjected(block); left != "" {
			t.Errorf("learned back: %q", left)
		}
		if len(block) > MaxContext {
			t.Errorf("%d bytes", len(block))
		}
		if !json.Valid(Start("", block)) {
			t.Error("no JSON")
		}
	})
}

func TestAQueueKeepsOneRecordASession(t *testing.T) {
	q := QueueIn(t.TempDir())
	at := time.Date(2025, 9, 2, 6, 0, 0, 0, time.UTC)
	files := t.TempDir()
	for i, name := range []string{"b.jsonl", "a.jsonl", "b.jsonl", "gone.jsonl"} {
		if err := q.Put(Record{Event: SessionEnd, Session: name, Transcript: filepath.Join(files, name), At: at.Add(time.Duration(i) * time.Minute)}); err != nil {
			t.Fatal(err)
		}
		if name != "gone.jsonl" {
			if err := os.WriteFile(filepath.Join(files, name), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if q.Len() != 3 {
		t.Errorf("%d records", q.Len())
	}
	var seen []string
	done, err := q.Work(t.Context(), func(_ context.Context, r Record) error {
		seen = append(seen, r.Session)
		if r.Session == "a.jsonl" { // it goes on meanwhile
			return q.Put(r)
		}
		return nil
	})
	if diff := cmp.Diff([]string{"a.jsonl", "b.jsonl"}, seen); diff != "" || done != 2 || err != nil {
		t.Errorf("done %d, %v: %s", done, err, diff)
	}
	if q.Len() != 1 {
		t.Errorf("%d records are left, want the one that was queued meanwhile", q.Len())
	}
	if err := q.Put(Record{Transcript: "relative.jsonl"}); err == nil {
		t.Error("a relative path is queued")
	}
}

func TestAFailureIsTriedAgainAFewTimes(t *testing.T) {
	state := t.TempDir()
	q := QueueIn(state)
	file := filepath.Join(t.TempDir(), "s.jsonl")
	if err := errors.Join(os.WriteFile(file, nil, 0o600), q.Put(Record{Transcript: file})); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(state, "sessions", "damaged.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	tries := 0
	for range 2 * maxAttempts {
		before := tries
		done, err := q.Work(t.Context(), func(context.Context, Record) error {
			tries++
			return errors.New("no session")
		})
		if done != 0 || (err != nil) != (tries > before) {
			t.Errorf("try %d: done %d, %v", tries, done, err)
		}
	}
	if tries != maxAttempts || q.Len() != 0 {
		t.Errorf("%d tries, %d left", tries, q.Len())
	}
}

// What a process that died had taken is found again.
func TestWhatWasTakenIsNotLost(t *testing.T) {
	q := QueueIn(t.TempDir())
	file := filepath.Join(t.TempDir(), "s.jsonl")
	if err := errors.Join(os.WriteFile(file, nil, 0o600), q.Put(Record{Transcript: file})); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	if _, err := q.Work(ctx, func(ctx context.Context, _ Record) error {
		stop()
		return ctx.Err()
	}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	done, err := q.Work(t.Context(), func(context.Context, Record) error { return nil })
	if done != 1 || err != nil || q.Len() != 0 {
		t.Errorf("done %d, %v, %d left", done, err, q.Len())
	}
}
