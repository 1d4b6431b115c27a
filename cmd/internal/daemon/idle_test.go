package daemon

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memsync/memsync/index"
)

// TestMeasureIdle measures what a daemon costs while nothing happens: the real
// program, in a process of its own. Its memory is compared with that of a process
// that does nothing but hold the same index open, with the vectors loaded.
func TestMeasureIdle(t *testing.T) {
	if !*measure {
		t.Skip("a measurement; it runs with -measure")
	}
	p := newPatient(t, program(t), rand.New(rand.NewPCG(11, 12)))
	(&place{dir: p.dir}).fill(t, *notes)
	began := time.Now()
	p.must("index")
	t.Logf("%d notes indexed in %s", *notes, time.Since(began).Round(time.Millisecond))

	log, err := os.Create(filepath.Join(p.home, "watch.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	d := p.command("watch", "-v")
	d.Stderr = log
	if err := d.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = d.Process.Signal(os.Interrupt)
		_ = d.Wait()
	}()
	until(t, 10*time.Minute, "everything is committed", func() bool {
		raw, _ := os.ReadFile(log.Name())
		return strings.Contains(string(raw), "committed edits")
	})
	p.must("search", "lighthouse") // loads what a search needs
	// Files that were just written are read once more, since their times do not
	// tell yet: those looks, and the minute's first, are not idleness.
	time.Sleep(150 * time.Second)

	needs := holdIndex(t, p)
	pid := d.Process.Pid
	cold, hot := pageCost(40 * time.Second)
	t.Logf("the first touch of a page that lay idle takes %s on this machine, the next %s", cold, hot)
	if *warm {
		ctx, stop := context.WithCancel(t.Context())
		var warming sync.WaitGroup
		warming.Go(func() { keepWarm(ctx, t, pid, p.dir) })
		defer warming.Wait()
		defer stop()
		time.Sleep(2 * warmEvery)
	}
	start, at := cpuTime(t, pid), time.Now()
	first := memoryOf(t, pid)
	t.Logf("at the start: %s; a process that only holds the index: %s", first, needs)
	for every := max(*idle/12, time.Second); time.Since(at) < *idle; {
		time.Sleep(min(every, *idle-time.Since(at)))
		t.Logf("after %s: %s of processor, %s", time.Since(at).Round(time.Second), cpuTime(t, pid)-start, memoryOf(t, pid))
	}
	share := float64(cpuTime(t, pid)-start) / float64(time.Since(at)) * 100
	last := memoryOf(t, pid)
	t.Logf("idle for %s on %d notes: %.4f %% of a core; %s, of which %.1f MiB beyond what the index needs",
		*idle, *notes, share, last, mib(last.anon-needs.anon))
	if share > 0.1 {
		t.Errorf("more than 0.1 %% of a core")
	}
	if last.anon-needs.anon > 40<<20 {
		t.Errorf("more than 40 MiB beyond what the index needs")
	}
}

// holdEnv names the folder of an index that TestHoldIndex opens.
const holdEnv = "MEMSYNC_TEST_HOLD_INDEX"

// holdIndex measures a process of this test that only holds the index open.
func holdIndex(t *testing.T, p *patient) usage {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(p.home, ".cache", "memsync", "*", "index"))
	if err != nil || len(found) != 1 {
		t.Fatalf("the index is not where it is looked for: %v %v", found, err)
	}
	cmd := exec.Command(os.Args[0], "-test.run", "^TestHoldIndex$", "-test.v")
	cmd.Env = append(os.Environ(), holdEnv+"="+found[0])
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if strings.Contains(lines.Text(), "held") {
			break
		}
	}
	u := memoryOf(t, cmd.Process.Pid)
	in.Close()
	_ = cmd.Wait()
	return u
}

// TestHoldIndex holds an index open until its standard input ends.
func TestHoldIndex(t *testing.T) {
	dir := os.Getenv(holdEnv)
	if dir == "" {
		t.Skip("a part of MeasureIdle")
	}
	x, err := index.Open(t.Context(), dir, model(t), index.Config{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if _, err := x.Search(t.Context(), index.Query{Text: "lighthouse", Limit: 3}); err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	debug.FreeOSMemory()
	fmt.Println("held")
	_, _ = bufio.NewReader(os.Stdin).ReadByte()
}

// A usage is what a process has in memory, in bytes: all of it, and the part that
// is no file's.
type usage struct{ resident, anon int64 }

func (u usage) String() string {
	return fmt.Sprintf("%.1f MiB resident, %.1f MiB of it anonymous", mib(u.resident), mib(u.anon))
}

func mib(n int64) float64 { return float64(n) / (1 << 20) }

func memoryOf(t testing.TB, pid int) usage {
	t.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Skip("needs /proc")
	}
	var u usage
	for line := range strings.Lines(string(raw)) {
		name, rest, _ := strings.Cut(line, ":")
		n, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
		switch name {
		case "VmRSS":
			u.resident = n << 10
		case "RssAnon":
			u.anon = n << 10
		}
	}
	return u
}

// cpuTime is what a process has used, from /proc/PID/stat in ticks of 10 ms.
func cpuTime(t testing.TB, pid int) time.Duration {
	t.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
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
