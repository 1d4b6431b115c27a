package history

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// notes fills a vault with as many small notes as asked for, in folders as the
// layout has them, and commits them.
func (b *box) notes(count int) {
	b.t.Helper()
	var files []File
	for i := range count {
		files = append(files, b.write(noteName(i), strings.Repeat(fmt.Sprintf("- Said thing %d on some day.\n", i), 20)))
	}
	b.commit("import: notes", files...)
}

func noteName(i int) string {
	switch i % 4 {
	case 0:
		return fmt.Sprintf("facts/domain%d/topic%d.md", i%13, i)
	case 1:
		return fmt.Sprintf("sessions/%d/session%d.md", 2020+i%6, i)
	}
	return fmt.Sprintf("transcripts/chatgpt/%d/chat%d.md", 2020+i%6, i)
}

// BenchmarkCommit is one pass's commit, of four files, in a vault of 10,000. All
// writes are synced to disk. The aim is a median of at most 40 ms.
func BenchmarkCommit(b *testing.B) {
	box := newBox(b, Config{})
	box.notes(10_000)
	var took []time.Duration
	n := 0
	for b.Loop() {
		n++
		b.StopTimer()
		var files []File
		for i := range 4 {
			files = append(files, box.write(noteName((n*97+i)%10_000), fmt.Sprintln("changed", n, i)))
		}
		b.StartTimer()
		start := time.Now()
		box.commit("facts: change", files...)
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
}

// BenchmarkImport commits 256 MB of new transcripts at once. The aim is that a
// whole import, of which this is one part, reaches 25 MB/s.
func BenchmarkImport(b *testing.B) {
	const files, size = 2000, 128 << 10
	words := strings.Fields("the of memory session what decided tomorrow because I think we should keep notes plain markdown and git history simple enough to read later without any tool at all 2025 08 09 user assistant")
	r := rand.New(rand.NewPCG(1, 1))
	text := make([]byte, 0, size+32)
	b.SetBytes(files * size)
	for b.Loop() {
		b.StopTimer()
		box := newBox(b, Config{})
		var change []File
		for i := range files {
			text = text[:0]
			for len(text) < size {
				text = append(append(text, words[r.IntN(len(words))]...), " \n"[r.IntN(8)/7])
			}
			change = append(change, box.write(noteName(i), string(text)))
		}
		b.StartTimer()
		box.commit("import: all", change...)
	}
}

// BenchmarkDirty looks for edits in a vault of 10,000 files that has one.
func BenchmarkDirty(b *testing.B) {
	box := newBox(b, Config{})
	box.notes(10_000)
	box.git("status")
	box.write(noteName(1), "edited\n")
	for b.Loop() {
		if files, err := box.Dirty(b.Context()); err != nil || len(files) != 1 {
			b.Fatal(files, err)
		}
	}
}

// BenchmarkLog lists the last twenty of 300 commits that changed one file, in a
// vault of 10,000.
func BenchmarkLog(b *testing.B) {
	box := newBox(b, Config{})
	box.notes(10_000)
	for i := range 300 {
		box.commit("facts: change", box.write(noteName(i%15), fmt.Sprintln(i)))
	}
	for b.Loop() {
		r, err := Open(box.dir, Config{UserFiles: []string{}}) // without what was read before
		if err != nil {
			b.Fatal(err)
		}
		commits, err := r.Log(b.Context(), LogOptions{Path: "facts/domain4/topic4.md", Limit: 20})
		if err != nil || len(commits) != 20 {
			b.Fatal(len(commits), err)
		}
	}
}
