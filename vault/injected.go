package vault

import "strings"

// Marks of a turn (see Turn.Flags) that say what its text is, where it is not
// simply what its sender wrote.
const (
	// FlagInjected: part of the text is context that a program put there.
	// StripInjected leaves the sender's own words.
	FlagInjected = "injected"
	// FlagMeta: nothing of the text is the sender's own: the output of a local
	// command, a caveat, a summary made when the context was compacted. Keep it
	// out of what is learned.
	FlagMeta = "meta"
	// FlagToolCall: the assistant spoke to a tool, not to the person.
	FlagToolCall = "tool-call"
	// FlagReasoning: the assistant spoke to itself.
	FlagReasoning = "reasoning"
	// FlagAttachment: the text is the content of a file that came with the turn
	// before it.
	FlagAttachment = "attachment"
)

// The tags around context that memsync gives to assistants, and around what
// coding agents add to a person's message by themselves. They may carry
// attributes.
var injectedTags = []string{"memsync-context", "system-reminder"}

// StripInjected cuts the blocks that programs put into a message, memsync's own
// context among them, and returns what is left. Text without such a block is
// returned as it is. A block begins at the beginning of a line and is closed;
// the tags' names in running text are left alone.
func StripInjected(text string) string {
	if !strings.Contains(text, "</") {
		return text
	}
	for _, tag := range injectedTags {
		text = cutBlocks(text, "<"+tag, "</"+tag+">")
	}
	return text
}

// HasInjected reports whether StripInjected would cut something.
func HasInjected(text string) bool { return len(StripInjected(text)) != len(text) }

// cutBlocks cuts everything from open, where it begins a line, to closing. An
// open tag that ends in ">" may stand anywhere.
func cutBlocks(text, open, closing string) string {
	anywhere := strings.HasSuffix(open, ">")
	for from := 0; ; {
		i := strings.Index(text[from:], open)
		if i < 0 {
			return text
		}
		i += from
		after := text[i+len(open):]
		end := strings.Index(after, closing)
		if end < 0 {
			return text
		}
		lineStart := i - len(text[:i]) + len(strings.TrimRight(text[:i], " \t"))
		begins := lineStart == 0 || text[lineStart-1] == '\n'
		named := anywhere || after != "" && strings.ContainsAny(after[:1], "> \t\r\n/")
		if !anywhere && !begins || !named {
			from = i + len(open)
			continue
		}
		text = text[:i] + after[end+len(closing):]
		from = i
	}
}
