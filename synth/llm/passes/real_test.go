package passes_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memsync/memsync/synth/llm"
	"github.com/memsync/memsync/synth/llm/openai"
	"github.com/memsync/memsync/synth/llm/passes"
)

// The whole path against a real server, which bench/e2e-llm.sh starts. A weak
// model may fail at everything; what must hold is that nothing without proof gets
// through and that every failure is one of the errors that a pass knows.
func TestRealModel(t *testing.T) {
	url := os.Getenv("MEMSYNC_E2E_LLM_URL")
	if url == "" {
		t.Skip("MEMSYNC_E2E_LLM_URL is not set; bench/e2e-llm.sh sets it")
	}
	m, err := openai.New(url, "local", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	ledger := llm.NewLedger(dir)
	budget := &llm.Budget{MaxTokens: 500_000}
	w := passes.Writer{Model: llm.NewCaller(m, llm.Config{Timeout: 3 * time.Minute, Concurrency: 1, Ledger: ledger, Now: time.Now, Budget: budget})}
	known := func(what string, err error) {
		switch {
		case err == nil:
		case errors.Is(err, llm.ErrAnswer):
			t.Logf("%s: not usable: %v", what, err)
		default:
			t.Errorf("%s: %v", what, err)
		}
	}
	s, err := w.Summarise(t.Context(), talk, nil, 180)
	known("summary", err)
	t.Logf("summary: %d items kept, %d dropped, topics %v\n%s\n%v", len(s.Items), len(s.Drops), s.Topics, s.Text(), s.Drops)
	if text := s.Text(); strings.Contains(text, "Evilbank") && len(s.Items) > 0 {
		for _, it := range s.Items {
			if it.Turn != "t0003" && it.Turn != "t0004" && it.Turn != "t0002" && strings.Contains(it.Text, "Evilbank") {
				t.Errorf("the bank is proved by %s", it.Turn)
			}
		}
	}
	v, err := w.Judge(t.Context(), passes.Side{Text: "Lives in Porto and pays 600 euros rent.", Date: "2025-01-01"}, passes.Side{Text: "Moved to Lisbon and pays 900 euros rent.", Date: "2025-03-04"})
	known("judge", err)
	t.Logf("verdict: %+v", v)
	card, err := w.Profile(t.Context(), "", []passes.Claim{
		{ID: "f-1", Kind: "identity", Text: "Works as a nurse in Lisbon.", FirstSeen: "2025-01-01", LastSeen: "2025-03-01"},
		{ID: "f-2", Kind: "preference", Text: "Prefers answers in Portuguese.", FirstSeen: "2025-01-01", LastSeen: "2025-03-01"},
	}, nil)
	known("profile", err)
	t.Logf("card: %+v", card)
	o, drops, err := w.Operations(t.Context(), talk, nil)
	known("operations", err)
	t.Logf("operations: %d proposed, %d dropped\n%+v\n%v", o.Len(), len(drops), o, drops)
	calls, err := ledger.Calls()
	if err != nil || len(calls) == 0 {
		t.Errorf("the ledger has %d calls: %v", len(calls), err)
	}
	for _, c := range calls {
		t.Logf("call: %s %d in %d out %d ms %s", c.Pass, c.In, c.Out, c.Millis, c.Outcome)
	}
	if raw, _ := os.ReadFile(filepath.Join(dir, llm.LedgerName)); strings.Contains(string(raw), "Lisbon") {
		t.Error("the ledger holds text")
	}
}
