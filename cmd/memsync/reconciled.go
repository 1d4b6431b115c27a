package main

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// reconciledFile holds when vault and index were last compared, beside the daemon,
// which keeps its own count.
const reconciledFile = "reconciled"

// noteReconcile writes down that vault and index were brought in step. That it was
// is worth no error where it cannot be written.
func noteReconcile(state string, at time.Time) {
	_ = os.WriteFile(filepath.Join(state, reconciledFile), []byte(at.UTC().Format(time.RFC3339)+"\n"), 0o600)
}

// lastReconcile is when vault and index were last brought in step without a daemon;
// zero where nothing is known.
func lastReconcile(state string) time.Time {
	raw, err := os.ReadFile(filepath.Join(state, reconciledFile))
	if err != nil {
		return time.Time{}
	}
	return parsed(strings.TrimSpace(string(raw)))
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
