package answer_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/memsync/memsync/cmd/internal/answer"
	"github.com/memsync/memsync/cmd/internal/vaultgen"
	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/index/embed/builtin"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/privacy"
)

// BenchmarkContext packs contexts for ever new messages from a vault of 10,000
// notes, as a daemon does.
func BenchmarkContext(b *testing.B) {
	m := large(b, 10_000)
	if _, err := m.Context(context.Background(), answer.ContextRequest{Message: "warm up the kiln"}); err != nil {
		b.Fatal(err)
	}
	n := 0
	for b.Loop() {
		n++
		if _, err := m.Context(context.Background(), answer.ContextRequest{Message: vaultgen.Question(n)}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkContextAfterEdit packs a context after each edit of a note, index in
// step: what a busy watcher makes of BenchmarkContext.
func BenchmarkContextAfterEdit(b *testing.B) {
	dir := b.TempDir()
	if _, err := vaultgen.Write(dir, 10_000, 1); err != nil {
		b.Fatal(err)
	}
	m, x, v := openLarge(b, dir, b.TempDir())
	for n := 0; b.Loop(); n++ {
		b.StopTimer()
		if err := os.WriteFile(dir+"/notes.md", []byte("# A note\n\n"+vaultgen.Question(n)+"\n"), 0o600); err != nil {
			b.Fatal(err)
		}
		if _, err := x.Sync(context.Background(), v); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		if _, err := m.Context(context.Background(), answer.ContextRequest{Message: vaultgen.Question(n)}); err != nil {
			b.Fatal(err)
		}
	}
}

// large makes a vault of so many notes and opens it for answering. MEMSYNC_BENCH_DIR
// keeps the vault and its index for the next run.
func large(b *testing.B, notes int) *answer.Memory {
	b.Helper()
	base, kept := os.LookupEnv("MEMSYNC_BENCH_DIR")
	if !kept {
		base = b.TempDir()
	}
	dir := base + "/vault"
	if _, err := os.Stat(dir); err != nil {
		if _, err := vaultgen.Write(dir, notes, 1); err != nil {
			b.Fatal(err)
		}
	}
	m, _, _ := openLarge(b, dir, base+"/index")
	return m
}

func openLarge(b *testing.B, dir, at string) (*answer.Memory, *index.Index, *vault.Vault) {
	b.Helper()
	v, err := vault.Open(dir, vault.Config{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = v.Close() })
	e, err := builtin.Open()
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	x, err := index.Open(ctx, at, e, index.Config{Now: time.Now})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = x.Close() })
	if _, err := x.Sync(ctx, v); err != nil {
		b.Fatal(err)
	}
	r := privacy.NewRedactor(privacy.Policy(nil).Strict(), nil)
	return answer.New(answer.Config{
		Vault: v, Index: x, Now: time.Now, State: b.TempDir(), Log: answer.OpenLog(b.TempDir()), Limit: 10,
		Redact: func(previous, text string) string {
			clean, _ := r.RedactAfter(previous, text)
			return clean
		},
	}), x, v
}
