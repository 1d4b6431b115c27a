package llm_test

import (
	"context"
	"errors"
	"sync"

	"github.com/memsync/memsync/synth/llm"
)

// scripted says its lines one after the other, and the last one for ever.
type scripted struct {
	mu    sync.Mutex
	lines []any // a string, a llm.Reply or an error
	asked []llm.Request
}

func (s *scripted) Name() string { return "scripted" }

func (s *scripted) Complete(ctx context.Context, req llm.Request) (llm.Reply, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return llm.Reply{}, err
	}
	s.asked = append(s.asked, req)
	line := s.lines[min(len(s.asked), len(s.lines))-1]
	switch l := line.(type) {
	case string:
		return llm.Reply{Text: l, Usage: llm.Usage{In: 10, Out: 5}}, nil
	case llm.Reply:
		return l, nil
	case error:
		return llm.Reply{}, l
	}
	return llm.Reply{}, errors.New("the script has a line that is neither")
}
