package importer

import (
	"errors"
	"path"
	"strings"
)

// A Match is an input and the format that reads it.
type Match struct {
	Input  Input
	Format Format
}

// A Plan says which format reads which input of a bundle.
type Plan struct {
	Matches []Match
	// Skipped are the inputs that no format reads, with the reason. Quiet ones
	// are the usual companions of an export.
	Skipped []Skip
	Quiet   []Skip
}

// A Fallback is a format that takes what no other format wants: plain notes.
type Fallback interface {
	Format
	// Fallback reports whether the format takes a file beside inputs that the
	// other formats took: the export's own read-me is no note.
	Fallback(name string, besideExport bool) bool
}

// Detect assigns formats to the inputs of b by looking at their beginnings. The
// first format that recognises an input reads it. source, where it is not empty,
// names the only format that may be used; a single file is then read by it even
// if it does not look the part.
//
// When nothing can be read, the error says in one sentence what the path is not.
func Detect(b *Bundle, formats []Format, source string) (Plan, error) {
	if source != "" {
		var chosen []Format
		var names []string
		for _, f := range formats {
			names = append(names, f.Source())
			if f.Source() == source {
				chosen = []Format{f}
			}
		}
		if chosen == nil {
			return Plan{}, refuse("source "+source, "is not known; memsync reads %s", strings.Join(names, ", "))
		}
		formats = chosen
	}
	plan := Plan{Skipped: b.Skipped}
	exports := map[string]bool{} // folders in which an export was found
	taken := make([]bool, len(b.Inputs))
	for i, in := range b.Inputs {
		head, err := Head(in)
		if err != nil {
			if b.single {
				return Plan{}, plain(in.Name, err)
			}
			plan.Skipped = append(plan.Skipped, Skip{in.Name, reason(in.Name, err)})
			taken[i] = true
			continue
		}
		if b.single && source != "" {
			plan.Matches = append(plan.Matches, Match{in, formats[0]})
			return plan, nil
		}
		for _, f := range formats {
			if _, isFallback := f.(Fallback); isFallback || !f.Sniff(in.Name, head) {
				continue
			}
			plan.Matches = append(plan.Matches, Match{in, f})
			taken[i] = true
			exports[folderOf(in.Name)] = true
			break
		}
	}
	var left []Skip
	for i, in := range b.Inputs {
		if taken[i] {
			continue
		}
		head, err := Head(in) // again, so that not every head is held
		if err != nil {
			plan.Skipped = append(plan.Skipped, Skip{in.Name, reason(in.Name, err)})
			continue
		}
		if f := fallback(formats, in.Name, head, exports[folderOf(in.Name)]); f != nil {
			plan.Matches = append(plan.Matches, Match{in, f})
			continue
		}
		text, known := whatItIs(in.Name, head)
		if known || strings.EqualFold(path.Ext(in.Name), ".html") {
			plan.Quiet = append(plan.Quiet, Skip{in.Name, text})
		} else {
			plan.Skipped = append(plan.Skipped, Skip{in.Name, text})
		}
		left = append(left, Skip{in.Name, text})
	}
	if len(plan.Matches) == 0 {
		return plan, nothingRead(b, plan, left, source)
	}
	return plan, nil
}

func fallback(formats []Format, name string, head []byte, besideExport bool) Format {
	for _, f := range formats {
		if fb, ok := f.(Fallback); ok && fb.Sniff(name, head) && fb.Fallback(name, besideExport) {
			return f
		}
	}
	return nil
}

const expected = "memsync reads exports of ChatGPT, Claude and WhatsApp, sessions of Claude Code and Codex, and plain notes"

// nothingRead says why a path has nothing to import.
func nothingRead(b *Bundle, plan Plan, left []Skip, source string) error {
	switch {
	case source != "":
		return refuse(b.Path, "holds nothing that looks like an export of %s", source)
	case len(left) == 1 && len(plan.Skipped)+len(plan.Quiet) == 1:
		return &RefusedError{left[0].Name, left[0].Reason + "; " + expected}
	case len(plan.Skipped) == 1 && len(b.Inputs) <= 1:
		return &RefusedError{plan.Skipped[0].Name, plan.Skipped[0].Reason}
	case len(b.Inputs) == 0:
		return refuse(b.Path, "holds no file that could be an export; %s", expected)
	}
	return refuse(b.Path, "holds %s, and none is an export; %s", count(len(b.Inputs), "file", "files"), expected)
}

// reason is what plain says about name, without the name.
func reason(name string, err error) string {
	err = plain(name, err)
	var refused *RefusedError
	if errors.As(err, &refused) {
		return refused.Reason
	}
	return strings.TrimPrefix(err.Error(), name+" ")
}

func folderOf(name string) string { return path.Dir(strings.ReplaceAll(name, `\`, "/")) }
