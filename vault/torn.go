package vault

import (
	"bytes"
	"strings"
)

// Torn says why a ledger or a transcript looks as if a save of it broke off, and
// "" where it does not, or where before was neither. A save that is not atomic
// empties the file before it writes: an editor that crashes in between, a slow
// sync client or a power cut leaves nothing, zeros, or the first part. What is
// missing then was not deleted by anybody.
//
// A file that was cut at the end of a line cannot be told from one whose last
// lines were deleted, and counts as that: see CutShort.
func Torn(before, after []byte) string {
	if !tearable(before) {
		return ""
	}
	is := Parse("", after)
	switch {
	case len(bytes.Trim(after, "\x00 \t\r\n")) == 0:
		return "it is empty"
	case is.Err() != nil || is.Type() == TypeNote && !is.Has("type"):
		return "its properties cannot be read"
	case bytes.HasSuffix(after, []byte("\n")), bytes.HasSuffix(after, []byte("\r")):
		return ""
	}
	last := after[bytes.LastIndexByte(after, '\n')+1:]
	for line := range strings.Lines(string(before)) {
		line = strings.TrimRight(line, "\r\n")
		if len(last) > 0 && len(last) < len(line) && strings.HasPrefix(line, string(last)) {
			return "its last line breaks off"
		}
	}
	return ""
}

// CutShort reports whether a ledger or a transcript lacks lines at its end and is
// else as it was: they were deleted, or a save of it is under way, which only time
// can tell.
func CutShort(before, after []byte) bool {
	return len(after) < len(before) && bytes.HasPrefix(before, after) && tearable(before)
}

// tearable reports whether a file is one of those whose every line is memory.
func tearable(raw []byte) bool {
	n := Parse("", raw)
	return n.IsLedger() || n.Type() == TypeTranscript
}
