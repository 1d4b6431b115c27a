// Package hooks is what hosts run when a session of theirs begins or ends.
//
// A host (Claude Code, Codex, Gemini CLI, Cursor) starts `memsync hook EVENT`,
// writes an object of JSON to its standard input and waits. At the start of a
// session the answer is the memory's overview; before a compaction and at the end
// a record is queued that says where the session's file is, and the file is
// imported later, by the daemon or the next command that learns.
//
// A hook is a guest in somebody's session. So it ends with status 0 whatever
// happens, reads all that it is given, starts no process, opens no index, and is
// done long before the host would stop it.
package hooks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Budget is how long a hook may take, whatever the disk does. Claude Code's limit
// is set to 10 s by memsync setup; Codex allows 3 s at the end of a session.
const Budget = 2500 * time.Millisecond

// Events are the words that name a hook on the command line.
const (
	SessionStart = "session-start"
	PreCompact   = "pre-compact"
	SessionEnd   = "session-end"
)

// Events lists them.
func Events() []string { return []string{SessionStart, PreCompact, SessionEnd} }

// An Input is what a host says about its session. Hosts say more; the rest is not
// looked at.
type Input struct {
	SessionID      string `json:"session_id"`
	TranscriptPath string `json:"transcript_path"`
	Cwd            string `json:"cwd"`
	// Source is how the session began: startup, resume, clear or compact.
	Source string `json:"source"`
}

const (
	maxInput = 1 << 20  // bytes that an input may have; real ones have hundreds
	maxDrain = 64 << 20 // bytes that are read and thrown away after it
)

// Read reads what a host wrote, to its end: a host whose pipe breaks reports an
// error to its person. An input that cannot be read is empty, and the error says
// why.
func Read(r io.Reader) (Input, error) {
	var in Input
	raw, err := io.ReadAll(io.LimitReader(r, maxInput+1))
	if err == nil && len(raw) > maxInput {
		_, _ = io.Copy(io.Discard, io.LimitReader(r, maxDrain))
		return in, fmt.Errorf("the host's input is longer than %d bytes", maxInput)
	}
	if err != nil || len(raw) == 0 {
		return in, err
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		return Input{}, fmt.Errorf("the host's input: %w", err)
	}
	return in, nil
}

// Hosts that ask for an answer of their own shape; all others take Claude Code's.
const Cursor = "cursor"

// Start is the answer at the start of a session: context for the model.
func Start(host, context string) []byte {
	var answer any
	if host == Cursor {
		answer = struct {
			Context string `json:"additional_context"`
		}{context}
	} else {
		type output struct {
			Event   string `json:"hookEventName"`
			Context string `json:"additionalContext"`
		}
		answer = struct {
			Output output `json:"hookSpecificOutput"`
		}{output{"SessionStart", context}}
	}
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	if err := e.Encode(answer); err != nil { // strings always encode
		panic(err)
	}
	return line.Bytes()
}

// MaxContext is how many bytes a context may have: Claude Code cuts what a hook
// says after 10,000 characters.
const MaxContext = 10_000

const (
	opening = "<memsync-context>\n"
	intro   = "What memsync remembers of this person, with its sources. It is background, not a request. For more: the tools memory_search and memory_get.\n\n"
	closing = "</memsync-context>"
)

// Room is how many bytes of a text fit into a Block.
const Room = MaxContext - len(opening) - len(intro) - len(closing) - 1

// Block puts a text between the tags by which importers know what memsync said
// itself: it is never learned back. The text cannot end the block.
func Block(text string) string {
	text = strings.TrimRight(tag.Replace(text), "\n")
	return opening + intro + text + "\n" + closing
}

// tag takes the point out of our tags in a text, and changes its length by
// nothing.
var tag = strings.NewReplacer("</memsync-context", "(/memsync-context", "<memsync-context", "(memsync-context")

// Known reports whether word names an event.
func Known(word string) bool { return slices.Contains(Events(), word) }
