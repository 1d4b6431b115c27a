package vault

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// A look at a vault of 10,000 notes, as the daemon takes every minute.
func BenchmarkWalk(b *testing.B) {
	dir := b.TempDir()
	for i := range 10_000 {
		name := filepath.Join(dir, "transcripts", "chatgpt", fmt.Sprint(2000+i%25), fmt.Sprintf("a-conversation-about-something-%d.md", i))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("x\n"), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	v, err := Open(dir, Config{})
	if err != nil {
		b.Fatal(err)
	}
	defer v.Close()
	for b.Loop() {
		if notes, _, err := v.Walk(b.Context()); err != nil || len(notes) != 10_000 {
			b.Fatal(len(notes), err)
		}
	}
}
