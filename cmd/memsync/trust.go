package main

import (
	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/config"
	"github.com/memsync/memsync/cmd/internal/output"
)

type trustOptions struct {
	remove bool
}

func newTrustCommand(a *app) *cobra.Command {
	var opts trustOptions
	cmd := &cobra.Command{
		Use:   "trust",
		Short: "Trust the endpoints that this vault's .memoryrc names",
		Long: `Trust what this vault's .memoryrc asks for and a vault may not decide alone:
sending text to a model's endpoint, keeping the index in a database, answering
on the network. The agreement holds for this vault and exactly these values, and
is kept in your own config folder; when the values change it is asked for anew.`,
		Example: `  memsync config trust
  memsync config trust --remove`,
		Args: words(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			return runTrust(a, opts)
		},
	}
	cmd.Flags().BoolVar(&opts.remove, "remove", false, "trust it no longer")
	return cmd
}

func runTrust(a *app, opts trustOptions) error {
	dir, s, at, err := a.vaultSettings()
	if err != nil {
		return err
	}
	trust, err := config.OpenTrust(at.Config)
	if err != nil {
		return err
	}
	for i, q := range s.Requests {
		if opts.remove {
			err = trust.Remove(q)
		} else {
			err = trust.Add(dir, q)
		}
		if err != nil {
			return err
		}
		s.Requests[i].Trusted = !opts.remove
	}
	return a.print(trustResult{Vault: dir, Requests: s.Requests})
}

type trustResult struct {
	Vault    string           `json:"vault"`
	Requests []config.Request `json:"requests"`
}

func (r trustResult) Text(p *output.Page) {
	if len(r.Requests) == 0 {
		p.Println("Nothing to trust: this vault's .memoryrc asks for nothing beyond this machine.")
	}
	for _, q := range r.Requests {
		verb := "Trusted to"
		if !q.Trusted {
			verb = "No longer trusted to"
		}
		p.Printf("%s %s.\n", verb, output.Plain(q.What))
	}
}
