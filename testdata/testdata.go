// Package testdata holds small exports that were written for memsync. The demo
// shows the program on them, and tests read them.
//
// They are the history of one invented person, Nora Falk: a year in which she
// paints a picture book, changes her mind about paint, learns Portuguese and
// starts to run.
package testdata

import "embed"

// Exports are the files as their providers would deliver them: chatgpt,
// claude and claude-code.
//
//go:embed exports
var Exports embed.FS
