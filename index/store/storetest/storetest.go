// Package storetest is the suite that every store passes, so that one backend
// may stand for another.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/memsync/memsync/index/store"
	"github.com/memsync/memsync/index/vector"
)

// Model is the model of the suite's vectors.
var Model = store.Model{Name: "test", Dim: 4}

// Note makes a note whose chunks hold the given texts, one a chunk.
func Note(path string, texts ...string) store.Put {
	p := store.Put{Note: store.Note{Path: path, Hash: fmt.Sprint(len(texts), texts), Size: int64(len(path)), MTime: 1000,
		ID: "id-" + path, Type: "note", Title: path}}
	for i, text := range texts {
		words := strings.Fields(strings.ToLower(text))
		p.Chunks = append(p.Chunks, store.Chunk{Start: i * 10, End: i*10 + 5, Line: i + 1, Ordinal: i, Text: text,
			Speaker: words[0], Terms: strings.Join(words, " "), Len: len(words), Time: int64(i), Vector: Vector(text)})
	}
	return p
}

// Vector makes a vector that tells texts apart.
func Vector(text string) []byte {
	v := make([]float32, Model.Dim)
	var sum float64
	for i, c := range []byte(text) {
		v[(i*7+int(c))%len(v)] += float32(c)
	}
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return vector.Pack(nil, v)
}

// Run tests a kind of store; open makes an empty one and closes it after t.
func Run(t *testing.T, open func(t *testing.T) store.Store) {
	for name, test := range map[string]func(*testing.T, store.Store){
		"replace and remove":   testReplace,
		"a model of random":    testRandom,
		"postings":             testPostings,
		"vectors that come":    testPending,
		"a change of model":    testModels,
		"filters":              testFilters,
		"a batch that fails":   testAtomic,
		"readers and a writer": testConcurrent,
		"many notes":           testMany,
		"names":                testNames,
		"what was walked":      testWalked,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

func apply(t *testing.T, s store.Store, b store.Batch) {
	t.Helper()
	if b.Model == (store.Model{}) {
		b.Model = Model
	}
	if err := s.Apply(t.Context(), b); err != nil {
		t.Fatal(err)
	}
}

func view(t *testing.T, s store.Store, fn func(store.Reader) error) {
	t.Helper()
	if err := s.View(t.Context(), fn); err != nil {
		t.Fatal(err)
	}
}

// content is all that a reader sees, by path: the texts with their vectors.
func content(ctx context.Context, r store.Reader, m store.Model) (map[string][]string, error) {
	vectors := make(map[uint32][]byte)
	order := []uint32{}
	segments, err := r.Segments(ctx, m, nil)
	if err != nil {
		return nil, err
	}
	for _, seg := range segments {
		for i, rec := range seg.Records {
			order = append(order, rec.Chunk)
			if size := vector.Size(m.Dim); seg.Vectors != nil {
				vectors[rec.Chunk] = seg.Vectors[i*size : (i+1)*size]
			}
		}
	}
	if !slices.IsSorted(order) {
		return nil, errors.New("records are out of order")
	}
	out := make(map[string][]string)
	seen := 0
	var rows []int64
	if err := r.Manifest(ctx, func(n store.Note) error { rows = append(rows, n.Row); return nil }); err != nil {
		return nil, err
	}
	notes, err := r.Notes(ctx, rows)
	if err != nil {
		return nil, err
	}
	for _, n := range notes {
		var want []int64
		for i := range n.Count {
			want = append(want, n.First+int64(i))
		}
		chunks, err := r.Chunks(ctx, want)
		if err != nil {
			return nil, err
		}
		out[n.Path] = []string{}
		for _, c := range chunks {
			text := c.Text
			if v, ok := vectors[uint32(c.Row)]; !ok || vector.Missing(v) {
				text += " (no vector)"
			} else if string(v) != string(Vector(c.Text)) {
				text += " (another's vector)"
			}
			out[n.Path] = append(out[n.Path], text)
			seen++
		}
	}
	if seen != len(order) || seen != r.Stamp().Chunks || len(notes) != r.Stamp().Notes {
		return nil, fmt.Errorf("%d chunks of %d notes in the manifest, %d records, the stamp says %+v", seen, len(notes), len(order), r.Stamp())
	}
	return out, nil
}

func expect(t *testing.T, s store.Store, want map[string][]string) {
	t.Helper()
	view(t, s, func(r store.Reader) error {
		got, err := content(t.Context(), r, Model)
		if err == nil {
			if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
				t.Errorf("content: %s", d)
			}
		}
		return err
	})
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

func testReplace(t *testing.T, s store.Store) {
	expect(t, s, nil)
	apply(t, s, store.Batch{Put: []store.Put{Note("a.md", "one two", "three"), Note("b.md", "four"), Note("empty.md")}})
	expect(t, s, map[string][]string{"a.md": {"one two", "three"}, "b.md": {"four"}, "empty.md": nil})
	apply(t, s, store.Batch{Put: []store.Put{Note("a.md", "five")}, Remove: []string{"b.md", "not-there.md"}})
	expect(t, s, map[string][]string{"a.md": {"five"}, "empty.md": nil})
	touched := Note("a.md").Note
	touched.Size, touched.MTime = 77, 88
	apply(t, s, store.Batch{Touch: []store.Note{touched}, Remove: []string{"empty.md"}})
	view(t, s, func(r store.Reader) error {
		return r.Manifest(t.Context(), func(n store.Note) error {
			if n.Path != "a.md" || n.Size != 77 || n.MTime != 88 {
				t.Errorf("manifest: %+v", n)
			}
			return nil
		})
	})
	apply(t, s, store.Batch{Remove: []string{"a.md"}})
	expect(t, s, nil)
}

// testRandom holds a store against a map under many random batches.
func testRandom(t *testing.T, s store.Store) {
	r := rand.New(rand.NewPCG(5, 6))
	want := make(map[string][]string)
	var have map[int64]int64
	known := make(map[int64]store.Segment)
	for step := range 120 {
		var b store.Batch
		used := make(map[string]bool)
		for range r.IntN(6) {
			path := fmt.Sprintf("n%d.md", r.IntN(40))
			if used[path] {
				continue
			}
			used[path] = true
			if r.IntN(3) == 0 {
				b.Remove = append(b.Remove, path)
				delete(want, path)
				continue
			}
			var texts []string
			for i := range r.IntN(90) {
				texts = append(texts, fmt.Sprintf("w%d step %d %d", r.IntN(20), step, i))
			}
			b.Put = append(b.Put, Note(path, texts...))
			want[path] = texts
		}
		apply(t, s, b)
		// A reader that keeps segments sees the same as one that reads all.
		view(t, s, func(r store.Reader) error {
			segments, err := r.Segments(t.Context(), Model, have)
			have = make(map[int64]int64)
			next := make(map[int64]store.Segment)
			total := 0
			for _, seg := range segments {
				if seg.Records == nil {
					seg = known[seg.Row]
				}
				next[seg.Row], have[seg.Row] = seg, seg.Rev
				total += len(seg.Records)
			}
			if known = next; total != r.Stamp().Chunks {
				t.Fatalf("step %d: %d records in kept segments, %d chunks", step, total, r.Stamp().Chunks)
			}
			return err
		})
		if step%20 == 19 {
			expect(t, s, want)
		}
	}
}

func withoutVectors(p store.Put) store.Put {
	for i := range p.Chunks {
		p.Chunks[i].Vector = nil
	}
	return p
}

func testPending(t *testing.T, s store.Store) {
	apply(t, s, store.Batch{Put: []store.Put{withoutVectors(Note("a.md", "one", "two", "three"))}, Model: store.Model{Name: "test"}})
	pending := func(m store.Model, limit int) (out []store.Chunk, total int) {
		view(t, s, func(r store.Reader) (err error) { out, total, err = r.Pending(t.Context(), m, limit); return err })
		return out, total
	}
	if list, total := pending(store.Model{Name: "test"}, 2); total != 3 || len(list) != 2 {
		t.Fatalf("of a model of unknown dimension %d of %d are pending", len(list), total)
	}
	list, total := pending(Model, 2)
	if total != 3 || len(list) != 2 || list[0].Text != "one" {
		t.Fatalf("%d of %d are pending", len(list), total)
	}
	if err := s.SetVectors(t.Context(), Model, map[int64][]byte{list[0].Row: Vector("one"), 999_999: Vector("x")}); err != nil {
		t.Fatal(err)
	}
	if list, total := pending(Model, 9); total != 2 || len(list) != 2 {
		t.Errorf("%d of %d are pending", len(list), total)
	}
	expect(t, s, map[string][]string{"a.md": {"one", "two (no vector)", "three (no vector)"}})
	apply(t, s, store.Batch{Put: []store.Put{Note("b.md", "four"), withoutVectors(Note("c.md", "five"))}})
	if _, total := pending(Model, 0); total != 3 {
		t.Errorf("%d are pending", total)
	}
	expect(t, s, map[string][]string{"a.md": {"one", "two (no vector)", "three (no vector)"}, "b.md": {"four"}, "c.md": {"five (no vector)"}})
}

func testModels(t *testing.T, s store.Store) {
	apply(t, s, store.Batch{Put: []store.Put{Note("a.md", "one", "two")}})
	next := store.Model{Name: "next", Dim: 2}
	used := func() (m store.Model) {
		view(t, s, func(r store.Reader) error { m = r.Stamp().Model; return nil })
		return m
	}
	if used() != Model {
		t.Fatalf("the first model is not used: %v", used())
	}
	var list []store.Chunk
	view(t, s, func(r store.Reader) (err error) { list, _, err = r.Pending(t.Context(), next, 9); return err })
	set := make(map[int64][]byte)
	for _, c := range list {
		set[c.Row] = vector.Pack(nil, []float32{1, 0})
	}
	if err := s.SetVectors(t.Context(), next, set); err != nil {
		t.Fatal(err)
	}
	// Both spaces are there until the new one is used.
	apply(t, s, store.Batch{Put: []store.Put{{Note: Note("b.md").Note, Chunks: []store.Chunk{{Text: "new", Terms: "new", Len: 1, Vector: vector.Pack(nil, []float32{0, 1})}}}}, Model: next})
	expect(t, s, map[string][]string{"a.md": {"one", "two"}, "b.md": {"new (no vector)"}})
	if err := s.UseModel(t.Context(), next); err != nil || used() != next {
		t.Fatalf("used: %v, %v", used(), err)
	}
	view(t, s, func(r store.Reader) error {
		segments, err := r.Segments(t.Context(), next, nil)
		n := 0
		for _, seg := range segments {
			n += len(seg.Vectors) / vector.Size(2)
		}
		if n != 3 {
			t.Errorf("%d vectors", n)
		}
		old, err2 := r.Segments(t.Context(), Model, nil)
		for _, seg := range old {
			if seg.Vectors != nil {
				t.Error("the old model's vectors are still there")
			}
		}
		return errors.Join(err, err2)
	})
	if err := s.UseModel(t.Context(), store.Model{Name: "x"}); err == nil {
		t.Error("a model of no dimension was taken")
	}
}

// testAtomic fails a batch in its middle.
func testAtomic(t *testing.T, s store.Store) {
	apply(t, s, store.Batch{Put: []store.Put{Note("a.md", "one"), Note("b.md", "two")}})
	twice := store.Batch{Remove: []string{"b.md"}, Put: []store.Put{Note("a.md", "new"), Note("c.md", "three"), Note("c.md", "four")}, Model: Model}
	if err := s.Apply(t.Context(), twice); err == nil {
		t.Fatal("a batch with a path twice was taken")
	}
	expect(t, s, map[string][]string{"a.md": {"one"}, "b.md": {"two"}})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Apply(ctx, store.Batch{Remove: []string{"a.md"}, Model: Model}); err == nil {
		t.Error("a cancelled batch was taken")
	}
	expect(t, s, map[string][]string{"a.md": {"one"}, "b.md": {"two"}})
}

// testConcurrent reads while notes change: each view is of one moment.
func testConcurrent(t *testing.T, s store.Store) {
	apply(t, s, store.Batch{Put: []store.Put{Note("x.md", "v0 left"), Note("y.md", "v0 right")}})
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for range 3 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				err := s.View(t.Context(), func(r store.Reader) error {
					got, err := content(t.Context(), r, Model)
					if err != nil {
						return err
					}
					x, _, _ := strings.Cut(got["x.md"][0], " ")
					y, _, _ := strings.Cut(got["y.md"][0], " ")
					if x != y {
						t.Errorf("a view of two moments: %v", got)
					}
					p, err := r.Postings(t.Context(), x)
					if len(p) != 2 {
						t.Errorf("the words of %s are not its notes': %v", x, p)
					}
					return err
				})
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for i := range 25 {
		apply(t, s, store.Batch{Put: []store.Put{Note("x.md", fmt.Sprintf("v%d left", i+1)), Note("y.md", fmt.Sprintf("v%d right", i+1))}})
	}
	close(stop)
	wg.Wait()
}
