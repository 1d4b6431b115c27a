package importer

import (
	"bytes"
	"path"
	"strings"
)

// beside are the files that lie beside the conversations in an export, by name,
// and what they are. They hold no conversations.
var beside = map[string]string{
	"users.json":                "the list of users of a Claude export",
	"projects.json":             "the list of projects of a Claude export",
	"memories.json":             "the memory of a Claude export",
	"user.json":                 "the account data of a ChatGPT export",
	"user_settings.json":        "the settings of a ChatGPT export",
	"message_feedback.json":     "the feedback of a ChatGPT export",
	"model_comparisons.json":    "the model comparisons of a ChatGPT export",
	"shared_conversations.json": "the list of shared links of a ChatGPT export",
	"group_chats.json":          "the group chats of a ChatGPT export",
	"sora.json":                 "the Sora data of a ChatGPT export",
	"shopping.json":             "the shopping data of a ChatGPT export",
	"export_manifest.json":      "the table of contents of a ChatGPT export",
	"chat.html":                 "the readable copy of a ChatGPT export",
	"report.html":               "the readable summary of a ChatGPT export",
}

// whatItIs says what a file is that no format took, as far as that can be told.
// known says that it is an ordinary companion of an export.
func whatItIs(name string, head []byte) (text string, known bool) {
	if text, ok := beside[strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))]; ok {
		return "is " + text, true
	}
	trimmed := bytes.TrimSpace(head)
	if len(trimmed) == 0 {
		return "is empty", false
	}
	if !IsText(head) {
		return "is not text", false
	}
	lower := bytes.ToLower(trimmed[:min(len(trimmed), 200)])
	if bytes.HasPrefix(lower, []byte("<!doctype html")) || bytes.HasPrefix(lower, []byte("<html")) {
		return "is a web page, not an export", false
	}
	s := ShapeOf(head)
	switch {
	case bytes.Equal(trimmed, []byte("[]")):
		return "is an empty list: it holds no conversations", false
	case s.Broken && len(s.Keys) == 0:
		return "begins like JSON but cannot be read as such", false
	case !s.JSON:
		return "is a text that no format recognises", false
	case s.Has("role", "content"):
		return "is a bare list of messages (role and content): it has no conversations with ids and times", false
	case s.Has("title", "titleUrl", "time"):
		return "is an activity list of Google Takeout, which memsync does not read", false
	case s.Has("isSidechain", "agentId"), s.Has("isSidechain", "sessionId"):
		return "is the log of a subagent, not of a person's session", true
	case s.Has("email_address"), s.Has("full_name", "uuid"):
		return "is a list of users, not of conversations", false
	case s.Has("prompt_template"), s.Has("docs", "is_private"):
		return "is a list of projects, not of conversations", false
	case s.Has("title", "create_time"):
		return "has titles and times of conversations but none of their messages", false
	case s.Has("uuid", "created_at"):
		return "has names and times of conversations but none of their messages", false
	case s.List && s.Entries > 0 && len(s.Keys) == 0:
		return "is a list of values, not of conversations", false
	}
	return "is JSON, but not a list of conversations", false
}
