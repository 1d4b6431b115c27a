// Package boot makes the context that an assistant gets when it starts.
//
// It is MEMORY.md as the person sees it in Obsidian: without front matter, with
// the profile in the place of its embed. Hosts cut what is longer than they
// allow, silently and anywhere; so the text is fitted to their limits here, whole
// lines at a time from the end, and says what was left out.
package boot

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/memsync/memsync/index/pack"
	"github.com/memsync/memsync/vault"
)

// Limits of a host. The zero value means Claude Code's for MEMORY.md: 200 lines
// and 25 KB.
type Limits struct {
	Lines, Bytes int
}

const (
	defaultLines = 200
	defaultBytes = 25_000
)

// A Context is what an assistant reads first.
type Context struct {
	Text string
	// Dropped are the lines that did not fit.
	Dropped int
	// Sources are the notes that it was made of.
	Sources []vault.Path
}

// ErrNothing is returned for a vault without a MEMORY.md.
var ErrNothing = errors.New("nothing is remembered yet: the vault has no MEMORY.md")

// Make reads the boot context of a vault.
func Make(v *vault.Vault, limits Limits) (Context, error) {
	if limits.Lines <= 0 {
		limits.Lines = defaultLines
	}
	if limits.Bytes <= 0 {
		limits.Bytes = defaultBytes
	}
	at := v.Layout().Boot()
	n, err := v.Note(at)
	if errors.Is(err, fs.ErrNotExist) {
		return Context{}, ErrNothing
	}
	if err != nil {
		return Context{}, err
	}
	c := Context{Sources: []vault.Path{at}}
	text := string(n.Body())
	if profile, err := v.Note(v.Layout().Profile()); err == nil {
		embed := "![[" + v.Layout().Profile().Name() + "]]"
		if strings.Contains(text, embed) {
			text = strings.Replace(text, embed, pack.Critical(profile)+strings.TrimSpace(string(profile.Body())), 1)
			c.Sources = append(c.Sources, profile.Path)
		}
	}
	c.Text, c.Dropped = fit(strings.TrimLeft(text, "\r\n"), limits, string(at))
	return c, nil
}

// fit cuts text to the limits, with a last line that says so.
func fit(text string, limits Limits, source string) (string, int) {
	lines := strings.SplitAfter(strings.TrimRight(text, "\n")+"\n", "\n")
	lines = lines[:len(lines)-1]
	if len(lines) <= limits.Lines && len(text) <= limits.Bytes {
		return strings.Join(lines, ""), 0
	}
	end, size := 0, 0
	said := func(dropped int) string {
		return fmt.Sprintf("\n(%d more lines did not fit: memsync get %s)\n", dropped, source)
	}
	room := limits.Bytes - len(said(len(lines)))
	for end < len(lines) && end < limits.Lines-2 && size+len(lines[end]) <= room {
		size += len(lines[end])
		end++
	}
	dropped := len(lines) - end
	return strings.Join(lines[:end], "") + said(dropped), dropped
}
