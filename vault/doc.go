// Package vault reads and writes a tree of markdown notes.
//
// A vault is the only source of truth: the search index and every synthesised
// page can be thrown away and built again from it. It belongs to a person, who
// edits it in Obsidian while memsync works on it. So the package keeps to one
// rule above all: a byte that it was not asked to change does not change. A
// note keeps the bytes it was read from, and an edit replaces a span of them.
//
// What stands in a vault:
//
//   - A Note is a file: optional YAML front matter and a markdown body.
//   - A ledger is a note whose list items are claims, one a line, each with its
//     kind, its dates and the turn that proves it (Claim).
//   - A transcript is a note that holds every turn of a conversation, raw text
//     byte for byte (Transcript, Turn).
//   - Links are Obsidian's: [[path#^block|alias]] (Link).
//
// A Path is checked once, where it comes in from outside, and trusted after.
// All access goes through os.Root, so neither "..", nor an absolute path, nor a
// symbolic link leads out of the vault. Writes are atomic and durable: a reader,
// or a machine that lost power, sees the old note or the new one, never half.
//
// The package knows nothing of git (vault/history does), of search or of models.
package vault
