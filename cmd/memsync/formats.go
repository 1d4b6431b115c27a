package main

import (
	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/sync/importer/chatgpt"
	"github.com/memsync/memsync/sync/importer/claude"
	"github.com/memsync/memsync/sync/importer/claudecode"
	"github.com/memsync/memsync/sync/importer/codex"
	"github.com/memsync/memsync/sync/importer/notes"
	"github.com/memsync/memsync/sync/importer/whatsapp"
)

// formats are the exports that can be read. The first that recognises a file
// reads it. holder tells which conversation of the vault holds a message of a
// chat; nil where no vault is written.
func formats(holder func(message string) string) []importer.Format {
	return []importer.Format{
		chatgpt.Format{},
		claude.Format{},
		claudecode.Format{},
		codex.Format{},
		whatsapp.Format{Known: holder},
		notes.Format{},
	}
}
