package service

import (
	"encoding/xml"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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

func TestAProgramThatSystemdCannotStart(t *testing.T) {
	for _, path := range []string{`/opt/it's/memsync`, `/opt/"x"/memsync`, `/opt/a\b/memsync`} {
		p := program(t, "linux")
		p.Args[0] = path
		if _, err := For(p); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestElsewhereItSaysSo(t *testing.T) {
	if _, err := For(program(t, "windows")); !errors.Is(err, ErrUnsupported) {
		t.Errorf("got %v", err)
	}
}

// systemd itself finds nothing to say about the unit, with a program whose path and
// words need quoting.
func TestSystemdTakesTheUnit(t *testing.T) {
	verify, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed")
	}
	p := program(t, "linux")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p.Args[0] = filepath.Join(p.Home, `my $tools, 100%`, "memsync") // which systemd looks for
	if err := os.MkdirAll(filepath.Dir(p.Args[0]), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, p.Args[0]); err != nil {
		t.Fatal(err)
	}
	u, err := For(p)
	if err != nil {
		t.Fatal(err)
	}
	said := func(text string) string {
		file := filepath.Join(t.TempDir(), filepath.Base(u.File))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(verify, "verify", "--user", "--man=no", file)
		cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+t.TempDir(), "HOME="+p.Home)
		out, _ := cmd.CombinedOutput()
		var ours []string
		for line := range strings.Lines(string(out)) {
			if strings.Contains(line, filepath.Base(file)) {
				ours = append(ours, line)
			}
		}
		return strings.Join(ours, "")
	}
	if out := said(u.Text); out != "" {
		t.Errorf("systemd says: %s\nof\n%s", out, u.Text)
	}
	if out := said(strings.Replace(u.Text, "Type=notify", "Type=nonsense", 1)); !strings.Contains(out, "nonsense") {
		t.Skipf("systemd-analyze finds no mistake here, so its silence means nothing: %q", out)
	}
}

// The agent of launchd is a property list of the right types, and its words are
// those of the program.
func TestLaunchdGetsAPropertyList(t *testing.T) {
	p := program(t, "darwin")
	u, err := For(p)
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		Dict plistDict `xml:"dict"`
	}
	if err := xml.Unmarshal([]byte(u.Text), &list); err != nil {
		t.Fatalf("%v in\n%s", err, u.Text)
	}
	want := plistDict{
		"Label":            "org.memsync." + p.Name,
		"ProgramArguments": append(append([]any{}, anys(p.Args)...), "--log", p.Log),
		"RunAtLoad":        true,
		"KeepAlive":        plistDict{"SuccessfulExit": false},
		"ThrottleInterval": "10", "ProcessType": "Background", "Umask": "63",
	}
	if diff := cmp.Diff(want, list.Dict); diff != "" {
		t.Error(diff)
	}
	if filepath.Base(u.File) != "org.memsync."+p.Name+".plist" {
		t.Errorf("launchd wants the label as the file's name: %s", u.File)
	}
}

func anys(words []string) (out []any) {
	for _, w := range words {
		out = append(out, w)
	}
	return out
}

// A plistDict is a dictionary of a property list: strings and numbers as text.
type plistDict map[string]any

func (d *plistDict) UnmarshalXML(dec *xml.Decoder, start xml.StartElement) error {
	*d = plistDict{}
	key := ""
	for {
		tok, err := dec.Token()
		if err != nil {
			return err
		}
		switch tok := tok.(type) {
		case xml.EndElement:
			return nil
		case xml.StartElement:
			if tok.Name.Local == "key" {
				if err := dec.DecodeElement(&key, &tok); err != nil {
					return err
				}
				continue
			}
			if (*d)[key], err = plistValue(dec, tok); err != nil {
				return err
			}
		}
	}
}

func plistValue(dec *xml.Decoder, start xml.StartElement) (any, error) {
	switch start.Name.Local {
	case "true", "false":
		return start.Name.Local == "true", dec.Skip()
	case "dict":
		var d plistDict
		err := d.UnmarshalXML(dec, start)
		return d, err
	case "array":
		var list struct {
			Words []string `xml:"string"`
		}
		err := dec.DecodeElement(&list, &start)
		return anys(list.Words), err
	case "string", "integer":
		var text string
		err := dec.DecodeElement(&text, &start)
		return text, err
	}
	return nil, errors.New("a property list knows no " + start.Name.Local)
}
