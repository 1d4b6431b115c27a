package daemon

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// The figures of docs/daemon.md are made with these:
//
//	go test ./cmd/internal/daemon -run MeasureEdits -measure -v
//	go test ./cmd/internal/daemon -run MeasureIdle -measure -idle 1h -timeout 90m -v   (and -warm: see warm_test.go)
//	go test ./cmd/internal/daemon -run 'Soak$' -measure -notes 300 -edits 100000 -every 1000 -timeout 3h -v
var (
	measure = flag.Bool("measure", false, "make the measurements, which take minutes")
	notes   = flag.Int("notes", 10_000, "how many notes the measured vault has")
	edits   = flag.Int("edits", 500, "how many edits are made")
	idle    = flag.Duration("idle", 3*time.Minute, "how long to be idle")
	warm    = flag.Bool("warm", false, "keep the idle daemon's memory from being taken away by the host of a virtual machine")
)

func measured(t *testing.T) (*place, *Daemon) {
	t.Helper()
	if !*measure {
		t.Skip("a measurement; it runs with -measure")
	}
	p := newPlace(t)
	p.e = model(t)
	p.fill(t, *notes)
	p.repository(t)
	p.quiet = 30 * time.Second
	began := time.Now()
	d := p.start(t)
	t.Logf("%d notes indexed in %s", *notes, time.Since(began).Round(time.Millisecond))
	return p, d
}

// TestMeasureEdits saves notes and measures until each is found.
func TestMeasureEdits(t *testing.T) {
	p, d := measured(t)
	r := rand.New(rand.NewPCG(3, 4))
	var took []time.Duration
	for i := range *edits {
		path := notePath(r.IntN(*notes))
		word := fmt.Sprintf("zyx%dq", i)
		text := prose(r, 2000) + "\nand " + word + " too.\n"
		// Edits come from a person: not in step with our own work.
		time.Sleep(time.Duration(r.IntN(300)) * time.Millisecond)
		began := time.Now()
		p.write(t, path, text)
		until(t, 10*time.Second, path+" is found", func() bool { return finds(t, d, word, path) })
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	at := func(q float64) time.Duration {
		return took[int(q*float64(len(took)-1))].Round(100 * time.Microsecond)
	}
	t.Logf("edit saved to searchable, %d edits on %d notes: p50 %s, p95 %s, p99 %s, most %s",
		len(took), *notes, at(.5), at(.95), at(.99), took[len(took)-1].Round(100*time.Microsecond))
	if at(.5) > 150*time.Millisecond || at(.95) > 250*time.Millisecond {
		t.Errorf("slower than 150 ms and 250 ms")
	}
}
