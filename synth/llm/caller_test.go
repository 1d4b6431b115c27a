package llm_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/synth/llm"
)

func TestCallerRepeatsWhatMayPass(t *testing.T) {
	busy := &llm.StatusError{Code: 429}
	later := &llm.StatusError{Code: 503, After: 7 * time.Second}
	wrong := &llm.StatusError{Code: 401, Text: "wrong key"}
	for _, tc := range []struct {
		name   string
		lines  []any
		waits  []time.Duration
		asked  int
		failed error
	}{
		{"at once", []any{"hi"}, nil, 1, nil},
		{"after two stumbles", []any{busy, busy, "hi"}, []time.Duration{time.Second, 2 * time.Second}, 3, nil},
		{"as long as the server says", []any{later, "hi"}, []time.Duration{7 * time.Second}, 2, nil},
		{"not a wrong key", []any{wrong, "hi"}, nil, 1, llm.ErrRefused},
		{"not for ever", []any{busy}, []time.Duration{1e9, 2e9, 4e9, 8e9}, 5, llm.ErrDown},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := &scripted{lines: tc.lines}
			var waits []time.Duration
			c := llm.NewCaller(m, llm.Config{Chance: func() float64 { return 0.5 }, Wait: func(_ context.Context, d time.Duration) error {
				waits = append(waits, d)
				return nil
			}})
			_, err := c.Complete(t.Context(), llm.Request{})
			if !errors.Is(err, tc.failed) || tc.failed == nil && err != nil {
				t.Errorf("error %v, want %v", err, tc.failed)
			}
			if diff := cmp.Diff(tc.waits, waits); diff != "" || len(m.asked) != tc.asked {
				t.Errorf("asked %d times, want %d\n%s", len(m.asked), tc.asked, diff)
			}
		})
	}
}

// slow answers after a while, or when it is told to stop, and counts how many it
// serves at once.
type slow struct {
	d         time.Duration
	now, most atomic.Int32
}

func (s *slow) Name() string { return "slow" }

func (s *slow) Complete(ctx context.Context, _ llm.Request) (llm.Reply, error) {
	n := s.now.Add(1)
	defer s.now.Add(-1)
	for {
		most := s.most.Load()
		if n <= most || s.most.CompareAndSwap(most, n) {
			break
		}
	}
	if err := llm.Sleep(ctx, s.d); err != nil {
		return llm.Reply{}, err
	}
	return llm.Reply{Text: "hi"}, nil
}

func TestCallerBoundsTimeAndConcurrency(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &slow{d: time.Second}
		c := llm.NewCaller(m, llm.Config{Concurrency: 3})
		var all sync.WaitGroup
		from := time.Now()
		for range 10 {
			all.Go(func() {
				if _, err := c.Complete(t.Context(), llm.Request{}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if m.most.Load() != 3 || time.Since(from) != 4*time.Second {
			t.Errorf("%d at once, all in %s", m.most.Load(), time.Since(from))
		}
		c = llm.NewCaller(&slow{d: time.Hour}, llm.Config{Timeout: time.Minute, Retries: -1})
		if _, err := c.Complete(t.Context(), llm.Request{}); !errors.Is(err, llm.ErrDown) || !strings.Contains(err.Error(), "within 1m0s") {
			t.Errorf("after the time limit: %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := c.Complete(ctx, llm.Request{}); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, llm.ErrDown) {
			t.Errorf("after the caller gave up: %v", err)
		}
	})
}

func TestCeilings(t *testing.T) {
	req := llm.Request{Messages: []llm.Message{{Text: "hello there"}}, MaxTokens: 100}
	size := llm.Size(req)
	b := &llm.Budget{MaxTokens: 3 * (size.In + size.Out)}
	m := &scripted{lines: []any{llm.Reply{Usage: llm.Usage{In: size.In, Out: 100}}}}
	c := llm.NewCaller(m, llm.Config{Budget: b, Concurrency: 8})
	var refused atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			_, err := c.Complete(t.Context(), req)
			if limit, ok := errors.AsType[*llm.LimitError](err); ok && limit.Limit == "tokens" {
				refused.Add(1)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if len(m.asked) != 3 || refused.Load() != 5 {
		t.Errorf("%d were sent and %d held back, want 3 and 5", len(m.asked), refused.Load())
	}
	costly := &llm.Budget{MaxCost: 0.01, Price: llm.Price{Out: 1000}}
	_, err := llm.NewCaller(m, llm.Config{Budget: costly}).Complete(t.Context(), req)
	if limit, ok := errors.AsType[*llm.LimitError](err); !ok || limit.Limit != "cost" || len(m.asked) != 3 {
		t.Errorf("a request of ten cents under a ceiling of one: %v", err)
	}
}

func TestLedgerSaysWhatAndNeverWhich(t *testing.T) {
	dir := t.TempDir()
	at := time.Date(2025, 9, 1, 10, 0, 0, 0, time.UTC)
	now := func() time.Time { at = at.Add(time.Second); return at }
	l := llm.NewLedger(dir)
	m := &scripted{lines: []any{"an answer nobody may read", &llm.StatusError{Code: 500, Text: "kept out too"}, llm.Reply{Text: "x", Cut: true, Usage: llm.Usage{In: 1, Out: 1}}}}
	c := llm.NewCaller(m, llm.Config{Ledger: l, Now: now, Retries: -1, Budget: &llm.Budget{Price: llm.Price{In: 1e5, Out: 1e5}}})
	for range 3 {
		_, _ = c.Complete(t.Context(), llm.Request{Pass: "summaries", Messages: []llm.Message{{Text: "a question nobody may read"}}})
	}
	calls, err := l.Calls()
	if err != nil {
		t.Fatal(err)
	}
	first := time.Date(2025, 9, 1, 10, 0, 1, 0, time.UTC)
	want := []llm.Call{
		{At: first, Pass: "summaries", Model: "scripted", In: 10, Out: 5, Cost: 1.5, Millis: 1000, Outcome: "ok"},
		{At: first.Add(2 * time.Second), Pass: "summaries", Model: "scripted", Millis: 1000, Outcome: "down", Why: "status 500 Internal Server Error"},
		{At: first.Add(4 * time.Second), Pass: "summaries", Model: "scripted", In: 1, Out: 1, Cost: 0.2, Millis: 1000, Outcome: "cut"},
	}
	if diff := cmp.Diff(want, calls); diff != "" {
		t.Error(diff)
	}
	all := []llm.Usages{{Model: "scripted", Pass: "summaries", Calls: 3, Failed: 1, In: 11, Out: 6, Cost: 1.7, P50Millis: 1000}}
	if diff := cmp.Diff(all, llm.Summarise(calls)); diff != "" {
		t.Error(diff)
	}
	raw, _ := os.ReadFile(filepath.Join(dir, llm.LedgerName))
	if strings.Contains(string(raw), "nobody") || strings.Contains(string(raw), "kept out") {
		t.Errorf("the ledger holds text:\n%s", raw)
	}
	if info, _ := os.Stat(filepath.Join(dir, llm.LedgerName)); info.Mode().Perm() != 0o600 {
		t.Errorf("the ledger's mode is %v", info.Mode())
	}
}

func TestEstimate(t *testing.T) {
	req := llm.Request{System: strings.Repeat("word ", 1000), MaxTokens: 500}
	e := llm.EstimateOf("gpt-4o-mini-2024-07-18", false, req, req)
	if e.Requests != 2 || e.Tokens.Out != 1000 || e.Tokens.In < 2000 || e.Tokens.In > 2100 || !e.PriceKnown {
		t.Errorf("%+v", e)
	}
	if half := llm.EstimateOf("gpt-4o-mini", true, req, req); 2*half.Cost != e.Cost || e.Cost <= 0 {
		t.Errorf("a batch costs %v, the same one by one %v", half.Cost, e.Cost)
	}
	if _, known := llm.PriceOf("qwen3:4b"); known {
		t.Error("a local model has a price")
	}
	if p, _ := llm.PriceOf("anthropic/claude-opus-4-5-20251101"); p.In != 5 {
		t.Errorf("the price of a routed model is %v", p)
	}
}
