package main

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"github.com/memsync/memsync/index"
)

// Whatever part of the index is not as the notes make it, a deep look finds it,
// says so with its exit status, and mends it when told to.
func TestDeepFindsWhatDiffers(t *testing.T) {
	for name, change := range map[string]string{
		"a text":       `UPDATE chunks SET text = text || ' and more' WHERE row = (SELECT min(row) FROM chunks)`,
		"a line":       `UPDATE chunks SET line = line + 1 WHERE row = (SELECT max(row) FROM chunks)`,
		"a title":      `UPDATE notes SET title = 'another' WHERE row = (SELECT min(row) FROM notes)`,
		"all keywords": `DELETE FROM terms`,
	} {
		t.Run(name, func(t *testing.T) {
			_, dir := madeVault(t)
			home := filepath.Dir(dir)
			run := func(want int, args ...string) string {
				t.Helper()
				a, out, errs := testApp(t, home, dir)
				if got := a.run(t.Context(), args); got != want {
					t.Fatalf("memsync %s exits %d, want %d: %s%s", strings.Join(args, " "), got, want, out, errs)
				}
				return out.String()
			}
			export, err := filepath.Abs("testdata/exports/first.json")
			if err != nil {
				t.Fatal(err)
			}
			run(exitDone, "import", export)
			run(exitDone, "doctor", "--deep")
			files, err := filepath.Glob(filepath.Join(home, ".cache", "memsync", "*", "index", "index-*.db"))
			if err != nil || len(files) != 1 {
				t.Fatal(files, err)
			}
			db, err := sql.Open("sqlite", files[0])
			if err != nil {
				t.Fatal(err)
			}
			if _, err := db.Exec(change); err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			if out := run(exitFailed, "doctor", "--deep"); !strings.Contains(out, "deep        broken") {
				t.Errorf("not found: %s", out)
			}
			if out := run(exitDone, "doctor", "--deep", "--fix"); !strings.Contains(out, "deep        fixed") {
				t.Errorf("not mended: %s", out)
			}
			run(exitDone, "doctor", "--deep")
		})
	}
}

// Passages that are equally near may have each other's place; anything else differs.
func TestSameScores(t *testing.T) {
	hits := func(scores ...float64) (h []index.Hit) {
		for _, s := range scores {
			h = append(h, index.Hit{Score: s})
		}
		return h
	}
	for name, test := range map[string]struct {
		a, b []index.Hit
		same bool
	}{
		"the same":                   {hits(1, 0.7, 0.5), hits(1, 0.7, 0.5), true},
		"rounding":                   {hits(1, 0.7), hits(1+1e-9, 0.7), true},
		"two that trade a place":     {hits(1, 0.767998, 0.758482), hits(1, 0.769959, 0.756521), true},
		"one that counts for more":   {hits(1, 0.767998, 0.758482), hits(1, 0.769959, 0.758482), false},
		"one more than the other":    {hits(1, 0.7), hits(1, 0.7, 0.5), false},
		"two that are far from even": {hits(1, 0.7), hits(0.8, 0.9), false},
	} {
		if got := sameScores(test.a, test.b); got != test.same {
			t.Errorf("%s: %v", name, got)
		}
	}
}
