package service

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func program(t *testing.T, system string) Program {
	home := t.TempDir()
	return Program{
		System: system, Home: home, Config: filepath.Join(home, ".config"), Name: "notes-0badcafe",
		Args:  []string{"/opt/my tools/memsync", "watch", "--vault", `/home/ana/50% "mine" & $yours`},
		Log:   "/home/ana/.local/state/memsync/notes/watch.log",
		Title: "memsync follows /home/ana/50% mine",
	}
}

func TestInstallAndUninstallLeaveNothingBehind(t *testing.T) {
	for _, system := range []string{"linux", "darwin"} {
		t.Run(system, func(t *testing.T) {
			p := program(t, system)
			u, err := For(p)
			if err != nil {
				t.Fatal(err)
			}
			if u.Installed() {
				t.Fatal("installed before Install")
			}
			for _, want := range []bool{true, false} { // twice: the second finds it done
				if changed, err := u.Install(); err != nil || changed != want {
					t.Fatalf("install: %v, %v; want %v", changed, err, want)
				}
			}
			if !u.Installed() {
				t.Error("not installed after Install")
			}
			if u.Link != "" {
				if text, err := os.ReadFile(u.Link); err != nil || string(text) != u.Text {
					t.Errorf("the link leads to %q, %v", text, err)
				}
			}
			for _, want := range []bool{true, false} {
				if was, err := u.Uninstall(); err != nil || was != want {
					t.Fatalf("uninstall: %v, %v; want %v", was, err, want)
				}
			}
			_ = filepath.WalkDir(p.Home, func(name string, d os.DirEntry, _ error) error {
				if !d.IsDir() {
					t.Errorf("left behind: %s", name)
				}
				return nil
			})
		})
	}
}

func TestWordsReachTheProgramAsTheyAre(t *testing.T) {
	for _, test := range []struct{ system, want string }{
		{"linux", `ExecStart="/opt/my tools/memsync" "watch" "--vault" "/home/ana/50%% \"mine\" & $$yours"`},
		{"darwin", `<string>/home/ana/50% "mine" &amp; $yours</string>`},
	} {
		u, err := For(program(t, test.system))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(u.Text, test.want) {
			t.Errorf("%s: no %s in\n%s", test.system, test.want, u.Text)
		}
	}
}

func TestElsewhereItSaysSo(t *testing.T) {
	if _, err := For(program(t, "windows")); !errors.Is(err, ErrUnsupported) {
		t.Errorf("got %v", err)
	}
}
