package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

// Groups of commands, as the help shows them.
const (
	groupVault  = "vault"
	groupRead   = "read"
	groupChange = "change"
	groupOther  = "other"
)

// newRoot makes the tree of commands.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "memsync",
		Short: "Keep what AI assistants know about you as markdown in git",
		Long: `memsync keeps what AI assistants know about you as plain markdown in a git
repository that you can read and edit in Obsidian. It imports your chat history,
distils it, searches it and hands assistants a small, cited context.

Nothing is needed but this program: no key, no network, no download.`,
		Example: `  memsync init ~/memory
  memsync import ~/Downloads/chatgpt-export.zip --vault ~/memory`,
		SilenceErrors:              true,
		SilenceUsage:               true,
		SuggestionsMinimumDistance: 2,
		Args:                       a.noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cmd.Help()
		},
		PersistentPreRun: func(*cobra.Command, []string) { a.began = true },
	}
	flags := root.PersistentFlags()
	flags.StringVar(&a.vaultFlag, "vault", "", "the vault's folder (default: the nearest .memoryrc upwards)")
	flags.BoolVar(&a.json, "json", false, "answer in one line of JSON")
	flags.BoolVar(&a.noColor, "no-color", false, "never colour the answer")
	flags.CountVarP(&a.verbose, "verbose", "v", "say what is done; twice for more")
	_ = root.MarkPersistentFlagDirname("vault") // fails only for a flag that is not there
	root.AddGroup(
		&cobra.Group{ID: groupVault, Title: "The vault:"},
		&cobra.Group{ID: groupRead, Title: "Reading:"},
		&cobra.Group{ID: groupChange, Title: "History:"},
		&cobra.Group{ID: groupOther, Title: "Other:"},
	)
	root.SetHelpCommandGroupID(groupOther)
	root.SetCompletionCommandGroupID(groupOther)
	root.AddCommand(
		newInitCommand(a),
		newImportCommand(a),
		newRememberCommand(a),
		newSynthCommand(a),
		newIndexCommand(a),
		newConfigCommand(a),
		newSearchCommand(a),
		newGetCommand(a),
		newBootCommand(a),
		newContextCommand(a),
		newAskCommand(a),
		newInspectCommand(a),
		newStatsCommand(a),
		newExportCommand(a),
		newServeCommand(a),
		newMCPCommand(a),
		newHookCommand(a),
		newSetupCommand(a),
		newRevealCommand(a),
		newStatusCommand(a),
		newWatchCommand(a),
		newDoctorCommand(a),
		newLogCommand(a),
		newDiffCommand(a),
		newRevertCommand(a),
		newCommitCommand(a),
		newReviewCommand(a),
		newProfileCommand(a),
		newPinCommand(a),
		newRateCommand(a),
		newMergeCommand(a),
		newForgetCommand(a),
		newOpsCommand(a),
		newDemoCommand(a),
		newEvalCommand(a),
		newBenchCommand(a),
		newVersionCommand(a),
	)
	a.relayCommands(root)
	return root
}

// noSuchCommand refuses words that are no command and remembers the command
// that was probably meant.
func (a *app) noSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		a.try = cmd.CommandPath() + " " + near[0]
	}
	return fmt.Errorf("there is no command %q", args[0])
}

// words checks how many words a command takes, and says which it wants.
func words(least, most int, wants string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) < least && wants != "":
			return errors.New("say " + wants)
		case most >= 0 && len(args) > most && wants == "":
			return fmt.Errorf("%q is one word too many: the command takes none", args[most])
		case most >= 0 && len(args) > most:
			return fmt.Errorf("%q is one word too many: the command takes %s", args[most], wants)
		}
		return nil
	}
}
