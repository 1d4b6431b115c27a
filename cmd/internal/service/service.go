// Package service has the system start a program at every login: as a systemd
// user unit on Linux, as a launchd agent on macOS. It writes and removes files
// and starts no process; the commands that make the system look at once are for
// the person to type. Elsewhere it says that it cannot.
package service

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ErrUnsupported is returned where neither systemd nor launchd is known.
var ErrUnsupported = errors.New("starting at login is known for systemd (Linux) and launchd (macOS) only")

// A Program is what is to be started.
type Program struct {
	// System is the operating system, as runtime.GOOS has it.
	System string
	// Home and Config are the person's home and XDG configuration folders.
	Home, Config string
	// Name tells this service from others: the name of the vault's folders.
	Name string
	// Args are the program, by its absolute path, and its arguments.
	Args []string
	// Log is the file for what the program says, where the system keeps no
	// journal.
	Log string
	// Title is one line for people.
	Title string
}

// A Unit is how the system is told.
type Unit struct {
	// File is where Text is written.
	File string `json:"file"`
	Text string `json:"text"`
	// Link is a symbolic link to File that starts it at login, "" where the file
	// alone does.
	Link string `json:"link,omitempty"`
	// Start and Stop are the commands that do so without a new login.
	Start string `json:"start"`
	Stop  string `json:"stop"`
}

// For makes the unit of a program.
func For(p Program) (Unit, error) {
	switch p.System {
	case "linux":
		if strings.ContainsAny(p.Args[0], `"'\`) {
			return Unit{}, fmt.Errorf("systemd starts no program whose path holds a quote or a backslash: %s", p.Args[0])
		}
		return systemd(p), nil
	case "darwin":
		return launchd(p), nil
	}
	return Unit{}, ErrUnsupported
}

func systemd(p Program) Unit {
	folder := filepath.Join(p.Config, "systemd", "user")
	name := "memsync-" + p.Name + ".service"
	// In the program's own path systemd replaces no variables.
	args := []string{strings.ReplaceAll(unitQuoted(p.Args[0]), "$$", "$")}
	for _, a := range p.Args[1:] {
		args = append(args, unitQuoted(a))
	}
	// The watchdog's time is far above a beat. Statuses 2, 10 and 11 mean wrong
	// usage, no vault and locked: trying again does not help.
	text := fmt.Sprintf(`[Unit]
Description=%s

[Service]
Type=notify
ExecStart=%s
Restart=on-failure
RestartSec=5
RestartPreventExitStatus=2 10 11
TimeoutStartSec=infinity
TimeoutStopSec=5
WatchdogSec=300
NoNewPrivileges=yes
UMask=0077

[Install]
WantedBy=default.target
`, strings.ReplaceAll(p.Title, "%", "%%"), strings.Join(args, " "))
	return Unit{
		File: filepath.Join(folder, name), Text: text,
		Link:  filepath.Join(folder, "default.target.wants", name),
		Start: "systemctl --user daemon-reload && systemctl --user start " + name,
		Stop:  "systemctl --user stop " + name + "; systemctl --user daemon-reload",
	}
}

// unitQuoted quotes a word of ExecStart.
func unitQuoted(s string) string {
	s = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%", "$", "$$", "\n", `\n`).Replace(s)
	return `"` + s + `"`
}

func launchd(p Program) Unit {
	label := "org.memsync." + p.Name
	var args strings.Builder
	for _, a := range append(p.Args, "--log", p.Log) {
		fmt.Fprintf(&args, "\t\t<string>%s</string>\n", xmlText(a))
	}
	text := fmt.Sprintf(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>%s</string>
	<key>ProgramArguments</key>
	<array>
%s	</array>
	<key>RunAtLoad</key>
	<true/>
	<key>KeepAlive</key>
	<dict>
		<key>SuccessfulExit</key>
		<false/>
	</dict>
	<key>ThrottleInterval</key>
	<integer>10</integer>
	<key>ProcessType</key>
	<string>Background</string>
	<key>Umask</key>
	<integer>63</integer>
</dict>
</plist>
`, xmlText(label), args.String())
	file := filepath.Join(p.Home, "Library", "LaunchAgents", label+".plist")
	return Unit{
		File: file, Text: text,
		Start: "launchctl bootstrap gui/$(id -u) '" + file + "'",
		Stop:  "launchctl bootout gui/$(id -u)/" + label,
	}
}

func xmlText(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
}

// Install writes the unit, so that the next login starts the program. It reports
// whether anything was not as it is to be.
func (u Unit) Install() (changed bool, err error) {
	if u.Installed() {
		return false, nil
	}
	if err := os.MkdirAll(filepath.Dir(u.File), 0o755); err != nil {
		return false, err
	}
	if err := os.WriteFile(u.File+".tmp", []byte(u.Text), 0o644); err != nil {
		return false, err
	}
	if err := os.Rename(u.File+".tmp", u.File); err != nil {
		return false, err
	}
	if u.Link == "" {
		return true, nil
	}
	if err := os.MkdirAll(filepath.Dir(u.Link), 0o755); err != nil {
		return true, err
	}
	if err := remove(u.Link); err != nil {
		return true, err
	}
	return true, os.Symlink(u.File, u.Link)
}

// Uninstall takes away what Install wrote, and reports whether there was any of it.
func (u Unit) Uninstall() (was bool, err error) {
	for _, name := range []string{u.Link, u.File} {
		if name == "" {
			continue
		}
		if _, err := os.Lstat(name); err == nil {
			was = true
		}
		if err := remove(name); err != nil {
			return was, err
		}
	}
	return was, nil
}

// Installed reports whether the unit stands as Install would write it.
func (u Unit) Installed() bool {
	text, err := os.ReadFile(u.File)
	if err != nil || string(text) != u.Text {
		return false
	}
	if u.Link == "" {
		return true
	}
	to, err := os.Readlink(u.Link)
	return err == nil && to == u.File
}

func remove(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
