package setup

import (
	"path/filepath"
	"strings"

	"github.com/memsync/memsync/cmd/internal/setup/jsonc"
	"github.com/memsync/memsync/templates"
)

// A Host is a program with assistants in it.
type Host struct {
	// Name is the word on the command line, Title what people call it.
	Name, Title string
	// Next is what the person does for it to take effect.
	Next    string
	targets func(p Place, run Program, pages []Page) ([]target, error)
}

// Hosts lists those that are known. docs/agents.md says where each keeps what.
func Hosts() []Host {
	return []Host{
		{"claude-code", "Claude Code", "start a new session; /mcp and /hooks show what is set up", claudeCode},
		{"codex", "Codex", "start a new session; Codex asks once whether the hooks may run (/hooks)", codex},
		{"cursor", "Cursor", "restart Cursor; Settings, MCP shows the server", cursor},
		{"gemini", "Gemini CLI", "start a new session; /mcp shows the server", gemini},
		{"opencode", "opencode", "start a new session", opencode},
		{"vscode", "VS Code", "run MCP: List Servers once and start memsync", vsCode},
		{"openclaw", "OpenClaw", "openclaw gateway restart", openClaw},
	}
}

// mcp is the command line of the server, without the program.
func (r Program) mcp() []string { return []string{"mcp", "--vault", r.Vault} }

// hook is the command line of a hook, as a shell takes it.
func (r Program) hook(event string, more ...string) string {
	words := append([]string{r.Path, "hook", event, "--vault", r.Vault}, more...)
	for i, w := range words {
		words[i] = shellWord(w)
	}
	return strings.Join(words, " ")
}

// shellWord quotes a word where a shell would take it apart.
func shellWord(w string) string {
	if w != "" && strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:@%=") == "" {
		return w
	}
	if strings.Contains(w, `\`) { // a path of Windows: its shells know no other quotes
		return `"` + w + `"`
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// server is the entry that most hosts take.
func (r Program) server(typed bool) jsonc.Fields {
	f := jsonc.Fields{{Name: "command", Value: r.Path}, {Name: "args", Value: r.mcp()}}
	if typed {
		f = append(jsonc.Fields{{Name: "type", Value: "stdio"}}, f...)
	}
	return f
}

func serverAt(value any, names ...string) add {
	return add{names: append(names, "memsync"), value: value, mine: ourServer}
}

// hookAt is a hook in the shape of Claude Code, which Codex and Gemini CLI took
// over. timeout is in the host's unit.
func hookAt(event, matcher, command string, timeout int) add {
	group := jsonc.Fields{}
	if matcher != "" {
		group = append(group, jsonc.Field{Name: "matcher", Value: matcher})
	}
	group = append(group, jsonc.Field{Name: "hooks", Value: []any{jsonc.Fields{
		{Name: "type", Value: "command"}, {Name: "command", Value: command}, {Name: "timeout", Value: timeout},
	}}})
	return add{names: []string{"hooks", event}, value: group, item: true, mine: ourGroup}
}

// starts are the ways in which a session begins.
const starts = "startup|resume|clear|compact"

func claudeCode(p Place, run Program, _ []Page) ([]target, error) {
	folder, own := p.env("CLAUDE_CONFIG_DIR", ".claude"), filepath.Join(p.Home, ".claude.json")
	if folder != filepath.Join(p.Home, ".claude") {
		own = filepath.Join(folder, ".claude.json")
	}
	return []target{
		jsonFile{own, "{}\n", []add{serverAt(run.server(true), "mcpServers")}},
		jsonFile{filepath.Join(folder, "settings.json"), "{}\n", []add{
			hookAt("SessionStart", starts, run.hook("session-start"), 10),
			hookAt("PreCompact", "", run.hook("pre-compact"), 10),
			hookAt("SessionEnd", "", run.hook("session-end"), 10),
		}},
	}, nil
}

func codex(p Place, run Program, _ []Page) ([]target, error) {
	folder := p.env("CODEX_HOME", ".codex")
	return []target{
		tomlFile{filepath.Join(folder, "config.toml"), run},
		jsonFile{filepath.Join(folder, "hooks.json"), "{}\n", []add{
			hookAt("SessionStart", starts, run.hook("session-start"), 10),
			hookAt("PreCompact", "", run.hook("pre-compact"), 10),
			hookAt("SessionEnd", "", run.hook("session-end"), 3), // Codex allows no more
		}},
	}, nil
}

func cursor(p Place, run Program, _ []Page) ([]target, error) {
	folder := filepath.Join(p.Home, ".cursor")
	start := jsonc.Fields{{Name: "command", Value: run.hook("session-start", "--host", "cursor")}, {Name: "timeout", Value: 10}}
	return []target{
		jsonFile{filepath.Join(folder, "mcp.json"), "{}\n", []add{serverAt(run.server(false), "mcpServers")}},
		jsonFile{filepath.Join(folder, "hooks.json"), "{\n  \"version\": 1\n}\n", []add{
			{names: []string{"hooks", "sessionStart"}, value: start, item: true, mine: ourHook},
		}},
	}, nil
}

func gemini(p Place, run Program, _ []Page) ([]target, error) {
	return []target{jsonFile{filepath.Join(p.Home, ".gemini", "settings.json"), "{}\n", []add{
		serverAt(run.server(false), "mcpServers"),
		hookAt("SessionStart", "", run.hook("session-start"), 10_000), // milliseconds
	}}}, nil
}

func opencode(p Place, run Program, _ []Page) ([]target, error) {
	folder := filepath.Join(p.Config, "opencode")
	own := filepath.Join(folder, "memsync.md")
	entry := jsonc.Fields{
		{Name: "type", Value: "local"}, {Name: "command", Value: append([]string{run.Path}, run.mcp()...)}, {Name: "enabled", Value: true},
	}
	settings := firstThere(filepath.Join(folder, "opencode.json"), filepath.Join(folder, "opencode.jsonc"))
	return []target{
		jsonFile{settings, "{\n  \"$schema\": \"https://opencode.ai/config.json\"\n}\n", []add{
			serverAt(entry, "mcp"),
			{names: []string{"instructions"}, value: own, item: true, mine: func(v *jsonc.Node) bool { return v.Kind == jsonc.String && v.Text == own }},
		}},
		ownFile{own, ownMark + "\n\n" + templates.AgentInstructions},
	}, nil
}

func vsCode(p Place, run Program, _ []Page) ([]target, error) {
	user := filepath.Join(p.Config, "Code", "User")
	switch p.System {
	case "darwin":
		user = filepath.Join(p.Home, "Library", "Application Support", "Code", "User")
	case "windows":
		user = filepath.Join(p.env("APPDATA", "AppData", "Roaming"), "Code", "User")
	}
	return []target{
		jsonFile{filepath.Join(user, "mcp.json"), "{}\n", []add{serverAt(run.server(true), "servers")}},
		ownFile{filepath.Join(user, "prompts", "memsync.instructions.md"),
			"---\ndescription: How to use the person's memory\napplyTo: '**'\n---\n" + ownMark + "\n\n" + templates.AgentInstructions},
	}, nil
}

// firstThere is the first file that is there, or the first of all.
func firstThere(names ...string) string {
	for _, n := range names {
		if text, _, err := read(n); err == nil && text != nil {
			return n
		}
	}
	return names[0]
}
