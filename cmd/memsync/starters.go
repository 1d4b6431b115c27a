package main

import (
	"fmt"
	"strings"

	"github.com/memsync/memsync/cmd/internal/config"
	"github.com/memsync/memsync/vault"
)

// A starter is a file that a new vault begins with.
type starter struct {
	path vault.Path
	text string
}

// starters are the files of a new vault. What git does with the notes that a
// folder held before is left as it is.
func starters(l vault.Layout, heldNotes, madeRepo bool) []starter {
	settings := memoryrc
	if l.Root != "" {
		settings = strings.Replace(settings, "root: .\n", fmt.Sprintf("root: %q\n", string(l.Root)), 1)
	}
	files := []starter{
		{config.FileName, settings},
		{l.Root.Join(".gitattributes"), attributes(l, heldNotes)},
	}
	if madeRepo {
		files = append(files, starter{".gitignore", gitignore})
	}
	return files
}

// attributes keep git from changing line ends: transcripts are kept byte for
// byte. Beside notes that were there before, only memsync's own are named.
func attributes(l vault.Layout, heldNotes bool) string {
	if !heldNotes || l.Root != "" {
		return "*.md -text diff=markdown\n"
	}
	var text strings.Builder
	for _, p := range l.Own() {
		switch {
		case p.IsNote():
			fmt.Fprintf(&text, "/%s -text diff=markdown\n", p)
		case p != l.Forgotten():
			fmt.Fprintf(&text, "/%s/**/*.md -text diff=markdown\n", p)
		}
	}
	return text.String()
}

const gitignore = ".obsidian/workspace*.json\n.trash/\n*.tmp\n"

// memoryrc is a new vault's settings: those that people change first.
const memoryrc = `# Everything has a default: an empty file is a valid vault.
# memsync config prints every setting and where it came from.
version: 1
root: .
commit: quiet        # off, quiet, manual: when a person's edits become commits
review: auto         # auto, gate: do passes commit, or propose
llm:
  provider: none     # none, openai, anthropic
embedding:
  provider: builtin  # builtin, openai
`
