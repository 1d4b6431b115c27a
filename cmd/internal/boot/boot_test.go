package boot

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memsync/memsync/vault"
)

func open(t *testing.T, files map[string]string) *vault.Vault {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	v, err := vault.Open(dir, vault.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v.Close() })
	return v
}

func TestTheProfileStandsInItsPlace(t *testing.T) {
	c, err := Make(open(t, map[string]string{
		"MEMORY.md":  "---\nid: memory\n---\n\n# Memory\n\n![[profile]]\n\n- a topic\n",
		"profile.md": "---\nid: profile\nallergies:\n  - hazelnuts\n  - pollen\n---\n\nAna, a baker.\n",
	}), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if want := "# Memory\n\nallergies: hazelnuts, pollen\nAna, a baker.\n\n- a topic\n"; c.Text != want || c.Dropped != 0 || len(c.Sources) != 2 {
		t.Errorf("got %+v", c)
	}
}

func TestNothingYet(t *testing.T) {
	if _, err := Make(open(t, nil), Limits{}); !errors.Is(err, ErrNothing) {
		t.Errorf("error %v", err)
	}
}

func TestTheLimitsHoldAndWhatIsLeftOutIsSaid(t *testing.T) {
	var text strings.Builder
	for i := range 500 {
		fmt.Fprintf(&text, "- line %d äöü %s\n", i, strings.Repeat("x", i%90))
	}
	v := open(t, map[string]string{"MEMORY.md": text.String()})
	for _, l := range []Limits{{}, {Lines: 10}, {Bytes: 300}, {Lines: 3, Bytes: 200}} {
		c, err := Make(v, l)
		if err != nil {
			t.Fatal(err)
		}
		lines, bytes := l.Lines, l.Bytes
		if lines == 0 {
			lines = defaultLines
		}
		if bytes == 0 {
			bytes = defaultBytes
		}
		if n := strings.Count(c.Text, "\n"); n > lines || len(c.Text) > bytes {
			t.Errorf("%+v: %d lines, %d bytes", l, n, len(c.Text))
		}
		kept := strings.Count(c.Text, "- line ")
		if c.Dropped != 500-kept || !strings.Contains(c.Text, fmt.Sprintf("(%d more lines did not fit", c.Dropped)) {
			t.Errorf("%+v: %d kept, %d dropped: %s", l, kept, c.Dropped, c.Text)
		}
	}
}
