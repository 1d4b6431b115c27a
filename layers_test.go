package memsync_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/memsync/memsync/"

// below says which rooms of ours a room may import; itself is always allowed.
// It is the picture of the house, and this test keeps it true.
var below = map[string][]string{
	"vault":     nil,
	"templates": nil,
	"testdata":  nil,
	"index":     {"vault"},
	"sync":      {"vault"},
	"synth":     {"vault", "templates"},
	"cmd":       {"vault", "templates", "testdata", "index", "sync", "synth"},
}

// only says which rooms may import a library. Each has one room that knows it.
var only = map[string]string{
	"github.com/go-git/go-git/v5":        "vault/history",
	"github.com/philippgille/chromem-go": "index",
	"modernc.org/sqlite":                 "index",
	"github.com/spf13/cobra":             "cmd",
	"github.com/fsnotify/fsnotify":       "sync",
	"github.com/modelcontextprotocol":    "cmd/internal",
	"github.com/anthropics":              "synth",
	"github.com/schollz/progressbar/v3":  "cmd/internal/output",
	"github.com/rogpeppe/go-internal":    "cmd",
	"github.com/adrg/frontmatter":        "vault",
}

type goPackage struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
}

func TestLayers(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,TestImports,XTestImports", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	d := json.NewDecoder(strings.NewReader(string(out)))
	seen := 0
	for {
		var p goPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		from, inside := strings.CutPrefix(p.ImportPath, module)
		if !inside {
			continue // the root holds nothing but this test
		}
		seen++
		room := roomOf(from)
		if _, known := below[room]; !known {
			t.Errorf("%s is a room that the design does not name", room)
		}
		for _, to := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			if to, ours := strings.CutPrefix(to, module); ours {
				if roomOf(to) != room && !slices.Contains(below[room], roomOf(to)) {
					t.Errorf("%s imports %s: arrows point down", from, to)
				}
				if strings.HasPrefix(to, "cmd/internal") && room != "cmd" {
					t.Errorf("%s imports %s", from, to)
				}
				continue
			}
			for library, owner := range only {
				if !slices.Contains(p.Imports, to) && slices.Contains(below[room], owner) {
					continue // a test above may tamper with what a room below keeps
				}
				if (to == library || strings.HasPrefix(to, library+"/")) && from != owner && !strings.HasPrefix(from, owner+"/") {
					t.Errorf("%s imports %s, which only %s knows", from, to, owner)
				}
			}
		}
	}
	if seen < len(below) {
		t.Errorf("go list found %d packages", seen)
	}
}

func roomOf(path string) string {
	room, _, _ := strings.Cut(path, "/")
	return room
}

// outside are the ways to look at the clock and the environment, or to end the
// process. Only cmd may: everywhere else they are arguments, so that a test can
// say what they are.
var outside = map[string][]string{
	"os":   {"Getenv", "LookupEnv", "Environ", "Exit"},
	"time": {"Now"},
}

func TestOnlyCmdLooksOutside(t *testing.T) {
	files := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); path == "cmd" || name == "testdata" || name != "." && strings.HasPrefix(name, ".") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		places := token.NewFileSet()
		f, err := parser.ParseFile(places, path, nil, 0)
		if err != nil || f.Name.Name == "main" {
			return err
		}
		files++
		ast.Inspect(f, func(n ast.Node) bool {
			if use, ok := n.(*ast.SelectorExpr); ok {
				if from, ok := use.X.(*ast.Ident); ok && slices.Contains(outside[from.Name], use.Sel.Name) {
					t.Errorf("%s: %s.%s belongs in cmd", places.Position(use.Pos()), from.Name, use.Sel.Name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 50 {
		t.Errorf("only %d files were looked at", files)
	}
}
