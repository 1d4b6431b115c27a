package chatgpt

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/sync/importer/exportgen"
	"github.com/memsync/memsync/sync/importer/importertest"
)

// TestGenerated imports an export of which it is known what it holds.
func TestGenerated(t *testing.T) {
	var file bytes.Buffer
	want, err := exportgen.Generate(&file, 4<<20, 1)
	if err != nil {
		t.Fatal(err)
	}
	if want.Bytes = int64(file.Len()); want.Conversations < 50 || want.Branch < 10 || want.Tool < 10 {
		t.Fatalf("the export is too plain to test with: %+v", want)
	}
	r := importertest.Read(t, Format{}, importertest.Input("conversations.json", file.Bytes()))
	importertest.Check(t, "conversations.json", r)
	if r.Err != nil || len(r.Warnings) > 0 {
		t.Fatalf("error %v, warnings %v", r.Err, r.Warnings)
	}
	got := exportgen.Stats{Bytes: want.Bytes, Conversations: len(r.Conversations)}
	for _, c := range r.Conversations {
		for _, turn := range c.Turns {
			if turn.Time.IsZero() {
				t.Errorf("%s: message %s has no time", c.ID, turn.MessageID)
			}
			switch {
			case turn.Sender == "tool":
				got.Tool++
			case turn.Branch:
				got.Branch++
			default:
				got.Active++
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

var exportMiB = flag.Int64("export-mib", 16, "the size of the export that BenchmarkRead reads")

// BenchmarkRead reads a generated export from a file.
func BenchmarkRead(b *testing.B) {
	path := filepath.Join(b.TempDir(), "conversations.json")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	stats, err := exportgen.Generate(f, *exportMiB<<20, 1)
	if err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	in := importer.Input{Name: path, Size: stats.Bytes, Open: func() (io.ReadCloser, error) { return os.Open(path) }}
	b.SetBytes(stats.Bytes)
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		err := Format{}.Read(b.Context(), in, func(importer.Conversation) error { n++; return nil }, func(w importer.Warning) { b.Error(w) })
		if err != nil || n != stats.Conversations {
			b.Fatalf("%d of %d conversations and %v", n, stats.Conversations, err)
		}
	}
}

func BenchmarkGenerate(b *testing.B) {
	b.SetBytes(8 << 20)
	for b.Loop() {
		if _, err := exportgen.Generate(io.Discard, 8<<20, 1); err != nil {
			b.Fatal(err)
		}
	}
}
