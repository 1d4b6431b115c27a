package vault

import (
	"bytes"
	"strings"
)

// summaryCallout begins the block of a transcript that holds the provider's own
// summary of the conversation.
const summaryCallout = "> [!summary] Summary by "

// FormatSummary writes a provider's summary as the callout that stands above a
// transcript's turns; nothing for an empty summary.
func FormatSummary(provider, summary string) string {
	summary = strings.TrimSpace(strings.ToValidUTF8(summary, "\uFFFD"))
	if summary == "" {
		return ""
	}
	var b strings.Builder
	b.WriteString(summaryCallout + provider + "\n")
	for line := range strings.Lines(strings.ReplaceAll(summary, "\r", "")) {
		b.WriteString("> " + strings.TrimRight(line, "\n") + "\n")
	}
	b.WriteString("\n")
	return b.String()
}

// Summary is the provider's own summary of the conversation, if it gave one.
func (t *Transcript) Summary() string {
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(t.Body(), "\n"), []byte(summaryCallout))
	if !ok {
		return ""
	}
	var lines []string
	first := true
	for line := range strings.Lines(string(rest)) {
		if first {
			first = false
			continue
		}
		text, quoted := strings.CutPrefix(strings.TrimRight(line, "\n"), ">")
		if !quoted {
			break
		}
		lines = append(lines, strings.TrimPrefix(text, " "))
	}
	return strings.Join(lines, "\n")
}
