package synth

import (
	"regexp"
	"sync"
)

// lazy is a pattern that is compiled when it is first needed: most commands need
// none, and compiling all of them takes milliseconds at every start.
func lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
