package synth

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"

	"github.com/memsync/memsync/synth/salience"
	"github.com/memsync/memsync/vault"
)

// How deep a conversation goes depends on the others of its window, so a window is
// planned once. The plan is written down before the first of its sessions is: a run
// that was killed in the middle goes on with the rest of the same window at the same
// depths, and leaves what one leaves that nobody disturbed.

// A plan is the windows that a backlog is distilled in, as far as they are begun and
// not done.
type plan struct {
	// Shares are those that it was made by; with others it is void.
	Shares salience.Shares `json:"shares"`
	// Waiting is how many conversations without a depth waited when the backlog was
	// begun, 0 while none is under way.
	Waiting int `json:"waiting"`
	// Depths are those of the conversations that are still to be done.
	Depths map[vault.Path]depth `json:"depths"`
	// held are those of the run's windows that wait for the model.
	held map[vault.Path]bool
	file string
}

// A depth is how deep a conversation goes, as it was in a version.
type depth struct {
	Version string        `json:"version"`
	Tier    salience.Tier `json:"tier"`
	Value   float64       `json:"value"`
}

const planFile = "depths.json"

// readPlan is the plan of a run that was cut short, an empty one where there is none.
func readPlan(state string, shares salience.Shares) *plan {
	p := &plan{Shares: shares, Depths: map[vault.Path]depth{}, held: map[vault.Path]bool{}}
	if state == "" {
		return p
	}
	p.file = filepath.Join(state, planFile)
	var had plan
	if raw, err := os.ReadFile(p.file); err == nil && json.Unmarshal(raw, &had) == nil && had.Shares == shares && had.Waiting >= 0 {
		p.Waiting = had.Waiting
		maps.Copy(p.Depths, had.Depths)
	}
	return p
}

// of is the depth that a conversation was given, if it still reads as it did then.
func (p *plan) of(path vault.Path, version string) (depth, bool) {
	d, ok := p.Depths[path]
	return d, ok && d.Version == version
}

// begun are those that wait of a window that was begun. Where there are none a new
// one is to be cut.
func (p *plan) begun(waits []pending) []pending {
	var out []pending
	for _, w := range waits {
		if _, ok := p.of(w.path, w.version); ok {
			out = append(out, w)
		}
	}
	return out
}

// done takes a window off the plan, but for those conversations that wait on. Where
// no more windows follow, the backlog is behind us: those that wait on keep their
// depths, and what comes in later is measured against what waits then.
// waits are all that waited before it, also those that the run leaves for another.
func (p *plan) done(window []pending, waitsOn map[vault.Path]bool, waits []pending, more bool) {
	for _, w := range window {
		if waitsOn[w.path] {
			p.held[w.path] = true
		} else {
			delete(p.Depths, w.path)
		}
	}
	if more {
		return
	}
	left := maps.Clone(p.held)
	for _, w := range p.begun(waits) {
		left[w.path] = true
	}
	maps.DeleteFunc(p.Depths, func(path vault.Path, _ depth) bool { return !left[path] })
	p.Waiting = 0
}

// keep writes the plan down. One that cannot be kept is told to nobody: it is only
// missed by a run that was killed.
func (p *plan) keep() {
	if p.file == "" {
		return
	}
	if p.Waiting == 0 && len(p.Depths) == 0 {
		_ = os.Remove(p.file)
		return
	}
	if raw, err := json.Marshal(p); err == nil && os.WriteFile(p.file+".tmp", raw, 0o600) == nil {
		_ = os.Rename(p.file+".tmp", p.file)
	}
}

// deepen gives the conversations of a window their depths: those that they have been
// given, or such as they deserve among each other. fresh are those of the window that
// are worth a summary.
func (r *Runner) deepen(window []pending, fresh []conversation, topics *topicNames, q queue) {
	if len(r.depths.begun(window)) == 0 {
		r.depths.Waiting = max(r.depths.Waiting, len(q.waits)-len(r.depths.begun(q.waits)))
		q.vault.Waiting = r.depths.Waiting
		r.rate(fresh, topics, q.newest, q.vault)
		for _, p := range window {
			r.depths.Depths[p.path] = depth{p.version, salience.Stored, 0}
		}
		for _, c := range fresh {
			r.depths.Depths[c.path] = depth{r.depths.Depths[c.path].Version, c.tier, c.score.Value}
		}
	}
	for i := range fresh {
		d := r.depths.Depths[fresh[i].path]
		fresh[i].tier, fresh[i].score.Value = d.Tier, d.Value
	}
	if !r.cfg.DryRun {
		r.depths.keep()
	}
}
