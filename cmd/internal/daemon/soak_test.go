package daemon

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"strings"
	"testing"
	"time"
)

var (
	batch = flag.Int("batch", 10, "how many notes the soak saves before it waits until they are indexed and committed")
	heaps = flag.String("heaps", "", "a folder for a profile of the heap at each sample of the soak")
	most  = flag.Duration("soak", 0, "how long the soak goes on at most; 0 is until all edits are made")
	every = flag.Int("every", 0, "after how many edits the soak takes a sample; 0 is a twentieth of them")
)

// A sample is what a daemon holds at one moment of a soak, in bytes: objects of
// Go's heap, the memory that Go's runtime has from the system, and of what is
// resident the anonymous part, which is Go's and SQLite's, and pages of files.
type sample struct {
	edits, goroutines, files    int
	heap, runtime               int64
	resident, anonymous, mapped int64
}

func (s sample) String() string {
	return fmt.Sprintf("%d edits: heap %.1f MiB of %.1f, resident %.1f MiB (%.1f anonymous, %.1f files), %d goroutines, %d open files",
		s.edits, mib(s.heap), mib(s.runtime), mib(s.resident), mib(s.anonymous), mib(s.mapped), s.goroutines, s.files)
}

// takeSample takes a sample between two pieces of work, as far as there is such a
// moment: the stillest of some.
func takeSample(t testing.TB, edits int) sample {
	t.Helper()
	stillest := sample{goroutines: 1 << 30}
	for range 10 {
		if s := sampleNow(t, edits); s.goroutines < stillest.goroutines {
			stillest = s
		}
		time.Sleep(20 * time.Millisecond)
	}
	return stillest
}

func sampleNow(t testing.TB, edits int) sample {
	t.Helper()
	runtime.GC()
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("needs /proc")
	}
	u := memoryOf(t, os.Getpid())
	return sample{edits, runtime.NumGoroutine(), len(open), int64(m.HeapAlloc), int64(m.Sys - m.HeapReleased),
		u.resident, u.anon, u.resident - u.anon}
}

// profileHeap keeps what the heap holds after so many edits, where -heaps asks for it.
func profileHeap(t testing.TB, edits int) {
	t.Helper()
	if *heaps == "" {
		return
	}
	f, err := os.Create(filepath.Join(*heaps, fmt.Sprintf("heap-%07d.pprof", edits)))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := pprof.Lookup("heap").WriteTo(f, 0); err != nil {
		t.Fatal(err)
	}
}

// soak saves notes in batches, and after each waits until it is found and in a
// commit of its own, so that every batch is a look and a commit.
func soak(t *testing.T, p *place, d *Daemon, edits, batch int, longest time.Duration) []sample {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 6))
	until(t, 5*time.Minute, "the first commit", func() bool { return d.State().Edits.Commit != "" && d.InStep() })
	commits := func() int {
		n, err := strconv.Atoi(strings.TrimSpace(runGit(t, p.dir, "rev-list", "--count", "HEAD")))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	before, looks := commits(), d.State().Watch.Looks
	samples := []sample{takeSample(t, 0)}
	began, done, batches, step := time.Now(), 0, 0, *every
	if step == 0 {
		step = max(edits/20, 1)
	}
	for done < edits && (longest == 0 || time.Since(began) < longest) {
		was := d.State().Edits.Commit
		first := r.IntN(*notes)
		for i := range min(batch, edits-done) {
			p.write(t, notePath((first+i)%*notes), prose(r, 1500))
			done++
		}
		batches++
		until(t, time.Minute, fmt.Sprintf("edit %d is indexed and committed", done), func() bool {
			s := d.State()
			return s.Edits.Commit != was && d.InStep()
		})
		if done/step > (done-batch)/step {
			samples = append(samples, takeSample(t, done))
			profileHeap(t, done)
			t.Logf("after %s, %s", time.Since(began).Round(time.Second), samples[len(samples)-1])
		}
	}
	samples = append(samples, takeSample(t, done))
	looked := d.State().Watch.Looks - looks
	t.Logf("%d edits in %s: %d looks, %d commits", done, time.Since(began).Round(time.Second), looked, commits()-before)
	if n := commits() - before; n < batches || int(looked) < batches {
		t.Errorf("%d commits and %d looks for %d batches of edits", n, looked, batches)
	}
	return samples
}

// TestSoak makes many edits in a row, each batch of them indexed and committed
// before the next, and measures whether anything grows. Without -measure it is a
// short one.
func TestSoak(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	n, longest := *edits, *most
	if !*measure {
		*notes, n, longest = 60, 200, 20*time.Second
	}
	p := newPlace(t)
	p.e = model(t)
	p.fill(t, *notes)
	p.repository(t)
	p.quiet = time.Millisecond
	p.watch.Quiet = 2 * time.Millisecond
	d := p.start(t)
	samples := soak(t, p, d, n, *batch, longest)
	// The first tenth warms caches up; what comes after is the same work again.
	warm, end := samples[min(len(samples)/10+1, len(samples)-1)], samples[len(samples)-1]
	until(t, time.Minute, "in step", d.InStep)
	d.rest(0) // as after a minute without a change
	last := takeSample(t, end.edits)
	t.Logf("at the start %s", samples[0])
	t.Logf("warm         %s", warm)
	t.Logf("at the end   %s", end)
	t.Logf("a minute on  %s", last)
	if last.goroutines > warm.goroutines+5 || last.files > warm.files+5 {
		t.Error("goroutines or open files are left behind")
	}
	if grown := last.heap - warm.heap; grown > 8<<20 {
		t.Errorf("the heap has grown by %.1f MiB since it was warm", mib(grown))
	}
	// What is not Go's is SQLite's, whose pages have a bound, see the caches of
	// package sqlite; a short soak does not meet it.
	if grown := end.anonymous - warm.anonymous; *measure && grown > 24<<20 {
		t.Errorf("the process has grown by %.1f MiB since it was warm", mib(grown))
	}
	runGit(t, p.dir, "fsck", "--strict", "--no-dangling")
}

// runGit runs git in a folder and returns what it says.
func runGit(t testing.TB, dir string, args ...string) string {
	t.Helper()
	out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}
