package setup

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/memsync/memsync/cmd/internal/setup/jsonc"
)

// OpenClaw reads MEMORY.md of its workspace when a session begins, and searches
// memory/*.md there. It follows no links out of the workspace, so the pages are
// copied: MEMORY.md as a part of the file in which OpenClaw keeps notes of its
// own, each topic as a file beside its daily logs. Links from one to the other
// then lead somewhere.

// A Page is what is copied: MEMORY.md, or a topic.
type Page struct {
	// Name is the file's, below the workspace: MEMORY.md, memory/running.md.
	Name string
	Text string
}

const overview = "MEMORY.md"

func openClaw(p Place, run Program, pages []Page) ([]target, error) {
	settings := p.env("OPENCLAW_CONFIG_PATH", ".openclaw", "openclaw.json")
	workspace := openClawWorkspace(p, settings)
	all := []target{
		jsonFile{settings, "{}\n", []add{serverAt(run.server(false), "mcp", "servers")}},
	}
	return append(all, openClawPages(workspace, pages)...), nil
}

// openClawPages are the copies, and those of topics that are no more.
func openClawPages(workspace string, pages []Page) []target {
	all := []target{&copied{block: block{file: filepath.Join(workspace, overview)}}}
	wanted := map[string]bool{}
	for _, page := range pages {
		if page.Name == overview {
			all[0] = block{filepath.Join(workspace, overview), page.Text}
			continue
		}
		file := filepath.Join(workspace, filepath.FromSlash(page.Name))
		if text, _, err := read(resolve(file)); err == nil && len(text) > 0 && !strings.Contains(string(text), ownMark) {
			continue // the agent has a page of this name itself
		}
		wanted[file] = true
		all = append(all, ownFile{file, ownMark + "\n\n" + strings.TrimLeft(page.Text, "\n")})
	}
	old, err := filepath.Glob(filepath.Join(workspace, "memory", "*.md"))
	if err != nil { // only for a bad pattern
		return all
	}
	for _, file := range old {
		if wanted[file] {
			continue
		}
		if text, _, err := read(file); err == nil && strings.HasPrefix(string(text), ownMark) {
			all = append(all, &copied{gone: file})
		}
	}
	return all
}

// copied is a copy that nothing replaces: it is taken out.
type copied struct {
	block
	gone string
}

func (c *copied) path() string {
	if c.gone != "" {
		return c.gone
	}
	return c.block.path()
}

func (c *copied) put([]byte) ([]jsonc.Insert, error) { return nil, nil }

func (c *copied) cut(text []byte) ([]byte, error) {
	if c.gone != "" {
		return nil, nil
	}
	return c.block.cut(text)
}

// openClawWorkspace is where OpenClaw's agent lives, as its settings say.
func openClawWorkspace(p Place, settings string) string {
	folder := filepath.Join(p.Home, ".openclaw", "workspace")
	text, _, err := read(settings)
	if err != nil || len(text) == 0 {
		return folder
	}
	root, err := jsonc.Parse(text)
	if err != nil {
		return folder // planning the change of it says so
	}
	if v := root.Get("agents", "defaults", "workspace"); v != nil && v.Kind == jsonc.String {
		named := v.Text
		if rest, ok := strings.CutPrefix(named, "~"); ok {
			named = p.Home + rest
		}
		if filepath.IsAbs(named) {
			return filepath.Clean(named)
		}
	}
	return folder
}

// Refresh plans what brings the copies in OpenClaw's workspace up to date.
func Refresh(p Place, run Program, pages []Page) ([]Change, error) {
	h, _ := Find("openclaw")
	settings := p.env("OPENCLAW_CONFIG_PATH", ".openclaw", "openclaw.json")
	workspace := openClawWorkspace(p, settings)
	if _, err := os.Stat(workspace); err != nil {
		return nil, nil
	}
	h.targets = func(Place, Program, []Page) ([]target, error) { return openClawPages(workspace, pages), nil }
	return plan(h, p, run, pages, true)
}
