package chat

import (
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/lazyregexp"
)

// Who speaks: as a heading, or as a label before the words.
var (
	heading = lazyregexp.New(`^#{2,6}\s+(\pL+)\s*:?\s*(?:[-–—(]?\s*(\d{4}-\d\d-\d\d[ T]?[\d:.]*(?:Z|[+-]\d\d:?\d\d)?)\)?)?$`)
	label   = lazyregexp.New(`^(?:\*\*(\pL+):\*\*|\*\*(\pL+)\*\*:|(\pL+):)(?:\s+(.*))?$`)
)

// A turn that begins at a line.
type opening struct{ role, when, words string }

// speaker reads a line that begins a turn.
func speaker(line string) (opening, bool) {
	if m := heading.FindStringSubmatch(line); m != nil {
		role, ok := roles[strings.ToLower(m[1])]
		return opening{role, m[2], ""}, ok
	}
	if m := label.FindStringSubmatch(line); m != nil {
		role, ok := roles[strings.ToLower(m[1]+m[2]+m[3])]
		return opening{role, "", m[4]}, ok
	}
	return opening{}, false
}

// body is markdown without its front matter.
func body(text string) string {
	if rest, ok := strings.CutPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "---\n"); ok {
		if _, after, ok := strings.Cut(rest, "\n---\n"); ok {
			return after
		}
	}
	return text
}

func readMarkdown(text string, c *importer.Conversation) error {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	rest := body(text)
	number := strings.Count(text[:len(text)-len(rest)], "\n")
	if err := properties(text[:len(text)-len(rest)], c); err != nil {
		return err
	}
	var words []string
	var turn *vault.Turn
	end := func() {
		if turn == nil {
			return
		}
		turn.Text = strings.Trim(strings.Join(words, "\n"), "\n")
		if strings.TrimSpace(turn.Text) != "" && turn.Sender != "system" {
			c.Append(*turn)
		}
		turn, words = nil, nil
	}
	fence := ""
	for line := range strings.Lines(rest) {
		number++
		line = strings.TrimRight(line, "\n")
		if mark := fenceMark(line); mark != "" && (fence == "" || mark == fence) {
			if fence == "" {
				fence = mark
			} else {
				fence = ""
			}
		}
		open, begins := opening{}, false
		if fence == "" {
			open, begins = speaker(strings.TrimSpace(line))
		}
		title, isTitle := strings.CutPrefix(line, "# ")
		switch {
		case begins:
			end()
			turn = &vault.Turn{Sender: open.role}
			if open.when != "" {
				var err error
				if turn.Time, err = vault.ParseStamp(open.when); err != nil {
					return wrong(number, "has %q as a time; write it as 2025-09-01 10:00", open.when)
				}
			}
			if open.role == "tool" {
				turn.Flags = append(turn.Flags, vault.FlagToolCall)
			}
			if open.words != "" {
				words = append(words, open.words)
			}
		case turn != nil:
			words = append(words, line)
		case isTitle && c.Title == "":
			c.Title = strings.TrimSpace(title)
		case strings.TrimSpace(line) != "" && !isTitle:
			return wrong(number, "stands before anybody speaks; begin each turn with a line such as \"## User\" or \"Assistant: ...\"")
		}
	}
	end()
	return nil
}

// fenceMark is the mark of a line that begins or ends a block of code: in one, a
// line that looks like a speaker is code.
func fenceMark(line string) string {
	line = strings.TrimSpace(line)
	for _, mark := range []string{"```", "~~~"} {
		if strings.HasPrefix(line, mark) {
			return mark
		}
	}
	return ""
}

// properties reads what a session's front matter says of it.
func properties(head string, c *importer.Conversation) error {
	inner := strings.TrimSuffix(strings.TrimPrefix(head, "---\n"), "---\n")
	var props map[string]yaml.Node
	if inner == "" {
		return nil
	}
	if err := yaml.Unmarshal([]byte(inner), &props); err != nil {
		return wrong(1, "begins front matter that is not YAML")
	}
	c.ID, c.Title, c.Model = props["id"].Value, props["title"].Value, props["model"].Value
	for _, key := range []string{"created", "date"} {
		if n, ok := props[key]; ok {
			when, err := vault.ParseStamp(n.Value)
			if err != nil {
				return wrong(n.Line+1, "has %q as %s, which is no date", n.Value, key)
			}
			c.Created = when
			return nil
		}
	}
	return nil
}
