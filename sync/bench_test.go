package sync_test

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/memsync/memsync/sync"
	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/sync/importer/chatgpt"
	"github.com/memsync/memsync/sync/importer/exportgen"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
	"github.com/memsync/memsync/vault/pass"
)

var exportMiB = flag.Int("export-mib", 16, "size in MiB of the export that BenchmarkImport imports")

// BenchmarkImport takes a generated ChatGPT export to committed transcripts, with
// every sync to the disk. It reports MB/s of the export and the peak memory of
// the process. The figure in docs/benchmarks.md is from
//
//	go test ./sync -run '^$' -bench Import -benchtime 1x -export-mib 1024
func BenchmarkImport(b *testing.B) {
	file := filepath.Join(b.TempDir(), "conversations.json")
	f, err := os.Create(file)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := exportgen.Generate(f, int64(*exportMiB)<<20, 1); err != nil {
		b.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil {
		b.Fatal(err)
	}
	f.Close()
	b.SetBytes(info.Size())
	for b.Loop() {
		dir, state := b.TempDir(), b.TempDir()
		repo, err := history.Init(dir, history.Config{})
		if err != nil {
			b.Fatal(err)
		}
		v, err := vault.Open(dir, vault.Config{})
		if err != nil {
			b.Fatal(err)
		}
		change, err := pass.Begin(v, repo, state, time.Now, history.Trailers{Pass: "import"})
		if err != nil {
			b.Fatal(err)
		}
		im := sync.NewImporter(v, change, sync.ImportConfig{State: state})
		bundle, err := importer.Open(file, importer.Limits{})
		if err != nil {
			b.Fatal(err)
		}
		run, err := im.Import(b.Context(), bundle.Inputs[0], chatgpt.Format{})
		if err != nil {
			b.Fatal(err)
		}
		written := time.Now()
		if _, err := change.Commit(b.Context(), "import: everything", ""); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(time.Since(written).Seconds(), "commit-s")
		b.ReportMetric(float64(run.ConversationsNew), "conversations")
		v.Close()
		bundle.Close()
	}
	if peak := peakMiB(); peak > 0 {
		b.ReportMetric(peak, "peak-MiB")
	}
}

// peakMiB is the most memory that the process ever held, where the system says.
func peakMiB() float64 {
	raw, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(raw)) {
		if kb, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			n, _ := strconv.ParseFloat(strings.Fields(kb)[0], 64)
			return n / 1024
		}
	}
	return 0
}
