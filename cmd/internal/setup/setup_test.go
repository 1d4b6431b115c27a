package setup

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"

	"github.com/memsync/memsync/cmd/internal/setup/jsonc"
)

// place is a home with nothing in it.
func place(t testing.TB) Place {
	home := t.TempDir()
	return Place{
		Home: home, Config: filepath.Join(home, ".config"), State: filepath.Join(home, "state"), System: "linux",
		Env: func(string) (string, bool) { return "", false },
	}
}

var (
	run   = Program{Path: "/opt/bin/memsync", Vault: "/home/ana/my memory"}
	pages = []Page{{"MEMORY.md", "# Memory\n\nAna. [[memory/oven|Oven]]\n"}, {"memory/oven.md", "# Oven\n\nIt bakes.\n"}}
)

func write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// files are all files of a home with what is in them.
func files(t testing.TB, p Place) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(p.Home, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(name, p.State) {
			return err
		}
		text, err := os.ReadFile(name)
		all[strings.TrimPrefix(name, p.Home+"/")] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func install(t testing.TB, p Place, name string, pages []Page) []Change {
	t.Helper()
	h, ok := Find(name)
	if !ok {
		t.Fatalf("no host %s", name)
	}
	changes, err := Install(h, p, run, pages)
	if err == nil {
		err = Apply(p, changes)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return changes
}

func uninstall(t testing.TB, p Place, name string) {
	t.Helper()
	h, _ := Find(name)
	changes, err := Uninstall(h, p, run)
	if err == nil {
		err = Apply(p, changes)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// settled is what people have in these files before memsync comes.
var settled = map[string]string{
	".claude.json":                       `{"numStartups":3,"mcpServers":{"github":{"type":"http","url":"https://x"}},"projects":{"/a":{}}}`,
	".claude/settings.json":              "{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"SessionStart\": [\n      {\n        \"hooks\": [\n          { \"type\": \"command\", \"command\": \"date\" }\n        ]\n      }\n    ]\n  }\n}\n",
	".codex/config.toml":                 "# mine\nmodel = \"gpt-5\" # the large one\n\n[mcp_servers.docs]\ncommand = \"npx\"\nargs = [\n  \"-y\",\n  \"[docs]\",\n]\n\n[mcp_servers.docs.env]\nA = '''\n[mcp_servers.memsync]\n'''\n",
	".codex/hooks.json":                  "{}",
	".cursor/mcp.json":                   "{\n\t\"mcpServers\": {\n\t\t\"a\": {\"command\": \"a\"}, // keep\n\t}\n}",
	".cursor/hooks.json":                 "{\"version\":1,\"hooks\":{\"sessionStart\":[{\"command\":\"date\"}]}}",
	".gemini/settings.json":              "{\r\n  \"theme\": \"GitHub\" // dark\r\n}\r\n",
	".config/opencode/opencode.jsonc":    "{\n  // mine\n  \"instructions\": [\"AGENTS.md\"],\n}\n",
	".config/Code/User/mcp.json":         "{\n\t\"servers\": {},\n\t\"inputs\": []\n}",
	".openclaw/openclaw.json":            "{\n  agents: { defaults: { workspace: '~/claw', }, },\n}\n",
	"claw/MEMORY.md":                     "# What I know\n\n- Ana likes tea.",
	"claw/memory/2025-09-01.md":          "a log\n",
	".config/Code/User/prompts/own.md":   "mine\n",
	".config/opencode/unrelated.txt":     "",
	".claude/commands/memsync.md":        "mine too\n",
	".openclaw/workspace/memory/oven.md": "not this workspace\n",
}

func TestThereAndBackAgain(t *testing.T) {
	for _, h := range Hosts() {
		for name, before := range map[string]map[string]string{"settled": settled, "new": {}, "empty files": emptied(settled)} {
			p := place(t)
			for file, text := range before {
				write(t, filepath.Join(p.Home, file), text)
			}
			was := files(t, p)
			install(t, p, h.Name, pages)
			set := files(t, p)
			if cmp.Equal(was, set) {
				t.Errorf("%s, %s: nothing is set up", h.Name, name)
			}
			for file, text := range set {
				sound(t, file, text)
			}
			for _, c := range install(t, p, h.Name, pages) {
				if c.Changed() {
					t.Errorf("%s, %s: set up twice, %s is %s", h.Name, name, c.Path, c.Action())
				}
			}
			uninstall(t, p, h.Name)
			if diff := cmp.Diff(was, files(t, p)); diff != "" {
				t.Errorf("%s, %s: there and back: %s", h.Name, name, diff)
			}
			if _, err := os.Stat(receiptsFile(p.State)); err == nil {
				t.Errorf("%s, %s: receipts are left", h.Name, name)
			}
			uninstall(t, p, h.Name)
			if diff := cmp.Diff(was, files(t, p)); diff != "" {
				t.Errorf("%s, %s: taken back twice: %s", h.Name, name, diff)
			}
		}
	}
}

func emptied(files map[string]string) map[string]string {
	all := map[string]string{}
	for name := range files {
		if strings.Contains(name, "json") || strings.HasSuffix(name, "toml") {
			all[name] = ""
		}
	}
	return all
}

// sound checks that a file can be read, has no nulls where lists or objects are
// wanted, and names the program by its whole path.
func sound(t *testing.T, file, text string) {
	t.Helper()
	switch {
	case strings.HasSuffix(file, ".toml"):
		var all map[string]any
		if err := toml.Unmarshal([]byte(text), &all); err != nil {
			t.Errorf("%s: %v\n%s", file, err, text)
		}
	case strings.Contains(file, ".json") && text != "":
		root, err := jsonc.Parse([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v\n%s", file, err, text)
		}
		if strings.Contains(text, "null") {
			t.Errorf("%s: null in %s", file, text)
		}
		if hooks := root.Get("hooks"); hooks != nil && hooks.Kind != jsonc.Object {
			t.Errorf("%s: hooks in %s", file, text)
		}
	}
}

// What each host gets, as docs/agents.md says.
func TestShapes(t *testing.T) {
	p := place(t)
	for _, h := range Hosts() {
		install(t, p, h.Name, pages)
	}
	got := files(t, p)
	const args = `"args": ["mcp", "--vault", "/home/ana/my memory"]`
	const hook = `/opt/bin/memsync hook %s --vault '/home/ana/my memory'`
	start, compact, end := strings.Replace(hook, "%s", "session-start", 1), strings.Replace(hook, "%s", "pre-compact", 1), strings.Replace(hook, "%s", "session-end", 1)
	group := func(matcher, command, timeout string) string {
		if matcher != "" {
			matcher = "\n        \"matcher\": \"" + matcher + "\","
		}
		return "[\n      {" + matcher + "\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"" + command + "\",\n            \"timeout\": " + timeout + "\n          }\n        ]\n      }\n    ]"
	}
	claudeHooks := func(last string) string {
		return "{\n  \"hooks\": {\n    \"SessionStart\": " + group(starts, start, "10") + ",\n    \"PreCompact\": " + group("", compact, "10") + ",\n    \"SessionEnd\": " + group("", end, last) + "\n  }\n}\n"
	}
	for file, want := range map[string]string{
		".claude.json":                       "{\n  \"mcpServers\": {\n    \"memsync\": {\n      \"type\": \"stdio\",\n      \"command\": \"/opt/bin/memsync\",\n      " + args + "\n    }\n  }\n}\n",
		".claude/settings.json":              claudeHooks("10"),
		".codex/hooks.json":                  claudeHooks("3"),
		".codex/config.toml":                 "[mcp_servers.memsync]\ncommand = \"/opt/bin/memsync\"\nargs = [\"mcp\", \"--vault\", \"/home/ana/my memory\"]\n",
		".cursor/mcp.json":                   "{\n  \"mcpServers\": {\n    \"memsync\": {\n      \"command\": \"/opt/bin/memsync\",\n      " + args + "\n    }\n  }\n}\n",
		".cursor/hooks.json":                 "{\n  \"version\": 1,\n  \"hooks\": {\n    \"sessionStart\": [\n      {\n        \"command\": \"" + start + " --host cursor\",\n        \"timeout\": 10\n      }\n    ]\n  }\n}\n",
		".gemini/settings.json":              "{\n  \"mcpServers\": {\n    \"memsync\": {\n      \"command\": \"/opt/bin/memsync\",\n      " + args + "\n    }\n  },\n  \"hooks\": {\n    \"SessionStart\": " + group("", start, "10000") + "\n  }\n}\n",
		".config/opencode/opencode.json":     "{\n  \"$schema\": \"https://opencode.ai/config.json\",\n  \"mcp\": {\n    \"memsync\": {\n      \"type\": \"local\",\n      \"command\": [\"/opt/bin/memsync\", \"mcp\", \"--vault\", \"/home/ana/my memory\"],\n      \"enabled\": true\n    }\n  },\n  \"instructions\": [\n    \"" + p.Config + "/opencode/memsync.md\"\n  ]\n}\n",
		".config/Code/User/mcp.json":         "{\n  \"servers\": {\n    \"memsync\": {\n      \"type\": \"stdio\",\n      \"command\": \"/opt/bin/memsync\",\n      " + args + "\n    }\n  }\n}\n",
		".openclaw/openclaw.json":            "{\n  \"mcp\": {\n    \"servers\": {\n      \"memsync\": {\n        \"command\": \"/opt/bin/memsync\",\n        " + args + "\n      }\n    }\n  }\n}\n",
		".openclaw/workspace/MEMORY.md":      blockBegin + "\n# Memory\n\nAna. [[memory/oven|Oven]]\n" + blockEnd + "\n",
		".openclaw/workspace/memory/oven.md": ownMark + "\n\n# Oven\n\nIt bakes.\n",
	} {
		if diff := cmp.Diff(want, got[file]); diff != "" {
			t.Errorf("%s: %s", file, diff)
		}
	}
}

// After others have written to the files, and without receipts, what is ours is
// found and nothing else is touched.
func TestUninstallAfterEdits(t *testing.T) {
	p := place(t)
	install(t, p, "claude-code", nil)
	install(t, p, "codex", nil)
	edit := func(file, old, new string) {
		name := filepath.Join(p.Home, file)
		text, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(text, []byte(old)) {
			t.Fatalf("%s: %v\n%s", file, err, text)
		}
		write(t, name, strings.Replace(string(text), old, new, 1))
	}
	edit(".claude.json", "{\n  \"mcpServers\": {\n", "{\n  \"theme\": \"dark\",\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\"},\n")
	// Somebody put a hook of theirs beside ours, and one into our group.
	edit(".claude/settings.json", "    \"PreCompact\": [\n      {", "    \"PreCompact\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"theirs\"}]},\n      {")
	edit(".claude/settings.json", "\"timeout\": 10\n          }\n", "\"timeout\": 10\n          },\n          {\"type\": \"command\", \"command\": \"date\"}\n")
	edit(".codex/config.toml", "args = ", "# the vault\nargs = ")
	edit(".codex/config.toml", "memory\"]\n", "memory\"]\n\n# of b\n[b]\nx = 1\n")
	if err := os.Remove(receiptsFile(p.State)); err != nil {
		t.Fatal(err)
	}
	uninstall(t, p, "claude-code")
	uninstall(t, p, "codex")
	got := files(t, p)
	for file, want := range map[string]string{
		".claude.json":          "{\n  \"theme\": \"dark\",\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\"}\n  }\n}\n",
		".claude/settings.json": "{\n  \"hooks\": {\n    \"SessionStart\": [\n      {\n        \"matcher\": \"startup|resume|clear|compact\",\n        \"hooks\": [\n          {\"type\": \"command\", \"command\": \"date\"}\n        ]\n      }\n    ],\n    \"PreCompact\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"theirs\"}]}\n    ]\n  }\n}\n",
		".codex/config.toml":    "\n# of b\n[b]\nx = 1\n",
		".codex/hooks.json":     "{}\n",
	} {
		if diff := cmp.Diff(want, got[file]); diff != "" {
			t.Errorf("%s: %s", file, diff)
		}
	}
}

// A new version of the program, or another vault, takes the place of the old.
func TestSetUpAnew(t *testing.T) {
	p := place(t)
	install(t, p, "claude-code", nil)
	h, _ := Find("claude-code")
	moved := Program{Path: "/usr/bin/memsync", Vault: "/v"}
	changes, err := Install(h, p, moved, nil)
	if err == nil {
		err = Apply(p, changes)
	}
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range files(t, p) {
		if strings.Contains(text, "/opt/bin") || !strings.Contains(text, "/usr/bin/memsync") {
			t.Errorf("%s: %s", file, text)
		}
	}
	uninstall(t, p, "claude-code")
	if left := files(t, p); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func TestFilesThatCannotBeReadAreLeftAlone(t *testing.T) {
	for name, one := range map[string]struct{ host, file, text, want string }{
		"half a file":       {"claude-code", ".claude/settings.json", "{\n  \"hooks\": {", ".claude/settings.json:2: it cannot be read: the file ends where a name should be; nothing is changed"},
		"null":              {"claude-code", ".claude/settings.json", `{"hooks": null}`, ".claude/settings.json:1: hooks is not an object; nothing is changed"},
		"a string":          {"cursor", ".cursor/hooks.json", "{\n\"hooks\": {\n\"sessionStart\": \"x\"}}", ".cursor/hooks.json:3: hooks.sessionStart is not a list; nothing is changed"},
		"another memsync":   {"claude-code", ".claude.json", `{"mcpServers":{"memsync":{"command":"npx","args":["memsync"]}}}`, `.claude.json:1: it has an entry "memsync" that runs something else; nothing is changed`},
		"another in codex":  {"codex", ".codex/config.toml", "[mcp_servers.memsync]\ncommand = \"npx\"\n", `.codex/config.toml: it has a server "memsync" that runs something else; nothing is changed`},
		"bad TOML":          {"codex", ".codex/config.toml", "a = 1\nb = \n", ".codex/config.toml:2: it cannot be read: "},
		"an inline table":   {"codex", ".codex/config.toml", "mcp_servers = {}\n", ".codex/config.toml: a table [mcp_servers.memsync] does not fit into it; nothing is changed"},
		"another's file":    {"opencode", ".config/opencode/memsync.md", "mine\n", ".config/opencode/memsync.md: it was there before and is not memsync's; nothing is changed"},
		"a mark that stays": {"openclaw", ".openclaw/workspace/MEMORY.md", blockBegin + "\n", ".openclaw/workspace/MEMORY.md: one of memsync's marks stands in it alone; nothing is changed"},
	} {
		p := place(t)
		write(t, filepath.Join(p.Home, one.file), one.text)
		was := files(t, p)
		h, _ := Find(one.host)
		_, err := Install(h, p, run, pages)
		if err == nil || !strings.HasPrefix(strings.TrimPrefix(err.Error(), p.Home+"/"), one.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", name, err, one.want)
		}
		if diff := cmp.Diff(was, files(t, p)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestALinkStaysALinkAndAModeStaysAMode(t *testing.T) {
	p := place(t)
	real := filepath.Join(p.Home, "dotfiles", "settings.json")
	write(t, real, "{\"a\": 1}\n")
	link := filepath.Join(p.Home, ".claude", "settings.json")
	if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Skip(err)
	}
	install(t, p, "claude-code", nil)
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	if info, err := os.Stat(real); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	uninstall(t, p, "claude-code")
	if text, _ := os.ReadFile(real); string(text) != "{\"a\": 1}\n" {
		t.Errorf("there and back: %s", text)
	}
}

func TestAFileThatIsSavedMeanwhileStays(t *testing.T) {
	p := place(t)
	h, _ := Find("cursor")
	changes, err := Install(h, p, run, nil)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(p.Home, ".cursor", "mcp.json")
	write(t, file, "{\"new\": 1}")
	if err := Apply(p, changes); err == nil || !strings.Contains(err.Error(), "just now") {
		t.Errorf("error %v", err)
	}
	if text, _ := os.ReadFile(file); string(text) != "{\"new\": 1}" {
		t.Errorf("it was overwritten: %s", text)
	}
}

// OpenClaw's copies follow the vault, and the agent's own pages stay.
func TestOpenClawFollows(t *testing.T) {
	p := place(t)
	for file, text := range settled {
		write(t, filepath.Join(p.Home, file), text)
	}
	write(t, filepath.Join(p.Home, "claw/memory/tea.md"), "the agent's own\n")
	was := files(t, p)
	install(t, p, "openclaw", append(pages, Page{"memory/tea.md", "# Tea\n"}, Page{"memory/old.md", "# Old\n"}))
	now := []Page{{"MEMORY.md", "# Memory\n\nAna moved.\n"}, {"memory/oven.md", "# Oven\n\nIt broke.\n"}}
	write(t, filepath.Join(p.Home, "claw/MEMORY.md"), files(t, p)["claw/MEMORY.md"]+"\n- Ana likes coffee.\n")
	changes, err := Refresh(p, run, now)
	if err == nil {
		err = Apply(p, changes)
	}
	if err != nil {
		t.Fatal(err)
	}
	got := files(t, p)
	if text := got["claw/MEMORY.md"]; !strings.Contains(text, "Ana moved.") || strings.Contains(text, "[[memory/oven") || !strings.Contains(text, "tea.") || !strings.Contains(text, "coffee.") {
		t.Errorf("MEMORY.md: %s", text)
	}
	if got["claw/memory/oven.md"] != ownMark+"\n\n# Oven\n\nIt broke.\n" || got["claw/memory/tea.md"] != "the agent's own\n" || got["claw/memory/old.md"] != "" {
		t.Errorf("topics: %+v", got)
	}
	uninstall(t, p, "openclaw")
	was["claw/MEMORY.md"] = "# What I know\n\n- Ana likes tea.\n\n- Ana likes coffee.\n"
	if diff := cmp.Diff(was, files(t, p)); diff != "" {
		t.Error(diff)
	}
}

// Whatever stands in a file, setting up and taking back gives the same bytes, or
// nothing is touched.
func FuzzThereAndBack(f *testing.F) {
	for _, text := range settled {
		f.Add(text, "gemini")
		f.Add(text, "codex")
	}
	f.Add("a = [\n[1],\n]\n[x]\n", "codex")
	f.Add("[mcp_servers]\nmemsync = {command='memsync', args=['mcp']}\n", "codex")
	f.Add("{\"hooks\":{\"SessionStart\":[{\"hooks\":[{\"command\":\"memsync hook session-start\"}]}]}}", "gemini")
	f.Fuzz(func(t *testing.T, text, name string) {
		h, ok := Find(name)
		if !ok || strings.Contains(text, "memsync") {
			return
		}
		p := place(t)
		targets, _ := h.targets(p, run, pages)
		for _, one := range targets {
			write(t, one.path(), text)
		}
		was := files(t, p)
		changes, err := Install(h, p, run, pages)
		if err != nil {
			if diff := cmp.Diff(was, files(t, p)); diff != "" {
				t.Fatal(diff)
			}
			return
		}
		if err := Apply(p, changes); err != nil {
			t.Fatal(err)
		}
		set := files(t, p)
		uninstall(t, p, name)
		if diff := cmp.Diff(was, files(t, p)); diff != "" {
			t.Fatalf("by receipt: %s", diff)
		}
		// And without a receipt it says the same.
		for file, text := range set {
			write(t, filepath.Join(p.Home, file), text)
		}
		uninstall(t, p, name)
		for file, text := range files(t, p) {
			if strings.Contains(text, "memsync") {
				t.Fatalf("%s: left behind in %q", file, text)
			}
			if strings.HasSuffix(file, ".toml") {
				var a, b map[string]any
				_, _ = toml.Unmarshal([]byte(was[file]), &a), toml.Unmarshal([]byte(text), &b)
				one, _ := json.Marshal(a)
				other, _ := json.Marshal(b)
				if !bytes.Equal(one, other) {
					t.Fatalf("%s: %s was %s", file, other, one)
				}
			}
		}
	})
}
