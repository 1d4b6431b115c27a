package priority

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var now = time.Date(2025, 9, 2, 6, 0, 0, 0, time.UTC)

func days(n float64) time.Duration { return time.Duration(n * 24 * float64(time.Hour)) }

func near(a, b float64) bool { return math.Abs(a-b) < 1e-6 }

func TestPriorityIsTheWeighedSumOfItsParts(t *testing.T) {
	s := Weigh(now, Item{Seen: now.Add(-Tau), Importance: 0.8}, Access{Hits: manyHits})
	if !near(s.Recency, 1/math.E) || s.Importance != 0.8 || !near(s.Frequency, 1) {
		t.Errorf("parts %+v", s)
	}
	if want := 0.5/math.E + 0.3*0.8 + 0.2; !near(s.Priority, want) {
		t.Errorf("priority %v, want %v", s.Priority, want)
	}
	if s := Weigh(now, Item{}, Access{}); s.Priority != 0 || s.Heat != Cold {
		t.Errorf("nothing known: %+v", s)
	}
}

func TestHeat(t *testing.T) {
	for name, test := range map[string]struct {
		item   Item
		access Access
		want   Heat
	}{
		"new and important":         {Item{Seen: now, Importance: 0.7}, Access{}, Hot},
		"new":                       {Item{Seen: now, Importance: 0.3}, Access{}, Warm},
		"one half-life old":         {Item{Seen: now.Add(-HalfLife - time.Hour)}, Access{}, Cold},
		"important things stay":     {Item{Seen: now.Add(-days(70)), Importance: 1}, Access{}, Warm},
		"old but just asked for":    {Item{Seen: now.Add(-days(900))}, Access{Hits: 3, Last: now, Energy: 0.8}, Hot},
		"old, asked for long ago":   {Item{Seen: now.Add(-days(900))}, Access{Hits: 3, Last: now.Add(-days(90)), Energy: 0.8}, Cold},
		"old and pinned":            {Item{Seen: now.Add(-days(900)), Pinned: true}, Access{}, Hot},
		"said in the future":        {Item{Seen: now.Add(days(10)), Importance: 1}, Access{}, Hot},
		"not a number, so nothing":  {Item{Seen: now, Importance: math.NaN()}, Access{}, Warm},
		"more than all is all":      {Item{Seen: now, Importance: 7}, Access{Hits: 1e9, Last: now, Energy: 9}, Hot},
		"fewer accesses than none":  {Item{Seen: now}, Access{Hits: -4}, Warm},
		"asked for, nothing else":   {Item{}, Access{Hits: 1, Last: now, Energy: 0.5}, Warm},
		"asked for twice, and cold": {Item{}, Access{Hits: 2, Last: now.Add(-days(60)), Energy: 0.75}, Cold},
	} {
		s := Weigh(now, test.item, test.access)
		if s.Heat != test.want {
			t.Errorf("%s: %s with energy %.2f, want %s", name, s.Heat, s.Energy, test.want)
		}
		for _, v := range []float64{s.Recency, s.Importance, s.Frequency, s.Priority, s.Energy} {
			if !(v >= 0 && v <= 1) {
				t.Errorf("%s: %v is outside 0 to 1: %+v", name, v, s)
			}
		}
	}
}

func TestOnlyTheWarmestAreHot(t *testing.T) {
	var items []Standing
	for i := range HotCap + 5 {
		items = append(items, Weigh(now, Item{Seen: now.Add(-time.Duration(i) * time.Hour), Importance: 1}, Access{}))
	}
	items = append(items, Weigh(now, Item{Pinned: true}, Access{}))
	Cap(items)
	hot := 0
	for i, s := range items[:HotCap+5] {
		if s.Heat == Hot {
			hot++
		}
		if (s.Heat == Hot) != (i < HotCap) {
			t.Errorf("item %d is %s", i, s.Heat)
		}
	}
	if hot != HotCap || items[HotCap+5].Heat != Hot {
		t.Errorf("%d HOT, the pinned one %s", hot, items[HotCap+5].Heat)
	}
}

func TestImportance(t *testing.T) {
	if Importance("policy", -1) <= Importance("event", -1) || Importance("event", 0.95) != 0.95 || Importance("whim", -1) != otherKind {
		t.Error("importance of claims")
	}
	if OfSession(-1, 0.2, -0.9, 0.1) != 0.9 || OfSession(0.1, 0.9, 0, 0) != 0.1 {
		t.Error("importance of sessions")
	}
}

func TestAccessesAreKept(t *testing.T) {
	dir := t.TempDir()
	a, b := OpenCounts(dir), OpenCounts(dir)
	if got := a.Of("f-1"); got != (Access{}) {
		t.Errorf("before any access: %+v", got)
	}
	for i := range 3 {
		if err := a.Touch(now.Add(time.Duration(i)*time.Minute), "f-1", "f-2"); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Touch(now.Add(HalfLife+2*time.Minute), "f-1"); err != nil {
		t.Fatal(err)
	}
	got := a.Of("f-1")
	// 0.5, 0.75, 0.875, a half-life, and half of what is missing.
	if got.Hits != 4 || math.Abs(got.Energy-(0.4375+0.5625/2)) > 1e-3 || !got.Last.Equal(now.Add(HalfLife+2*time.Minute)) {
		t.Errorf("after four accesses by two processes: %+v", got)
	}
	mine, rev := a.All()
	theirs, _ := OpenCounts(dir).All()
	if again := a.Rev(); again != rev {
		t.Errorf("nothing changed, but the revision did: %d, %d", rev, again)
	}
	if diff := cmp.Diff(mine, theirs); diff != "" {
		t.Errorf("opened again (-was +is):\n%s", diff)
	}
}

func TestHalfALineIsPassedOver(t *testing.T) {
	dir := t.TempDir()
	c := OpenCounts(dir)
	if err := c.Touch(now, "f-1"); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(filepath.Join(dir, countsFile), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"at":1756793`); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := OpenCounts(dir).Touch(now, "f-1"); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]*Counts{"open before": c, "opened anew": OpenCounts(dir)} {
		if got := c.Of("f-1").Hits; got != 2 {
			t.Errorf("%s: %d hits, want 2", name, got)
		}
	}
}

func TestTheFileIsBounded(t *testing.T) {
	dir := t.TempDir()
	c := OpenCounts(dir)
	long := strings.Repeat("x", 2000)
	for i := range 600 {
		if err := c.Touch(now.Add(time.Duration(i)*time.Second), "f-1", long); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(filepath.Join(dir, countsFile))
	if err != nil || info.Size() > maxFile {
		t.Errorf("%v, %d bytes", err, info.Size())
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	if got := OpenCounts(dir).Of("f-1").Hits; got != 600 {
		t.Errorf("%d hits after the file was rewritten, want 600", got)
	}
}
