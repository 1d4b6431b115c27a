package history

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// A Signature says who, and when. When keeps its zone; git keeps it to the second.
type Signature struct {
	Name  string    `json:"name"`
	Email string    `json:"email"`
	When  time.Time `json:"when"`
}

// Machine is the author of what memsync writes.
const (
	MachineName  = "memsync"
	MachineEmail = "memsync@localhost"
)

// Machine returns the signature of memsync itself.
func Machine(when time.Time) Signature { return Signature{MachineName, MachineEmail, when} }

// line is the signature as git writes it, without what git would not take.
func (s Signature) line() string {
	clean := func(text string) string {
		text = strings.Map(func(r rune) rune {
			if r < ' ' || r == '<' || r == '>' {
				return -1
			}
			return r
		}, text)
		return strings.Trim(text, " .,:;\"'\\")
	}
	name, email := clean(s.Name), clean(s.Email)
	if name == "" {
		name = email
	}
	return fmt.Sprintf("%s <%s> %d %s", name, email, max(0, s.When.Unix()), s.When.Format("-0700"))
}

func parseSignature(line string) Signature {
	name, rest, _ := strings.Cut(line, "<")
	email, rest, _ := strings.Cut(rest, ">")
	s := Signature{Name: strings.TrimSpace(name), Email: email, When: time.Unix(0, 0).UTC()}
	seconds, zone, _ := strings.Cut(strings.TrimSpace(rest), " ")
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return s
	}
	s.When = time.Unix(unix, 0).UTC()
	if t, err := time.Parse("-0700", zone); err == nil {
		_, offset := t.Zone()
		s.When = s.When.In(time.FixedZone("", offset))
	}
	return s
}

// Trailers are the lines at the end of a machine's commit message that say where
// it came from. Each is empty where it does not apply.
type Trailers struct {
	Run     string   `json:"run,omitempty"`     // Memsync-Run: one run of a command, several passes
	Pass    string   `json:"pass,omitempty"`    // Memsync-Pass
	Model   string   `json:"model,omitempty"`   // Memsync-Model: what wrote the text
	Sources []string `json:"sources,omitempty"` // Memsync-Sources, one line each
	Reverts []string `json:"reverts,omitempty"` // Memsync-Reverts: ids of commits, one line each
}

const trailerPrefix = "Memsync-"

func (t Trailers) lines() []string {
	var out []string
	add := func(name string, values ...string) {
		for _, v := range values {
			if v = oneLine(v); v != "" {
				out = append(out, trailerPrefix+name+": "+v)
			}
		}
	}
	add("Run", t.Run)
	add("Pass", t.Pass)
	add("Model", t.Model)
	add("Sources", t.Sources...)
	add("Reverts", t.Reverts...)
	return out
}

// oneLine makes text fit for one line of a message.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return strings.Join(strings.Fields(text), " ")
}

// parseTrailers reads them from the last paragraph of a message.
func parseTrailers(message string) (t Trailers, body string) {
	message = strings.TrimRight(message, "\n")
	at := strings.LastIndex(message, "\n\n")
	last := message[at+1:]
	found := false
	for line := range strings.SplitSeq(last, "\n") {
		key, value, _ := strings.Cut(line, ": ")
		name, ok := strings.CutPrefix(key, trailerPrefix)
		if !ok {
			continue
		}
		found = true
		switch name {
		case "Run":
			t.Run = value
		case "Pass":
			t.Pass = value
		case "Model":
			t.Model = value
		case "Sources":
			t.Sources = append(t.Sources, value)
		case "Reverts":
			t.Reverts = append(t.Reverts, value)
		}
	}
	if found && at >= 0 {
		return t, strings.TrimRight(message[:at], "\n")
	}
	return t, message
}

// A Commit is one change of the vault.
type Commit struct {
	ID        ID        `json:"id"`
	Parents   []ID      `json:"parents"`
	Author    Signature `json:"author"`
	Committer Signature `json:"committer"`
	Subject   string    `json:"subject"`
	Body      string    `json:"body,omitempty"` // without the trailers
	Trailers  Trailers  `json:"trailers"`
	// Files are what the commit changed in the vault, where it was asked for.
	Files []FileChange `json:"files,omitempty"`

	tree ID
}

// ByMachine reports whether memsync wrote the commit.
func (c Commit) ByMachine() bool { return c.Author.Email == MachineEmail }

// message puts subject, body and trailers together.
func (c Commit) message() string {
	parts := []string{oneLine(c.Subject)}
	if body := strings.Trim(strings.ToValidUTF8(strings.ReplaceAll(c.Body, "\x00", ""), "\uFFFD"), "\n"); body != "" {
		parts = append(parts, body)
	}
	if lines := c.Trailers.lines(); len(lines) > 0 {
		parts = append(parts, strings.Join(lines, "\n"))
	}
	return strings.Join(parts, "\n\n") + "\n"
}

// encode writes the commit as git stores it.
func (c Commit) encode() []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "tree %s\n", c.tree)
	for _, p := range c.Parents {
		fmt.Fprintf(&out, "parent %s\n", p)
	}
	fmt.Fprintf(&out, "author %s\ncommitter %s\n\n%s", c.Author.line(), c.Committer.line(), c.message())
	return out.Bytes()
}

func parseCommit(id ID, content []byte) (Commit, error) {
	c := Commit{ID: id}
	head, message, _ := strings.Cut(string(content), "\n\n")
	for line := range strings.SplitSeq(head, "\n") {
		key, value, _ := strings.Cut(line, " ")
		var err error
		switch key {
		case "tree":
			c.tree, err = parseID(value)
		case "parent":
			var parent ID
			parent, err = parseID(value)
			c.Parents = append(c.Parents, parent)
		case "author":
			c.Author = parseSignature(value)
		case "committer":
			c.Committer = parseSignature(value)
		}
		if err != nil {
			return Commit{}, fmt.Errorf("git commit %s: %w", id, err)
		}
	}
	if c.tree.IsZero() && !slices.Equal(content[:min(5, len(content))], []byte("tree ")) {
		return Commit{}, fmt.Errorf("git commit %s: %w", id, errors.New("it names no tree"))
	}
	trailers, text := parseTrailers(message)
	c.Trailers = trailers
	subject, body, _ := strings.Cut(strings.TrimLeft(text, "\n"), "\n\n")
	c.Subject = strings.Join(strings.Fields(subject), " ")
	c.Body = strings.Trim(body, "\n")
	return c, nil
}

// commit reads one commit. Its slices are not the caller's to change.
func (o *objects) commit(id ID) (Commit, error) {
	return o.commits.get(id, func() (Commit, error) {
		content, err := o.read(kindCommit, id)
		if err != nil {
			return Commit{}, err
		}
		return parseCommit(id, content)
	})
}
