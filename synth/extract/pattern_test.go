package extract

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// Every expression that is given to Lazy as it stands can be compiled.
func TestPatterns(t *testing.T) {
	found := 0
	for _, dir := range []string{".", ".."} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			file, err := parser.ParseFile(gotoken.NewFileSet(), name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || len(call.Args) != 1 {
					return true
				}
				called := ""
				switch f := call.Fun.(type) {
				case *ast.Ident:
					called = f.Name
				case *ast.SelectorExpr:
					called = f.Sel.Name
				}
				if lit, ok := call.Args[0].(*ast.BasicLit); ok && called == "Lazy" {
					expression, err := strconv.Unquote(lit.Value)
					if err != nil {
						t.Fatal(err)
					}
					if _, err := regexp.Compile(expression); err != nil {
						t.Errorf("%s: %v", name, err)
					}
					found++
				}
				return true
			})
		}
	}
	for _, c := range append(append([]cue{}, cues...), moods...) {
		c.re.MatchString("I am here")
	}
	if found < 20 {
		t.Errorf("only %d expressions were found", found)
	}
}
