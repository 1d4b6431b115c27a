package main

import "runtime/debug"

// Go lets garbage grow as large as what lives before it is collected. Two kinds of
// command want something else. GOGC in the environment has the last word.
const (
	// residentGC is for processes that stay: what they hold is taken from others.
	// Half as much garbage costs a daemon under load a tenth more processor time.
	residentGC = 50
	// briefGC is for a question: the process is gone before its garbage is worth
	// looking for. It saves a tenth of a cold search.
	briefGC = 400
	usualGC = 100
)

// stays bounds the garbage of a process that goes on for long.
func (a *app) stays() { a.collectAt(residentGC) }

// brief leaves garbage alone in a process that answers one question, until it turns
// out that there is more to do.
func (a *app) brief() {
	if a.host == nil {
		a.collectAt(briefGC)
		a.briefly = true
	}
}

// longer ends brief: notes have to be indexed before the question is answered.
func (a *app) longer() {
	if a.briefly {
		a.briefly = false
		a.collectAt(usualGC)
	}
}

func (a *app) collectAt(percent int) {
	if _, set := a.env("GOGC"); !set {
		debug.SetGCPercent(percent)
	}
}
