package config

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestDiscover(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	vault := func(name string) string {
		dir := filepath.Join(base, name)
		if err := os.MkdirAll(filepath.Join(dir, "deep", "down"), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, dir, FileName, "")
		return dir
	}
	near, other, usual := vault("near"), vault("other"), vault("usual")
	empty := filepath.Join(base, "empty")
	if err := os.Mkdir(empty, 0o700); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(base, "link")
	if err := os.Symlink(near, link); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	user := write(t, base, "config.yaml", "default_vault: ~/usual\n")
	for _, test := range []struct {
		name, flag, env, from, user string
		want                        string
		by                          string // who named what is no vault; "-" is nobody
	}{
		{name: "the flag first", flag: other, env: near, from: near, user: user, want: other},
		{name: "relative to here", flag: "../other", from: near, want: other},
		{name: "then the variable", env: other, from: near, user: user, want: other},
		{name: "then upwards", from: filepath.Join(near, "deep", "down"), user: user, want: near},
		{name: "then the usual one", from: empty, user: user, want: usual},
		{name: "one name for a vault behind a link", flag: link, from: empty, want: near},
		{name: "none", from: empty, by: "-"},
		{name: "the flag names none, and nothing else is tried", flag: empty, from: near, user: user, by: "--vault"},
		{name: "the variable names none", env: filepath.Join(base, "gone"), from: near, by: "MEMSYNC_VAULT"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := Discover(Place{
				Flag: test.flag, WorkDir: test.from, UserFile: test.user, Home: base,
				Env: environment(map[string]string{"MEMSYNC_VAULT": test.env}),
			})
			var none *NoVaultError
			switch {
			case test.by != "":
				if !errors.As(err, &none) || (none.By != test.by && test.by != "-") {
					t.Errorf("got %q, %v", got, err)
				}
			case err != nil || got != test.want:
				t.Errorf("got %q, %v; want %q", got, err, test.want)
			}
		})
	}
}

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"model", "modle", 1}, {"review", "reveiw", 1}, {"commit", "comit", 1}, {"kitten", "sitting", 3},
	} {
		if got := distance(test.a, test.b); got != test.want {
			t.Errorf("distance(%q, %q) = %d, want %d", test.a, test.b, got, test.want)
		}
	}
}
