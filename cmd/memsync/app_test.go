package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// testApp is an app that sees nothing of this machine.
func testApp(t *testing.T, home, wd string) (a *app, stdout, stderr *bytes.Buffer) {
	t.Helper()
	stdout, stderr = new(bytes.Buffer), new(bytes.Buffer)
	return &app{
		stdin: strings.NewReader(""), stdout: stdout, stderr: stderr,
		env: func(name string) (string, bool) {
			if name == "HOME" {
				return home, true
			}
			return "", false
		},
		now:   func() time.Time { return time.Date(2025, 9, 2, 6, 10, 0, 0, time.UTC) },
		getwd: func() (string, error) { return wd, nil },
	}, stdout, stderr
}

// ours visits every command that this program defines; completion and help are
// cobra's.
func ours(root *cobra.Command, visit func(*cobra.Command)) {
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" || cmd.Name() == "help" {
			continue
		}
		visit(cmd)
		ours(cmd, visit)
	}
}

func TestEveryCommandExplainsItself(t *testing.T) {
	ours(newRoot(&app{}), func(cmd *cobra.Command) {
		path := cmd.CommandPath()
		if cmd.Short == "" || strings.HasSuffix(cmd.Short, ".") {
			t.Errorf("%s: short help %q", path, cmd.Short)
		}
		if len(cmd.Long) < 80 {
			t.Errorf("%s: long help %q", path, cmd.Long)
		}
		for line := range strings.Lines(cmd.Long) {
			if len(strings.TrimRight(line, "\n")) > 80 {
				t.Errorf("%s: a line of help is wider than 80: %s", path, line)
			}
		}
		if n := len(strings.Split(strings.TrimSpace(cmd.Example), "\n")); n < 2 {
			t.Errorf("%s: %d examples, want two", path, n)
		}
		if !cmd.HasParent() || cmd.Parent().HasParent() {
			return
		}
		if cmd.GroupID == "" {
			t.Errorf("%s: stands in no group", path)
		}
	})
}

// Each example can be typed: the command, its flags and its words are right.
func TestExamplesParse(t *testing.T) {
	check := func(cmd *cobra.Command) {
		for line := range strings.Lines(cmd.Example) {
			if line = strings.TrimSpace(line); line != "" {
				if err := parses(line); err != nil {
					t.Errorf("%s: example %q: %v", cmd.CommandPath(), line, err)
				}
			}
		}
	}
	root := newRoot(&app{})
	check(root)
	ours(root, check)
}

// parses reports what is wrong with a command line, without running it.
func parses(line string) error {
	root := newRoot(&app{})
	args := shellWords(line)
	if args[0] != "memsync" {
		return errorf("it does not begin with memsync")
	}
	cmd, rest, err := root.Find(args[1:])
	if err != nil {
		return err
	}
	if err := cmd.ParseFlags(rest); err != nil {
		return err
	}
	return cmd.ValidateArgs(cmd.Flags().Args())
}

// shellWords splits a line as a shell would, as far as examples need it: at
// spaces, with quotes, up to a pipe or a redirection.
func shellWords(line string) []string {
	var words []string
	var word strings.Builder
	quote, in := rune(0), false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, in = r, true
		case r == ' ':
			if in {
				words = append(words, word.String())
			}
			word.Reset()
			in = false
		case r == '|' || r == '>' || r == '<':
			return words
		default:
			word.WriteRune(r)
			in = true
		}
	}
	if in {
		words = append(words, word.String())
	}
	return words
}

func TestFlagsMayFollowTheWords(t *testing.T) {
	a, stdout, stderr := testApp(t, t.TempDir(), t.TempDir())
	if status := a.run(t.Context(), []string{"config", "search.limit", "--json"}); status != exitDone {
		t.Fatalf("exits %d: %s", status, stderr)
	}
	want := `{"schema_version":1,"key":"search.limit","value":10,"origin":{"layer":"default"}}` + "\n"
	if stdout.String() != want {
		t.Errorf("got %s", stdout)
	}
}
