package rank

import (
	"regexp"
	"sync"
)

// pattern compiles an expression when it is first asked for: most commands never
// rank anything, and all of them start with this package.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
