package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/memsync/memsync/cmd/internal/config"
)

func doc(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile("../../docs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The page on configuration has every key with its default, and none besides.
func TestConfigurationIsDocumented(t *testing.T) {
	page := doc(t, "configuration.md")
	s, err := config.Resolve(config.Sources{})
	if err != nil {
		t.Fatal(err)
	}
	documented := 0
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "| `") {
			documented++
		}
	}
	keys := 1 // the row for all privacy classes
	for _, one := range s.All() {
		if class, ok := strings.CutPrefix(one.Key, "privacy."); ok {
			if !strings.Contains(page, "`"+class+"`") {
				t.Errorf("docs/configuration.md does not name the class %s", class)
			}
			continue
		}
		keys++
		row := "| `" + one.Key + "` | |"
		if v := fmt.Sprint(one.Value); v != "" {
			row = "| `" + one.Key + "` | `" + v + "` |"
		}
		if !strings.Contains(page, row) {
			t.Errorf("docs/configuration.md lacks the row %s", row)
		}
	}
	if documented != keys {
		t.Errorf("docs/configuration.md has %d rows for %d keys", documented, keys)
	}
}

// The page on the command line has every command with its flags, and every exit
// status with its kind.
func TestTheCommandLineIsDocumented(t *testing.T) {
	page := doc(t, "cli.md")
	ours(newRoot(&app{}), func(cmd *cobra.Command) {
		name := strings.TrimPrefix(cmd.CommandPath(), "memsync ")
		row := ""
		for line := range strings.Lines(page) {
			if strings.Contains(line, "`"+name+"`") || strings.Contains(line, "`"+name+" ") {
				row += line
			}
		}
		if row == "" {
			t.Errorf("docs/cli.md lacks the command %s", name)
		}
		cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			if f.Name == "help" || strings.Contains(row, "`--"+f.Name) || f.Shorthand != "" && strings.Contains(row, "`-"+f.Shorthand+"`") {
				return
			}
			if strings.Contains(page, "`memsync "+name+" --"+f.Name) {
				return
			}
			t.Errorf("docs/cli.md lacks --%s of %s", f.Name, name)
		})
	})
	for _, err := range []error{usagef("x"), &partlyError{errorf("x")}, &config.NoVaultError{}, errorf("x")} {
		kind, status := classify(err)
		if !strings.Contains(page, fmt.Sprintf("| %d | `%s` |", status, kind)) {
			t.Errorf("docs/cli.md lacks the status %d, %s", status, kind)
		}
	}
}
