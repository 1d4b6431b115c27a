package vaultgen

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/vault"
)

// What is written is a vault of the number of notes asked for, the same each time,
// with turns and claims that the vault's own reader finds.
func TestWrite(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	for _, dir := range []string{a, b} {
		if _, err := Write(dir, 200, 7); err != nil {
			t.Fatal(err)
		}
	}
	v, err := vault.Open(a, vault.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	notes, _, err := v.Walk(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if n := len(notes); n < 195 || n > 205 {
		t.Errorf("%d notes", n)
	}
	turns, claims, past := 0, 0, 0
	for _, e := range notes {
		n, err := v.Note(e.Path)
		if err != nil {
			t.Fatal(err)
		}
		other, err := os.ReadFile(filepath.Join(b, filepath.FromSlash(string(e.Path))))
		if diff := cmp.Diff(string(n.Bytes()), string(other)); err != nil || diff != "" {
			t.Fatalf("%s differs: %v\n%s", e.Path, err, diff)
		}
		if n.Type() == vault.TypeTranscript {
			turns += len(vault.ParseTranscript(n).Turns)
		}
		for _, c := range n.Claims() {
			if claims++; !c.InForce() {
				past++
			}
		}
	}
	if turns < 500 || claims < 100 || past == 0 || past > claims/4 {
		t.Errorf("%d turns, %d claims, %d of them past", turns, claims, past)
	}
	if again := Question(3); Question(1) == Question(2) || Question(3) != again {
		t.Error("questions are not told apart by their number")
	}
}
