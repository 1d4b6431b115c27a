package history_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
)

// A pass writes its notes through the vault and then records them: the paths and
// the hashes of what it wrote.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "vault")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	repo, err := history.Init(dir, history.Config{})
	if err != nil {
		log.Fatal(err)
	}

	note := []byte("- Sleeps badly before flights. (kind:: preference)\n")
	if err := os.WriteFile(filepath.Join(dir, "sleep.md"), note, 0o666); err != nil {
		log.Fatal(err)
	}
	result, err := repo.Commit(ctx, history.Change{
		Files:    []history.File{{Path: "sleep.md", Hash: vault.HashOf(note)}},
		Author:   history.Machine(time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC)),
		Subject:  "facts: 1 new",
		Trailers: history.Trailers{Run: "r1", Pass: "facts"},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("committed", result.Commit.ID.Short(), result.Files, "left out", len(result.LeftOut))

	commits, err := repo.Log(ctx, history.LogOptions{Pass: "facts", Limit: 10})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range commits {
		fmt.Println(c.Author.When.Format(time.DateOnly), c.Subject)
	}
	// Output:
	// committed a2fa6755a6 [sleep.md] left out 0
	// 2025-03-01 facts: 1 new
}
