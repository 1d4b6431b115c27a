package index

import (
	"context"
	"runtime"
	"sync"
	"testing"

	"github.com/memsync/memsync/index/embed/builtin"
	"github.com/memsync/memsync/index/notegen"
	"github.com/memsync/memsync/index/rank"
)

func builtinModel(t testing.TB) *builtin.Model {
	t.Helper()
	m, err := builtin.Open()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// large is a vault of 6,000 notes and 32 MB, the size that the figures in
// docs/benchmarks.md are given for.
var large = sync.OnceValue(func() *tree { return generate(6000, 32_000_000) })

// BenchmarkIndexAll indexes 6,000 notes of 32 MB from nothing, vectors included.
func BenchmarkIndexAll(b *testing.B) {
	src, e := large(), builtinModel(b)
	for b.Loop() {
		x := openIndex(b, b.TempDir(), e)
		r := sync1(b, x, src)
		b.ReportMetric(float64(r.Chunks), "chunks")
		x.Close()
	}
}

// BenchmarkNothingChanged opens the index of 6,000 notes and finds nothing to do.
func BenchmarkNothingChanged(b *testing.B) {
	src, e, dir := large(), builtinModel(b), b.TempDir()
	x := openIndex(b, dir, e)
	sync1(b, x, src)
	x.Close()
	for b.Loop() {
		x := openIndex(b, dir, e)
		if r := sync1(b, x, src); r.Changed() {
			b.Fatal("something changed")
		}
		x.Close()
	}
}

// BenchmarkOneEdit edits one of 6,000 notes and searches for it, in a process
// that stays.
func BenchmarkOneEdit(b *testing.B) {
	src, e := generate(6000, 32_000_000), builtinModel(b)
	x := openIndex(b, b.TempDir(), e)
	sync1(b, x, src)
	g := notegen.New(1)
	search(b, x, "warm")
	for b.Loop() {
		src.write("notes/000/note-000002.md", g.Note(2, 5000))
		sync1(b, x, src)
		search(b, x, "garden")
	}
}

// BenchmarkSearchWarm searches 50,000 chunks in a process that stays.
func BenchmarkSearchWarm(b *testing.B) {
	for _, mode := range []rank.Mode{rank.Hybrid, rank.Keyword, rank.Vector} {
		b.Run(mode.String(), func(b *testing.B) {
			x := openIndex(b, b.TempDir(), builtinModel(b))
			r := sync1(b, x, large())
			b.ReportMetric(float64(r.Chunks), "chunks")
			queries := notegen.New(3).Queries(50)
			for _, q := range queries {
				search(b, x, q)
			}
			i := 0
			for b.Loop() {
				if _, err := x.Search(context.Background(), Query{Text: queries[i%len(queries)], Mode: mode, Now: clock}); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}

// BenchmarkSearchCold opens the index, searches once and closes it, as a command
// does.
func BenchmarkSearchCold(b *testing.B) {
	dir := b.TempDir()
	x := openIndex(b, dir, builtinModel(b))
	sync1(b, x, large())
	x.Close()
	queries := notegen.New(3).Queries(50)
	i := 0
	for b.Loop() {
		x := openIndex(b, dir, builtinModel(b))
		search(b, x, queries[i%len(queries)])
		x.Close()
		i++
	}
}

// BenchmarkMemory reports what is held after indexing and searching 10,000 notes.
func BenchmarkMemory(b *testing.B) {
	src, dir := generate(10_000, 40_000_000), b.TempDir()
	x := openIndex(b, dir, builtinModel(b))
	sync1(b, x, src)
	x.Close()
	src = nil
	for b.Loop() {
		x := openIndex(b, dir, builtinModel(b))
		for _, q := range notegen.New(3).Queries(50) {
			search(b, x, q)
		}
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		b.ReportMetric(float64(m.HeapAlloc)/(1<<20), "heap-MiB")
		b.ReportMetric(float64(m.Sys)/(1<<20), "sys-MiB")
		x.Close()
	}
}
