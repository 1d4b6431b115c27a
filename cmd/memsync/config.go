package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/config"
	"github.com/memsync/memsync/cmd/internal/output"
)

func newConfigCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "config [KEY]",
		GroupID: groupVault,
		Short:   "Print every setting and where it came from",
		Long: `Print every setting with its value and where it came from: the defaults, your
own config.yaml, the vault's .memoryrc, the environment or a flag. With a KEY,
print that value alone.

An endpoint, a database or a network address that a vault's own .memoryrc asks
for is ignored until you trust it: see memsync config trust.`,
		Example: `  memsync config
  memsync config embedding.provider`,
		Args: words(0, 1, "one key"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return config.Keys(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return runConfig(a, args)
		},
	}
	cmd.AddCommand(newTrustCommand(a))
	return cmd
}

func runConfig(a *app, args []string) error {
	dir, s, at, err := a.settings()
	if err != nil {
		return err
	}
	if len(args) == 1 {
		one, err := s.Get(args[0])
		if err != nil {
			return err
		}
		return a.print(settingResult{one})
	}
	return a.print(configResult{
		Vault: dir, UserFile: at.UserConfig(), Settings: s.All(), Requests: s.Requests,
	})
}

type settingResult struct{ config.Setting }

func (r settingResult) Text(p *output.Page) { p.Println(settingText(r.Value)) }

type configResult struct {
	// Vault is empty where there is none.
	Vault    string           `json:"vault"`
	UserFile string           `json:"user_file"`
	Settings []config.Setting `json:"settings"`
	Requests []config.Request `json:"requests"`
}

func (r configResult) Text(p *output.Page) {
	if r.Vault == "" {
		p.Println(p.Dim("# no vault here"))
	} else {
		p.Println(p.Dim("# vault " + r.Vault))
	}
	t := tabwriter.NewWriter(p, 0, 0, 2, ' ', 0)
	for _, s := range r.Settings {
		fmt.Fprintf(t, "%s\t%s\t%s\n", s.Key, output.Plain(settingText(s.Value)), s.Origin)
	}
	t.Flush()
	for _, q := range r.Requests {
		if !q.Trusted {
			p.Println(p.Warn(untrusted(q)))
		}
	}
}

func settingText(v any) string {
	if items, ok := v.([]string); ok {
		return strings.Join(items, " ")
	}
	return fmt.Sprint(v)
}

// untrusted says that a request of the vault is ignored.
func untrusted(q config.Request) string {
	return fmt.Sprintf("%s:%d asks to %s; ignored until you trust it (memsync config trust)",
		config.FileName, q.Line, output.Plain(q.What))
}
