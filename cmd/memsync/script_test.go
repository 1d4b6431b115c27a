package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"memsync": main})
}

// The scripts in testdata/script are the specification of the command line:
// each reads like a session at a terminal.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setup,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
			"until": until,

			"endpoint": endpoint,
			"mail":     mail,
			"talks":    talks,
		},
	})
}

// setup gives each script a home of its own and a person in git, so that nothing
// of the machine it runs on is seen or changed.
func setup(env *testscript.Env) error {
	home := filepath.Join(env.WorkDir, "home")
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	for name, v := range map[string]string{
		"HOME": home, "USERPROFILE": home,
		"XDG_CONFIG_HOME": "", "XDG_CACHE_HOME": "", "XDG_STATE_HOME": "", "XDG_DATA_HOME": "",
		"MEMSYNC_VAULT": "", "NO_COLOR": "1", "TZ": "UTC", "LANG": "C.UTF-8",
		"GORACE":              "atexit_sleep_ms=0", // else each process waits a second at its end, under the race detector
		"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": filepath.Join(home, ".gitconfig"),
	} {
		env.Setenv(name, v)
	}
	exports := filepath.Join(env.WorkDir, "exports")
	if err := os.CopyFS(exports, os.DirFS(filepath.Join("testdata", "exports"))); err != nil {
		return err
	}
	env.Setenv("EXPORTS", exports)
	model := newChatServer()
	env.Defer(model.Close)
	env.Setenv("LLM", model.URL)
	vectors := newEmbeddingServer()
	env.Defer(vectors.Close)
	env.Setenv("EMBEDDINGS", vectors.URL+"/v1")
	env.Values["embeddings"] = vectors
	letters := newMailbox()
	env.Defer(letters.Close)
	env.Setenv("BATCHES", letters.URL)
	env.Values["mailbox"] = letters
	person := "[user]\n\tname = Ana\n\temail = ana@example.org\n[init]\n\tdefaultBranch = main\n"
	return os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(person), 0o600)
}

// exits N command args... runs a command that must end with status N.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits N command args...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("%s exits %d, want %d", args[1], got, want)
	}
}
