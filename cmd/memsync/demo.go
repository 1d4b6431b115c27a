package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/boot"
	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/testdata"
	"github.com/memsync/memsync/vault/history"
)

func newDemoCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "demo [DIR]",
		GroupID: groupOther,
		Short:   "Show the whole path on the history of an invented person",
		Long: `Make a vault in DIR, by default in a new temporary folder, import small exports
of ChatGPT, Claude and Claude Code that come with the program, distil and index
them, search, and print what an assistant would read when it starts and what git
remembers of it. Nothing else on this machine is read or changed.`,
		Example: `  memsync demo
  memsync demo ~/memsync-demo`,
		Args: words(0, 1, "one folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := ""
			if len(args) == 1 {
				dir = args[0]
			}
			return runDemo(cmd.Context(), a, dir)
		},
	}
}

// demoQuestions are asked of the demo's vault. Most of their words are not those of the
// notes that answer them.
func demoQuestions() []string {
	return []string{
		"why did she give up watercolour",
		"which nuts are dangerous for her",
		"when does the exhibition open",
	}
}

type demoResult struct {
	Vault    string         `json:"vault"`
	Import   importResult   `json:"import"`
	Searches []searchResult `json:"searches"`
	Boot     string         `json:"boot"`
	Log      []commit       `json:"log"`
	// Temporary says that the folder may be deleted whenever you like.
	Temporary bool `json:"temporary"`
}

func runDemo(ctx context.Context, a *app, dir string) error {
	base, err := os.MkdirTemp("", "memsync-demo-")
	if err != nil {
		return err
	}
	r := demoResult{Vault: dir, Temporary: dir == ""}
	if r.Temporary {
		r.Vault = filepath.Join(base, "vault")
	} else {
		defer os.RemoveAll(base)
	}
	if err := a.demoApp(base, r.Temporary).show(ctx, &r); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	return a.print(r)
}

// demoApp is a without the person's settings, which lie in base and are none.
// The caches of a temporary vault lie there too.
func (a *app) demoApp(base string, temporary bool) *app {
	demo := *a
	demo.env = func(name string) (string, bool) {
		switch {
		case name == "XDG_CONFIG_HOME", temporary && strings.HasPrefix(name, "XDG_"):
			return filepath.Join(base, strings.ToLower(name)), true
		case strings.HasPrefix(name, "MEMSYNC_"):
			return "", false
		}
		return a.env(name)
	}
	return &demo
}

// show carries the demo out.
func (a *app) show(ctx context.Context, r *demoResult) error {
	dir, err := a.madeFolder(r.Vault)
	if err != nil {
		return err
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		return errors.Join(err, usagef("%s is not empty; the demo wants a folder of its own", dir))
	}
	made, err := makeVault(ctx, a, dir, "")
	if err != nil {
		return err
	}
	r.Vault, a.vaultFlag = made.Vault, made.Vault
	exports, err := os.MkdirTemp("", "memsync-exports-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(exports)
	if err := os.CopyFS(exports, testdata.Exports); err != nil {
		return err
	}
	if err := a.showImport(ctx, exports, r); err != nil {
		return err
	}
	return a.showMemory(ctx, r)
}

func (a *app) showImport(ctx context.Context, exports string, r *demoResult) (err error) {
	w, err := a.openToWrite(ctx, "demo")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if r.Import, err = importPaths(ctx, a, w, []string{exports}, importOptions{}); err != nil {
		return err
	}
	for i := range r.Import.Runs {
		if rel, err := filepath.Rel(exports, r.Import.Runs[i].File); err == nil {
			r.Import.Runs[i].File = rel
		}
	}
	return a.digest(ctx, w, importOptions{}, &r.Import)
}

func (a *app) showMemory(ctx context.Context, r *demoResult) (err error) {
	s, err := a.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	x, err := a.openReader(ctx, s, "")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	for _, q := range demoQuestions() {
		found, err := x.ask(ctx, index.Query{Text: q, Limit: 2}, false)
		if err != nil {
			return err
		}
		r.Searches = append(r.Searches, found)
	}
	c, err := boot.Make(s.vault, boot.Limits{})
	if err != nil {
		return err
	}
	r.Boot = c.Text
	repo, err := s.history()
	if err != nil {
		return err
	}
	commits, err := repo.Log(ctx, history.LogOptions{})
	for _, c := range commits {
		r.Log = append(r.Log, newCommit(c))
	}
	return err
}

func (r demoResult) Text(p *output.Page) {
	head := func(format string, args ...any) {
		p.Printf("\n%s\n\n", p.Bold("== "+fmt.Sprintf(format, args...)))
	}
	p.Printf("A year of chats of Nora Falk, who does not exist, becomes a memory.\n")
	head("memsync import")
	r.Import.Text(p)
	for _, s := range r.Searches {
		head("memsync search %s", s.Query)
		s.Text(p)
	}
	head("memsync boot: what an assistant reads first")
	p.Printf("%s", output.Plain(r.Boot))
	head("git log: every change, and a way back")
	for _, c := range r.Log {
		p.Printf("%.10s  %s\n", c.ID, output.Plain(c.Subject))
	}
	head("look around")
	p.Printf("In Obsidian: Open folder as vault, %s\n", r.Vault)
	p.Printf("In a shell:  cd %s && memsync search hazelnuts\n", quoted(r.Vault))
	p.Printf("Take the last pass back: memsync revert HEAD --vault %s\n", quoted(r.Vault))
	if r.Temporary {
		p.Printf("The folder is temporary: delete %s whenever you like.\n", quoted(filepath.Dir(r.Vault)))
	}
}
