// Package importer reads histories that other programs exported.
//
// An import goes in three steps. Open lists the files of a path: a file, a
// folder, a zip, a zip in a zip. Detect looks at their beginnings and says which
// Format reads which, or in one sentence what the path is not. Format.Read turns
// a file into conversations, one at a time.
//
// Each format lives in a package of its own and knows nothing of vaults being
// written. Two things hold for all of them. Memory stays bounded however large an
// export is: Each cuts a list of conversations into its elements by brackets and
// quotes alone, decodes a few of them side by side and hands them over in the
// order of the file. And one bad message costs only itself: what cannot be read
// becomes a Warning that names the place, and reading goes on; only where a file
// breaks off does Read end with an error, after everything before the break.
//
// The text of a turn is the provider's to the byte. What is nobody's words
// (hidden context, reasoning, fetched pages) is left out; what stands among
// somebody's words without being theirs carries a flag (vault.FlagMeta and its
// neighbours).
package importer

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/memsync/memsync/vault"
)

// A Conversation is one conversation of an export.
type Conversation struct {
	// Source names the format's provider: chatgpt, claude, claude-code, codex,
	// whatsapp, notes.
	Source string
	// ID is the provider's id, or for sources without ids one derived from
	// content that stays the same when the export grows.
	ID string
	// Title is the provider's title; empty where it has none.
	Title string
	// Created and Updated are the provider's times; zero where unknown.
	Created, Updated vault.Stamp
	// Model is the conversation's default model, where the provider says so.
	Model string
	// Summary is the provider's own summary, used as it is.
	Summary string
	// Project is what the conversation belonged to: the working folder of a
	// coding session; empty where the provider knows none.
	Project string
	// Participants are the senders in order of appearance.
	Participants []string
	// Turns holds the active path in order, then the turns of other branches,
	// each with its Parent set where it does not answer the turn before it.
	Turns []vault.Turn
	// Current is the MessageID of the active path's last turn; empty means the
	// last turn that is not on a branch.
	Current string
}

// An Input is one file to be read: on disk, or inside an archive.
type Input struct {
	// Name is the path as a person would say it: "export.zip/conversations.json".
	Name string
	// Size in bytes; -1 where unknown.
	Size int64
	// Modified is when the file was last written, as its folder or archive says;
	// zero where unknown.
	Modified time.Time
	// Open starts reading from the beginning; it may be called more than once.
	Open func() (io.ReadCloser, error)
}

// A Warning is one thing that was left out or guessed, and where.
type Warning struct {
	File string `json:"file"`
	// Line is 1-based; 0 where the format has no lines that would help.
	Line int    `json:"line,omitempty"`
	Text string `json:"text"`
}

func (w Warning) String() string {
	if w.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", w.File, w.Line, w.Text)
	}
	return fmt.Sprintf("%s: %s", w.File, w.Text)
}

// A Format reads one kind of export.
type Format interface {
	// Source is the name that --source takes and transcripts carry.
	Source() string
	// Sniff reports whether a file with this name that begins with head (up to
	// 64 KiB) looks like this format.
	Sniff(name string, head []byte) bool
	// Read calls emit for each conversation in the order of the file and warn
	// for each thing that it had to leave out. It returns an error only when
	// the file as a whole cannot be read on, or emit failed.
	Read(ctx context.Context, in Input, emit func(Conversation) error, warn func(Warning)) error
}
