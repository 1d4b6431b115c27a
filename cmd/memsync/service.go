package main

import (
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/daemon"
	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/cmd/internal/places"
	"github.com/memsync/memsync/cmd/internal/service"
)

type serviceOptions struct {
	install, uninstall, status, dryRun bool
}

func (o *serviceOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&o.install, "install", false, "start it at every login (a systemd user unit, a launchd agent)")
	f.BoolVar(&o.uninstall, "uninstall", false, "start it at login no more")
	f.BoolVar(&o.status, "status", false, "say whether it is installed and whether it runs")
	f.BoolVar(&o.dryRun, "dry-run", false, "with --install or --uninstall: write nothing, show what would be")
}

func (o serviceOptions) asked() bool { return o.install || o.uninstall || o.status || o.dryRun }

// serviceResult says how the service stands.
type serviceResult struct {
	Vault string `json:"vault"`
	// Action is install, uninstall or status.
	Action string `json:"action"`
	// DryRun says that nothing was written.
	DryRun bool `json:"dry_run"`
	// Changed says that a file was written or removed.
	Changed   bool `json:"changed"`
	Installed bool `json:"installed"`
	// Unit is the file that tells the system.
	Unit service.Unit `json:"unit"`
	// Daemon is what runs now, absent where nothing does.
	Daemon *daemon.State `json:"daemon,omitempty"`
	// Next is a command that is left to the person, empty for none.
	Next string `json:"next"`
}

func runService(a *app, opts serviceOptions) error {
	if opts.dryRun && !opts.install && !opts.uninstall {
		return usagef("--dry-run goes with --install or --uninstall")
	}
	if opts.install && opts.uninstall || opts.status && (opts.install || opts.uninstall) {
		return usagef("--install, --uninstall and --status do not go together")
	}
	dir, _, at, err := a.vaultSettings()
	if err != nil {
		return err
	}
	own := at.Vault(dir)
	unit, err := a.unit(dir, at)
	if err != nil {
		return err
	}
	r := serviceResult{Vault: dir, Action: "status", DryRun: opts.dryRun, Unit: unit, Daemon: daemonNow(own.State)}
	switch {
	case opts.install:
		r.Action, r.Next = "install", unit.Start
		if !opts.dryRun {
			if err := own.Make(); err != nil {
				return err
			}
			r.Changed, err = unit.Install()
		}
	case opts.uninstall:
		r.Action, r.Next = "uninstall", unit.Stop
		if !opts.dryRun {
			r.Changed, err = unit.Uninstall()
		}
	}
	if err != nil {
		return err
	}
	r.Installed = unit.Installed()
	if r.Daemon != nil && opts.install || r.Daemon == nil && opts.uninstall {
		r.Next = ""
	}
	return a.print(r)
}

// unit is how the system would be told to start this program for a vault.
func (a *app) unit(dir string, at places.Places) (service.Unit, error) {
	self, err := os.Executable()
	if err != nil {
		return service.Unit{}, err
	}
	config := filepath.Dir(at.Config) // memsync's folder lies in XDG_CONFIG_HOME
	return service.For(service.Program{
		System: runtime.GOOS, Home: at.Home, Config: config, Name: places.FolderName(dir),
		Args:  []string{self, "watch", "--vault", dir},
		Log:   filepath.Join(at.Vault(dir).State, "watch.log"),
		Title: "memsync: follow " + dir,
	})
}

func (r serviceResult) Text(p *output.Page) {
	switch {
	case r.DryRun && r.Action == "install":
		p.Printf("Would write %s:\n\n%s\n", p.Bold(r.Unit.File), r.Unit.Text)
		if r.Unit.Link != "" {
			p.Printf("and the link %s\n", r.Unit.Link)
		}
	case r.DryRun:
		p.Printf("Would remove %s\n", p.Bold(r.Unit.File))
	case r.Action == "install" && r.Changed:
		p.Printf("Wrote %s: the next login starts it.\n", p.Bold(r.Unit.File))
	case r.Action == "uninstall" && r.Changed:
		p.Printf("Removed %s.\n", p.Bold(r.Unit.File))
	case r.Installed:
		p.Printf("Installed: %s\n", r.Unit.File)
	default:
		p.Printf("Not installed.\n")
	}
	switch {
	case r.Daemon != nil:
		p.Printf("Running: process %d since %s\n", r.Daemon.PID, r.Daemon.Since.Local().Format("2006-01-02 15:04:05"))
	case !r.DryRun:
		p.Printf("Not running.\n")
	}
	if r.Next != "" && !r.DryRun {
		p.Printf("Now: %s\n", r.Next)
	}
}
