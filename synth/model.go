package synth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/memsync/memsync/synth/llm"
	"github.com/memsync/memsync/synth/llm/passes"
)

// This file is how a pass asks a language model, and what becomes of its work
// where the model does not answer. A pass asks unit by unit: a session, the
// operations of a conversation, a page. Each unit ends in one of three ways.
//
//   - The model wrote it (byModel).
//   - There is no model, or nothing that it said could be used (byRules): the
//     rules write what they would have written without one.
//   - The model cannot be asked now (later): nothing is written for the unit, and
//     it waits for the next run.

// An answer is how asking the model for a unit ended.
type answer int

const (
	byRules answer = iota
	byModel
	later
)

// A ModelUse says in a report what a pass had of the model.
type ModelUse struct {
	// Name is the model and the versions of the prompts that it wrote with.
	Name string `json:"name"`
	// Wrote, Rules and Waits count units: what the model wrote, what the rules
	// wrote in its place since its answers could not be used, and what waits for a
	// later run.
	Wrote int `json:"wrote"`
	Rules int `json:"by_rules"`
	Waits int `json:"waits"`
	// Dropped counts what the model said without proof, item by item.
	Dropped int `json:"dropped"`
	// Why is the reason of the last unit that the model did not write.
	Why string `json:"why,omitempty"`
}

// A model is Config.Writer in a run. Its methods may be called from several
// goroutines.
type model struct {
	w *passes.Writer

	mu  sync.Mutex
	use ModelUse // of the pass under way
	// stop is why nothing more is asked in this run, and then how every unit ends.
	stop error
	end  answer
	// useless and refused count units in a row, as long as none went well.
	useless, refused int
	well             bool
}

// errNothing is a model that is not asked, as there is nothing to ask about: the
// rules write.
var errNothing = errors.New("there is nothing to ask about")

// Bounds of asking in vain. A model that writes nothing usable for the first
// eight units of a run will not for the ninth; a server that refuses three
// requests in a row refuses not those requests but us.
const (
	uselessUnits = 8
	refusedUnits = 3
)

// defaultParallel is how many units are asked for at once; llm.Caller's default.
const defaultParallel = 4

// modelVersion names the model and prompt that write a unit, empty without a
// model. It belongs to what a unit is made of, so that another model is another
// input.
func (r *Runner) modelVersion(prompt string) string {
	if r.cfg.Writer == nil {
		return ""
	}
	return r.cfg.Writer.Version(prompt)
}

// ask has the model write one unit of a pass with the prompt of that name. An
// error means that the run was stopped, and nothing else.
func ask[T any](ctx context.Context, r *Runner, prompt string, call func(context.Context, passes.Writer) (T, error)) (T, answer, error) {
	var none T
	if r.model.w == nil {
		return none, byRules, nil
	}
	if end, stopped := r.model.stopped(prompt); stopped {
		return none, end, nil
	}
	out, err := call(ctx, *r.model.w)
	if ctx.Err() != nil {
		return none, later, ctx.Err()
	}
	end := r.model.note(prompt, err)
	if end != byModel {
		return none, end, nil
	}
	return out, byModel, nil
}

// stopped reports how a unit ends that is not asked for any more.
func (m *model) stopped(prompt string) (answer, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.stop == nil {
		return byModel, false
	}
	m.count(prompt, m.end, m.stop)
	return m.end, true
}

// note sorts what came of asking.
func (m *model) note(prompt string, err error) answer {
	m.mu.Lock()
	defer m.mu.Unlock()
	end := byModel
	switch {
	case err == nil:
		m.well, m.useless, m.refused = true, 0, 0
	case errors.Is(err, llm.ErrCounted), errors.Is(err, errNothing):
		return byRules // a dry run: the rules stand for what the model would write
	case errors.Is(err, llm.ErrAnswer):
		end = byRules
		if m.useless++; !m.well && m.useless >= uselessUnits {
			m.stop, m.end = fmt.Errorf("of %d answers none could be used, so the model is not asked any more in this run: %w", m.useless, err), byRules
		}
	case oneRequest(err):
		end = later
		if m.refused++; m.refused >= refusedUnits {
			m.stop, m.end = err, later
		}
	default:
		end = later
		if m.stop == nil {
			m.stop, m.end = err, later
		}
	}
	m.count(prompt, end, err)
	return end
}

// oneRequest reports whether a server refused this request and perhaps not the
// next: it is too long for the model, or of a form that it does not take.
func oneRequest(err error) bool {
	s, ok := errors.AsType[*llm.StatusError](err)
	return ok && slices.Contains([]int{http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity}, s.Code)
}

// count adds a unit to the pass's report. The lock is held.
func (m *model) count(prompt string, end answer, err error) {
	switch end {
	case byModel:
		if v := m.w.Version(prompt); !strings.Contains(m.use.Name, v) {
			m.use.Name = strings.TrimPrefix(m.use.Name+", "+v, ", ")
		}
		m.use.Wrote++
		return
	case byRules:
		m.use.Rules++
	case later:
		m.use.Waits++
	}
	if err != nil {
		m.use.Why = llm.Clip(err.Error(), 300)
	}
}

// counted adds a unit that did not go through ask.
func (m *model) counted(prompt string, end answer, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.count(prompt, end, err)
}

// dropped counts items that the model said without proof.
func (m *model) dropped(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.use.Dropped += n
}

// took is what the pass had of the model, and begins the next pass's account.
func (m *model) took() *ModelUse {
	m.mu.Lock()
	defer m.mu.Unlock()
	u := m.use
	m.use = ModelUse{}
	if u == (ModelUse{}) {
		return nil
	}
	return &u
}

// down reports whether the model could not be asked in this run.
func (m *model) down() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.stop != nil && m.end == later
}

// each does n units of work, several at a time.
func (r *Runner) each(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
	work, ctx := errgroup.WithContext(ctx)
	most := r.cfg.Parallel
	if most <= 0 {
		most = defaultParallel
	}
	work.SetLimit(most)
	for i := range n {
		work.Go(func() error { return do(ctx, i) })
	}
	return work.Wait()
}
