package main

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/config"
	"github.com/memsync/memsync/cmd/internal/output"
)

func newVersionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		GroupID: groupOther,
		Short:   "Print the version",
		Long: `Print the version of this program, the revision that it was built from, the Go
release and platform, and the newest vault format that it reads.`,
		Example: `  memsync version
  memsync version --json`,
		Args: words(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			return a.print(thisVersion())
		},
	}
}

// versionResult says what was built, from what, with what.
type versionResult struct {
	Version string `json:"version"`
	// Revision is the commit, empty where the build did not record one.
	Revision string `json:"revision"`
	// Modified says that the tree held changes beside the revision.
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	// Format is the newest vault format that is read.
	Format int `json:"format"`
}

func thisVersion() versionResult {
	r := versionResult{
		Version:  "(devel)",
		Go:       runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Format:   config.FormatVersion,
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return r
	}
	if info.Main.Version != "" {
		r.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			r.Revision = s.Value
		case "vcs.modified":
			r.Modified = s.Value == "true"
		}
	}
	return r
}

func (r versionResult) Text(p *output.Page) {
	p.Printf("memsync %s", r.Version)
	if r.Revision != "" {
		p.Printf(" (%.12s", r.Revision)
		if r.Modified {
			p.Printf(", modified")
		}
		p.Printf(")")
	}
	p.Printf(", vault format %d, %s, %s\n", r.Format, r.Go, r.Platform)
}
