package index

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memsync/memsync/index/rank"
)

func rankMode(n int) rank.Mode { return rank.Mode(n) }

// removeStores deletes an index as a person would, all but the vector cache.
func removeStores(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "index-") || e.Name() == pointer {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func countDirs(t *testing.T, dir string) int {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}
