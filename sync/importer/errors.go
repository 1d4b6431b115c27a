package importer

import "fmt"

// A RefusedError says that a file is not what was asked for: nothing of it was
// imported.
type RefusedError struct {
	File string
	// Reason completes the sentence "FILE ...": "is a list of users, not of conversations".
	Reason string
}

func (e *RefusedError) Error() string { return e.File + " " + e.Reason }

func refuse(file, format string, args ...any) error {
	return &RefusedError{File: file, Reason: fmt.Sprintf(format, args...)}
}

// A PartialError says that a file could be read only up to a place. What stands
// before it was emitted.
type PartialError struct {
	File string
	// Line and Offset are where reading stopped; lines from 1, bytes from 0.
	Line   int
	Offset int64
	// Read is the number of entries of the file that were read before.
	Read   int
	Reason string
}

func (e *PartialError) Error() string {
	return fmt.Sprintf("%s:%d: %s at byte %d; %s before it were read, download the export again for the rest",
		e.File, e.Line, e.Reason, e.Offset, count(e.Read, "entry", "entries"))
}
