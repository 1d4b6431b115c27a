package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/boot"
	"github.com/memsync/memsync/cmd/internal/hooks"
	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/cmd/internal/places"
	hostsetup "github.com/memsync/memsync/cmd/internal/setup"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/merge"
)

type setupOptions struct {
	dryRun, uninstall bool
}

func newSetupCommand(a *app) *cobra.Command {
	var opts setupOptions
	var names []string
	for _, h := range hostsetup.Hosts() {
		names = append(names, h.Name)
	}
	cmd := &cobra.Command{
		Use:     "setup [HOST]",
		GroupID: groupVault,
		Short:   "Tell an assistant's host about the memory",
		Long: `Tell a host to start memsync mcp for the memory and, where it can, to run
memsync hook when a session begins or ends. Without a host, say which know it:
` + strings.Join(names, ", ") + `.

Its settings are merged into: no other entry, comment or byte is touched, and
--uninstall takes out what was put in. A file that cannot be read as a whole is
left alone.`,
		Example: `  memsync setup claude-code --dry-run
  memsync setup codex --vault ~/memory
  memsync setup claude-code --uninstall`,
		Args:      words(0, 1, "one host"),
		ValidArgs: names,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return runSetupList(a, opts)
			}
			return runSetup(a, args[0], opts)
		},
	}
	cmd.Flags().BoolVar(&opts.dryRun, "dry-run", false, "write nothing and show what would change")
	cmd.Flags().BoolVar(&opts.uninstall, "uninstall", false, "take out what was put in")
	return cmd
}

// hostPlace is this machine as hosts see it.
func (a *app) hostPlace(at places.Places) hostsetup.Place {
	return hostsetup.Place{
		Home: at.Home, Config: filepath.Dir(at.Config), State: at.State, // memsync's folder lies in XDG_CONFIG_HOME
		System: runtime.GOOS, Env: a.env,
	}
}

type setupResult struct {
	Host string `json:"host"`
	// Action is install or uninstall.
	Action string      `json:"action"`
	DryRun bool        `json:"dry_run"`
	Files  []setupFile `json:"files"`
	// Next is what is left to the person.
	Next string `json:"next"`
}

type setupFile struct {
	Path string `json:"path"`
	// Action is created, changed, removed or unchanged.
	Action string `json:"action"`
	// Diff is what changes, with --dry-run.
	Diff string `json:"diff,omitempty"`
}

func runSetup(a *app, name string, opts setupOptions) error {
	h, ok := hostsetup.Find(name)
	if !ok {
		a.try = "memsync setup"
		return usagef("there is no host %q", name)
	}
	r := setupResult{Host: h.Name, Action: "install", DryRun: opts.dryRun, Next: h.Next}
	changes, p, err := a.planSetup(h, opts.uninstall)
	if err != nil {
		return err
	}
	for _, c := range changes {
		f := setupFile{Path: c.Path, Action: c.Action()}
		if opts.dryRun && c.Changed() {
			f.Diff = string(merge.Unified(c.Before, c.After, c.Path, c.Path))
		}
		r.Files = append(r.Files, f)
	}
	if opts.uninstall {
		r.Action, r.Next = "uninstall", ""
	}
	if !opts.dryRun {
		if err := places.MakePrivate(p.State); err != nil {
			return err
		}
		if err := hostsetup.Apply(p, changes); err != nil {
			return err
		}
	}
	return a.print(r)
}

// planSetup plans the changes for a host.
func (a *app) planSetup(h hostsetup.Host, uninstall bool) ([]hostsetup.Change, hostsetup.Place, error) {
	self, err := program()
	if err != nil {
		return nil, hostsetup.Place{}, err
	}
	if uninstall {
		at, err := places.Find(a.env)
		if err != nil {
			return nil, hostsetup.Place{}, err
		}
		p := a.hostPlace(at)
		changes, err := hostsetup.Uninstall(h, p, hostsetup.Program{Path: self})
		return changes, p, err
	}
	s, err := a.open()
	if err != nil {
		return nil, hostsetup.Place{}, err
	}
	defer s.Close() // it was only read
	at, err := places.Find(a.env)
	if err != nil {
		return nil, hostsetup.Place{}, err
	}
	pages, err := s.pages(context.Background())
	if err != nil {
		return nil, hostsetup.Place{}, err
	}
	p := a.hostPlace(at)
	changes, err := hostsetup.Install(h, p, hostsetup.Program{Path: self, Vault: s.dir}, pages)
	return changes, p, err
}

// program is the path by which hosts start this program: the one that the shell
// finds, where that is this very file, since it stays when a package manager
// puts a new version in its place.
func program() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	found, err := exec.LookPath("memsync")
	if err != nil {
		return self, nil
	}
	one, oneErr := os.Stat(self)
	other, otherErr := os.Stat(found)
	if oneErr == nil && otherErr == nil && os.SameFile(one, other) && filepath.IsAbs(found) {
		return found, nil
	}
	return self, nil
}

// pages are what is copied into a host's own folder: MEMORY.md and the topics,
// without secrets.
func (s *session) pages(ctx context.Context) ([]hostsetup.Page, error) {
	clean, err := s.strict()
	if err != nil {
		return nil, err
	}
	var all []hostsetup.Page
	c, err := boot.Make(s.vault, boot.Limits{Bytes: hooks.MaxContext})
	switch {
	case err == nil:
		all = append(all, hostsetup.Page{Name: "MEMORY.md", Text: clean(c.Text)})
	case !errors.Is(err, boot.ErrNothing):
		return nil, err
	}
	folder := s.vault.Layout().Folder("memory")
	entries, err := s.vault.WalkUnder(ctx, folder)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.Path.Dir() != folder {
			continue
		}
		raw, err := s.vault.Read(e.Path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, hostsetup.Page{Name: "memory/" + e.Path.Base(), Text: clean(string(vault.Parse(e.Path, raw).Body()))})
	}
	return all, nil
}

// refreshCopies brings the copies up to date that a host has of this memory's
// pages. It belongs to the end of whatever writes them. What fails is said: the
// pages themselves are written.
func (a *app) refreshCopies(ctx context.Context, s *session) {
	at, err := places.Find(a.env)
	if err != nil || !hostsetup.Serves(at.State, "openclaw", s.dir) {
		return
	}
	p := a.hostPlace(at)
	pages, err := s.pages(ctx)
	if err == nil {
		var changes []hostsetup.Change
		if changes, err = hostsetup.Refresh(p, hostsetup.Program{Vault: s.dir}, pages); err == nil {
			err = hostsetup.Apply(p, changes)
		}
	}
	if err != nil {
		a.notice("OpenClaw's copies are not up to date: %v", err)
	}
}

func (r setupResult) Text(p *output.Page) {
	done := map[string]string{"created": "Created", "changed": "Changed", "removed": "Removed"}
	if r.DryRun {
		done = map[string]string{"created": "Would create", "changed": "Would change", "removed": "Would remove"}
	}
	some := false
	for _, f := range r.Files {
		if f.Action == "unchanged" {
			continue
		}
		some = true
		p.Printf("%s %s\n", done[f.Action], p.Bold(output.Plain(f.Path)))
		showPatch(p, f.Diff)
	}
	switch {
	case !some && r.Action == "install":
		p.Println("Set up already.")
	case !some:
		p.Println("Nothing of memsync's is there.")
	case r.Next != "" && !r.DryRun:
		p.Printf("Now: %s\n", r.Next)
	}
}

// hostsResult says which hosts are set up.
type hostsResult struct {
	Hosts []hostState `json:"hosts"`
}

type hostState struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	SetUp bool   `json:"set_up"`
}

func runSetupList(a *app, opts setupOptions) error {
	if opts.dryRun || opts.uninstall {
		return usagef("say the host")
	}
	at, err := places.Find(a.env)
	if err != nil {
		return err
	}
	var r hostsResult
	for _, h := range hostsetup.Hosts() {
		r.Hosts = append(r.Hosts, hostState{h.Name, h.Title, hostsetup.Installed(at.State, h.Name)})
	}
	return a.print(r)
}

func (r hostsResult) Text(p *output.Page) {
	for _, h := range r.Hosts {
		state := p.Dim("not set up")
		if h.SetUp {
			state = "set up"
		}
		p.Printf("%-12s %-12s %s\n", h.Name, h.Title, state)
	}
}
