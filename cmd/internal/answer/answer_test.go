package answer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/vault"
)

var now = time.Date(2025, 9, 2, 6, 10, 0, 0, time.UTC)

// A fixed index answers always the same.
type fixed struct{ result index.Result }

func (f fixed) Search(context.Context, index.Query) (index.Result, error) { return f.result, nil }
func (f fixed) SearchEach(_ context.Context, _ index.Query, parts []index.Part) (index.Result, [][]index.Hit, error) {
	lists := make([][]index.Hit, len(parts))
	return index.Result{}, lists, nil
}
func (f fixed) Get(_ context.Context, id string) ([]index.Item, error) {
	return nil, fmt.Errorf("get %s: %w", id, index.ErrNotFound)
}
func (f fixed) Status(context.Context) (index.Status, error) { return index.Status{}, nil }

func memoryOf(t *testing.T, log *Log) *Memory {
	t.Helper()
	v, err := vault.Open(t.TempDir(), vault.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v.Close() })
	x := fixed{index.Result{Hits: []index.Hit{{ID: "f-1", Type: "facts", Title: "hush", Snippet: "a hush word", Score: 1}}}}
	return New(Config{
		Vault: v, Index: x, Now: func() time.Time { return now }, Log: log, Limit: 10,
		Redact: func(_, text string) string { return strings.ReplaceAll(text, "hush", "[mark]") },
		Stale:  func(context.Context) string { return "it is behind" },
	})
}

func TestAnAnswerIsRedactedAndSaysHowFreshItIs(t *testing.T) {
	log := OpenLog(t.TempDir())
	m := memoryOf(t, log)
	r, err := m.Query(t.Context(), Query{Query: "say hush"})
	if err != nil {
		t.Fatal(err)
	}
	if r.Fresh || len(r.Notes) != 1 || r.Results[0].Title != "[mark]" || r.Results[0].Summary != "a [mark] word" {
		t.Errorf("%+v", r)
	}
	p, err := m.Context(t.Context(), ContextRequest{Message: "say hush"})
	if err != nil || p.Fresh || !strings.Contains(p.Notice, "It is behind.") {
		t.Errorf("%+v, %v", p, err)
	}
	records, err := log.Records()
	if err != nil || len(records) != 2 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	if records[0].Query != "say [mark]" || records[0].Picked[0] != "f-1" || records[1].Kind != "context" {
		t.Errorf("%+v", records)
	}
}

func TestWhatCannotBeAsked(t *testing.T) {
	m := memoryOf(t, nil)
	for _, q := range []Query{{}, {Query: " "}, {Query: "x", Limit: -1}, {Query: "x", Limit: MaxLimit + 1}, {Query: "x", Mode: "y"}, {Query: "x", Until: "z"}} {
		if _, err := m.Query(t.Context(), q); !asBad(err) {
			t.Errorf("%+v: %v", q, err)
		}
	}
	for _, r := range []ContextRequest{{}, {Message: "x", Budget: -1}, {Message: "x", Budget: MaxBudget + 1}, {Message: "x", Preset: "y"}, {Message: "x", Intent: "y"}} {
		if _, err := m.Context(t.Context(), r); !asBad(err) {
			t.Errorf("%+v: %v", r, err)
		}
	}
	if _, err := m.Query(t.Context(), Query{Query: "what's my wifi password"}); func() bool { _, ok := errors.AsType[*RefusedError](err); return !ok }() {
		t.Errorf("a secret: %v", err)
	}
	if _, err := m.Items(t.Context(), "f-none"); !errors.Is(err, index.ErrNotFound) {
		t.Errorf("an id that nothing has: %v", err)
	}
}

func asBad(err error) bool {
	_, ok := errors.AsType[*BadRequestError](err)
	return ok
}

func TestTheLogIsBoundedAndPrivate(t *testing.T) {
	dir := t.TempDir()
	log := OpenLog(dir)
	long := strings.Repeat("x", 64<<10)
	for i := range 3 * maxLog / len(long) {
		log.Add(Record{At: now, Kind: "search", Query: long, TookMS: float64(i)})
	}
	var total int64
	for _, name := range []string{logFile, oldLogFile} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Size() > maxLog || info.Mode().Perm() != 0o600 {
			t.Fatalf("%s: %v, %v", name, info, err)
		}
		total += info.Size()
	}
	records, err := log.Records()
	if err != nil || len(records) == 0 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	if last := records[len(records)-1]; last.TookMS != float64(3*maxLog/len(long)-1) {
		t.Errorf("the newest record is gone: %v", last.TookMS)
	}
	var none *Log
	none.Add(Record{}) // a log that is off takes everything
}

func TestSummarise(t *testing.T) {
	s := Summarise([]Record{
		{At: now, Kind: "search", Picked: []string{"a", "b"}, TookMS: 1},
		{At: now, Kind: "search", TookMS: 3},
		{At: now, Kind: "context", Picked: []string{"a"}, Tokens: 800, TookMS: 2},
		{At: now, Kind: "context", Refused: true, TookMS: 0},
	})
	if s.Records != 4 || s.Empty != 1 || s.Refused != 1 || s.MeanTokens != 800 || s.P50MS != 2 || s.P99MS != 3 || s.MeanPicked != 0.75 {
		t.Errorf("%+v", s)
	}
	if s := Summarise(nil); s.Records != 0 || s.P50MS != 0 {
		t.Errorf("%+v", s)
	}
}
