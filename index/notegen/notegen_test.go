package notegen

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/vault"
)

func TestVaultIsWhatItSays(t *testing.T) {
	files := maps.Collect(Vault(20, 100_000))
	total := 0
	for p, text := range files {
		total += len(text)
		if n := vault.Parse(vault.Path(p), []byte(text)); n.ID() == "" {
			t.Errorf("%s has no id", p)
		}
	}
	if len(files) != 20 || total < 100_000 || total > 140_000 {
		t.Errorf("%d notes, %d bytes", len(files), total)
	}
	if diff := cmp.Diff(files, maps.Collect(Vault(20, 100_000))); diff != "" {
		t.Errorf("the second vault differs (-first +second):\n%s", diff)
	}
}
