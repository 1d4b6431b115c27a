package batch_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memsync/memsync/synth/llm"
	"github.com/memsync/memsync/synth/llm/anthropic"
	"github.com/memsync/memsync/synth/llm/batch"
	"github.com/memsync/memsync/synth/llm/openai"
)

var schema = &llm.Schema{Name: "echo", Fields: []llm.Field{{Name: "echo", Type: llm.Type{Kind: llm.String}}}}

type echo struct {
	Echo string `json:"echo"`
}

func requests(n int) []llm.Request {
	var out []llm.Request
	for i := range n {
		out = append(out, llm.Request{Pass: "summaries", Schema: schema, Messages: []llm.Message{{Text: fmt.Sprintf("text-%02d", i)}}})
	}
	return out
}

// both runs a test against each interface.
func both(t *testing.T, test func(t *testing.T, connect func(url string) batch.Service)) {
	t.Run("openai", func(t *testing.T) {
		test(t, func(url string) batch.Service {
			m, err := openai.New(url+"/v1", "m", "k", nil)
			if err != nil {
				t.Fatal(err)
			}
			return m
		})
	})
	t.Run("anthropic", func(t *testing.T) {
		test(t, func(url string) batch.Service {
			m, err := anthropic.New(url, "m", "k", nil)
			if err != nil {
				t.Fatal(err)
			}
			return m
		})
	})
}

func config(t *testing.T) batch.Config {
	return batch.Config{
		StateFile: filepath.Join(t.TempDir(), "batch.json"), Now: time.Now,
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
		Check: func(req llm.Request, r llm.Reply) error {
			_, err := llm.Read[echo](r, req.Schema, nil)
			return err
		},
	}
}

// good checks that each reply is its request's.
func good(t *testing.T, replies []batch.Reply, but ...int) {
	t.Helper()
	bad := map[int]bool{}
	for _, i := range but {
		bad[i] = true
	}
	for i, r := range replies {
		if bad[i] {
			if r.Err == nil {
				t.Errorf("reply %d should have failed: %q", i, r.Text)
			}
		} else if want := fmt.Sprintf(`{"echo":"text-%02d"}`, i); r.Err != nil || r.Text != want {
			t.Errorf("reply %d is %q, %v", i, r.Text, r.Err)
		}
	}
}

func TestOneFirstThenTheRest(t *testing.T) {
	both(t, func(t *testing.T, connect func(string) batch.Service) {
		p := &provider{polls: 2}
		cfg := config(t)
		replies, done, err := batch.Run(t.Context(), connect(serve(t, p)), requests(12), cfg)
		if err != nil {
			t.Fatal(err)
		}
		good(t, replies)
		if len(p.batches) != 2 || len(p.batches[0].ids) != 1 || len(p.batches[1].ids) != 11 {
			t.Errorf("%d batches", len(p.batches))
		}
		raw, _ := os.ReadFile(cfg.StateFile)
		if len(raw) == 0 || strings.Contains(string(raw), "text-") {
			t.Errorf("the state file holds text, or nothing: %s", raw)
		}
		if err := done(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(cfg.StateFile); !os.IsNotExist(err) {
			t.Error("the state file is still there")
		}
	})
}

func TestNothingIsSentAfterABadProbe(t *testing.T) {
	both(t, func(t *testing.T, connect func(string) batch.Service) {
		p := &provider{fate: func(string, int) string { return "wrong" }}
		_, _, err := batch.Run(t.Context(), connect(serve(t, p)), requests(12), config(t))
		if !errors.Is(err, batch.ErrProbe) {
			t.Errorf("error %v", err)
		}
		for _, b := range p.batches {
			if len(b.ids) != 1 {
				t.Errorf("a batch of %d was sent", len(b.ids))
			}
		}
	})
}

func TestPartialResults(t *testing.T) {
	both(t, func(t *testing.T, connect func(string) batch.Service) {
		p := &provider{fate: func(text string, try int) string {
			switch text {
			case "text-03":
				return "refuse" // for good
			case "text-04":
				return "wrong" // always
			}
			once := map[string]string{"text-05": "expire", "text-06": "error", "text-07": "wrong", "text-08": "omit"}
			if try == 1 {
				return once[text]
			}
			return ""
		}}
		replies, _, err := batch.Run(t.Context(), connect(serve(t, p)), requests(12), config(t))
		if err != nil {
			t.Fatal(err)
		}
		good(t, replies, 3, 4)
		if !errors.Is(replies[3].Err, llm.ErrRefused) || p.tries["text-03"] != 1 || p.tries["text-04"] != 3 || p.tries["text-05"] != 2 || p.tries["text-01"] != 1 {
			t.Errorf("%v, tries %v", replies[3].Err, p.tries)
		}
	})
}

// However the connection breaks, and wherever the run is stopped, no request is
// lost and none is sent twice.
func TestBrokenConnections(t *testing.T) {
	both(t, func(t *testing.T, connect func(string) batch.Service) {
		for _, late := range []bool{false, true} {
			p := &provider{polls: 1}
			now := func(n int) bool { return n%5 == 1 }
			if late {
				p.after = now
			} else {
				p.before = now
			}
			cfg := config(t)
			cfg.Retries = 40
			replies, _, err := batch.Run(t.Context(), connect(serve(t, p)), requests(12), cfg)
			if err != nil {
				t.Fatalf("late %v: %v", late, err)
			}
			good(t, replies)
			for text, n := range p.tries {
				if n != 1 {
					t.Errorf("late %v: %s was sent %d times", late, text, n)
				}
			}
		}
	})
}

func TestARunThatIsStoppedAnywhereGoesOn(t *testing.T) {
	both(t, func(t *testing.T, connect func(string) batch.Service) {
		p := &provider{polls: 1}
		s := connect(serve(t, p))
		cfg := config(t)
		for stop := 1; ; stop++ {
			if stop > 60 {
				t.Fatal("it never ends")
			}
			// The stop-th call of this run is carried out and its answer lost, and the
			// process ends there.
			ctx, cancel := context.WithCancel(t.Context())
			from := p.calls
			p.after = func(n int) bool {
				if n-from >= 1+stop%3 {
					cancel()
					return true
				}
				return false
			}
			replies, _, err := batch.Run(ctx, s, requests(12), cfg)
			cancel()
			if err != nil {
				if stop > 20 { // let it end
					p.after = nil
					replies, _, err = batch.Run(t.Context(), s, requests(12), cfg)
				}
				if err != nil {
					continue
				}
			}
			good(t, replies)
			break
		}
		for text, n := range p.tries {
			if n != 1 {
				t.Errorf("%s was sent %d times", text, n)
			}
		}
	})
}

func TestABatchThatIsLostIsSentAgain(t *testing.T) {
	both(t, func(t *testing.T, connect func(string) batch.Service) {
		p := &provider{polls: 1 << 30} // never ends
		cfg := config(t)
		now := time.Now()
		cfg.Now = func() time.Time { now = now.Add(time.Hour); return now }
		_, _, err := batch.Run(t.Context(), connect(serve(t, p)), requests(1), cfg)
		if !errors.Is(err, batch.ErrProbe) || len(p.batches) != 3 {
			t.Errorf("%v after %d batches", err, len(p.batches))
		}
	})
}

func TestBatchCeiling(t *testing.T) {
	p := &provider{}
	m, err := openai.New(serve(t, p)+"/v1", "m", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg := config(t)
	cfg.Budget = &llm.Budget{MaxTokens: 5000}
	_, _, err = batch.Run(t.Context(), m, requests(12), cfg)
	if _, ok := errors.AsType[*llm.LimitError](err); !ok || len(p.batches) != 1 {
		t.Errorf("%v after %d batches", err, len(p.batches))
	}
}
