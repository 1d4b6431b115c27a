package daemon

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The figures of docs/daemon.md are made with these:
//
//	go test ./cmd/internal/daemon -run MeasureEdits -measure -v
//	go test ./cmd/internal/daemon -run MeasureIdle -measure -idle 10m -timeout 30m -v
//	go test ./cmd/internal/daemon -run MeasureSoak -measure -edits 100000 -timeout 2h -v
var (
	measure = flag.Bool("measure", false, "make the measurements, which take minutes")
	notes   = flag.Int("notes", 10_000, "how many notes the measured vault has")
	edits   = flag.Int("edits", 500, "how many edits are made")
	idle    = flag.Duration("idle", 3*time.Minute, "how long to be idle")
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

// TestMeasureIdle measures what the daemon costs while nothing happens.
func TestMeasureIdle(t *testing.T) {
	_, d := measured(t)
	until(t, time.Minute, "edits are committed", func() bool { return d.State().Edits.Commit != "" })
	o, done := d.Open()
	// Files that were just written are read once more, since their times do not
	// tell yet: that look is not idleness.
	looks := o.watcher.Status().Looks
	o.watcher.Now()
	until(t, time.Minute, "everything is looked at again", func() bool { return o.watcher.Status().Looks > looks })
	runtime.GC()
	debug.FreeOSMemory()
	status, err := o.Index.Status(t.Context())
	done()
	if err != nil {
		t.Fatal(err)
	}
	cpu, began := cpuTime(t), time.Now()
	time.Sleep(*idle)
	share := float64(cpuTime(t)-cpu) / float64(time.Since(began)) * 100
	t.Logf("idle for %s on %d notes, %d chunks: %.3f %% of a core, %s", *idle, *notes, status.Chunks, share, memory())
	if share > 0.1 {
		t.Errorf("more than 0.1 %% of a core")
	}
}

// TestMeasureSoak makes many edits in a row and measures whether anything grows.
func TestMeasureSoak(t *testing.T) {
	p, d := measured(t)
	r := rand.New(rand.NewPCG(5, 6))
	goroutines := runtime.NumGoroutine()
	for i := range *edits {
		p.write(t, notePath(r.IntN(*notes)), prose(r, 1500))
		if i%(max(*edits/10, 1)) == 0 {
			d.Settle(t.Context())
			runtime.GC()
			t.Logf("after %d edits: %s, %d goroutines", i, memory(), runtime.NumGoroutine())
		}
	}
	until(t, time.Minute, "all is indexed", d.InStep)
	runtime.GC()
	debug.FreeOSMemory()
	t.Logf("at the end: %s, %d goroutines (%d before), %+v", memory(), runtime.NumGoroutine(), goroutines, d.State().Watch)
	if runtime.NumGoroutine() > goroutines+5 {
		t.Error("goroutines are left behind")
	}
}

// cpuTime is what this process has used, from /proc/self/stat in ticks of 10 ms.
func cpuTime(t *testing.T) time.Duration {
	t.Helper()
	raw, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		t.Skip("needs /proc")
	}
	fields := strings.Fields(string(raw[strings.LastIndexByte(string(raw), ')')+2:]))
	var ticks int64
	for _, f := range fields[11:13] { // utime and stime
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// memory says what the heap holds and what the system gives us.
func memory() string {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	rss := ""
	if raw, err := os.ReadFile("/proc/self/status"); err == nil {
		for line := range strings.Lines(string(raw)) {
			if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
				rss = ", resident " + strings.TrimSpace(rest)
			}
		}
	}
	return fmt.Sprintf("heap %.1f MiB%s", float64(m.HeapAlloc)/(1<<20), rss)
}
