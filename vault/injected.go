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
// coding agents (Claude Code, Codex) put among a person's messages by
// themselves. They may carry attributes. What the person typed into a command
// (command-args, bash-input) is the person's and is not listed.
var injectedTags = []string{
	"memsync-context",
	"system-reminder",
	"command-name", "command-message", "command-contents",
	"local-command-stdout", "local-command-stderr", "local-command-caveat",
	"bash-stdout", "bash-stderr",
	"user-prompt-submit-hook", "task-notification",
	"ide_opened_file", "ide_selection",
	"environment_context", "user_instructions", "turn_aborted",
}

// StripInjected cuts the blocks that programs put into a message, memsync's own
// context among them, and returns what is left. Text without such a block is
// returned as it is. A block begins at the beginning of a line and is closed;
// the tags' names in running text are left alone.
func StripInjected(text string) string {
	if !strings.Contains(text, "</") {
		return text
	}
	for _, tag := range injectedTags {
		if closing := "</" + tag + ">"; strings.Contains(text, closing) {
			text = cutBlocks(text, "<"+tag, closing)
		}
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
