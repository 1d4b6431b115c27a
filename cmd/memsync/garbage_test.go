package main

import (
	"runtime/debug"
	"testing"
)

// What a process does with garbage goes by how long it lives, and the person's word
// comes first.
func TestGarbageGoesByHowLongAProcessLives(t *testing.T) {
	was := debug.SetGCPercent(usualGC)
	t.Cleanup(func() { debug.SetGCPercent(was) })
	percent := func() int {
		now := debug.SetGCPercent(usualGC)
		debug.SetGCPercent(now)
		return now
	}
	unset := func(string) (string, bool) { return "", false }
	a := &app{env: unset}
	for _, step := range []struct {
		what string
		do   func()
		want int
	}{
		{"a question", a.brief, briefGC},
		{"notes to index before it", a.longer, usualGC},
		{"a daemon", a.stays, residentGC},
		{"a daemon that indexes", a.longer, residentGC},
		{"a daemon whose owner set GOGC", func() {
			debug.SetGCPercent(80)
			(&app{env: func(string) (string, bool) { return "80", true }}).stays()
		}, 80},
	} {
		step.do()
		if got := percent(); got != step.want {
			t.Errorf("%s: %d percent, want %d", step.what, got, step.want)
		}
	}
}
