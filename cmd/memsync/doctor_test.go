package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/memsync/memsync/cmd/internal/places"
	"github.com/memsync/memsync/vault"
)

// An illness is what one check finds: how it comes about, and what is said of it.
type illness struct {
	name string
	// make makes it, and returns environment variables that belong to it.
	make func(t *testing.T, dir string, at places.Vault) map[string]string
	// finds is a pattern of what is said, with the name of the check in front.
	finds string
	// broken says that the exit status tells it, mended that --fix mends it.
	broken, mended bool
}

// dead is the id of a process that ended.
func dead(t *testing.T) int {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run", "^$")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}

func matches(pattern, text string) bool {
	return regexp.MustCompile(`(?m)` + pattern).MatchString(text)
}

// put writes a file, and the folders above it.
func put(t *testing.T, text string, mode os.FileMode, elems ...string) {
	t.Helper()
	name := filepath.Join(elems...)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, mode); err != nil { // whatever the umask
		t.Fatal(err)
	}
}

// answering is a server that answers with a status and a body.
func answering(t *testing.T, status int, body string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func chatModelAt(url string) map[string]string {
	return map[string]string{"MEMSYNC_LLM_PROVIDER": "openai", "MEMSYNC_LLM_MODEL": "m1", "MEMSYNC_LLM_BASE_URL": url + "/v1"}
}

func embeddingModelAt(url string) map[string]string {
	return map[string]string{"MEMSYNC_EMBEDDING_PROVIDER": "openai", "MEMSYNC_EMBEDDING_MODEL": "e1", "MEMSYNC_EMBEDDING_BASE_URL": url + "/v1"}
}

// nobody is an address at which nothing listens.
func nobody(t *testing.T) string {
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	return s.URL
}

func illnesses() []illness {
	type env = map[string]string
	holder := func(t *testing.T, at places.Vault, pid int) {
		raw, err := json.Marshal(vault.Holder{PID: pid, What: "watch", Since: time.Now()})
		if err != nil {
			t.Fatal(err)
		}
		put(t, string(raw), 0o600, at.State, "lock.json")
	}
	daemonOf := func(t *testing.T, at places.Vault, pid int, more string) {
		put(t, fmt.Sprintf(`{"pid":%d,"socket":%q,"beat":%q%s}`, pid, filepath.Join(at.State, "daemon.sock"), time.Now().Format(time.RFC3339), more), 0o600, at.State, "daemon.json")
	}
	return []illness{
		{"another program's folder", func(t *testing.T, dir string, _ places.Vault) env {
			put(t, "x", 0o600, dir, ".memsync", "db")
			return nil
		}, "program     note: .*belongs to another program", false, false},
		{"a key that is not set", func(*testing.T, string, places.Vault) env {
			return env{"MEMSYNC_LLM_API_KEY_ENV": "NO_SUCH_KEY"}
		}, "settings    broken: llm.api_key_env names the variable NO_SUCH_KEY", true, false},
		{"an endpoint that nobody trusted", func(t *testing.T, dir string, _ places.Vault) env {
			put(t, "version: 1\nllm:\n  provider: openai\n  model: m\n  base_url: http://127.0.0.1:1/v1\n", 0o600, dir, ".memoryrc")
			return nil
		}, "settings    note: .memoryrc:3 asks to send text", false, false},
		{"an embedding server that is off", func(t *testing.T, _ string, _ places.Vault) env {
			return embeddingModelAt(nobody(t))
		}, "embedding   broken: http://127.0.0.1:.* does not answer .dial tcp .*refused", true, false},
		{"an embedding server that refuses", func(t *testing.T, _ string, _ places.Vault) env {
			return embeddingModelAt(answering(t, 401, `{"error":{"message":"wrong key"}}`))
		}, "embedding   broken: .*wrong key", true, false},
		{"a language model's server that is off", func(t *testing.T, _ string, _ places.Vault) env {
			return chatModelAt(nobody(t))
		}, "llm         broken: http://127.0.0.1:.* does not answer .dial tcp .*refused", true, false},
		{"a language model's server that refuses", func(t *testing.T, _ string, _ places.Vault) env {
			return chatModelAt(answering(t, 403, `{"error":{"message":"wrong key"}}`))
		}, "llm         broken: .* refuses the key: status 403 Forbidden: wrong key", true, false},
		{"a language model that is not there", func(t *testing.T, _ string, _ places.Vault) env {
			return chatModelAt(answering(t, 200, `{"data":[{"id":"m2"},{"id":"m3"}]}`))
		}, "llm         broken: .* answers and has no model m1", true, false},
		{"files that others can read", func(t *testing.T, _ string, at places.Vault) env {
			put(t, "x", 0o644, at.Data, "copied")
			return nil
		}, "privacy     broken: others can read 1 file or folder, first .*copied", true, true},
		{"no repository", func(t *testing.T, dir string, _ places.Vault) env {
			if err := os.RemoveAll(filepath.Join(dir, ".git")); err != nil {
				t.Fatal(err)
			}
			return nil
		}, "history     broken: the vault is no git repository", true, false},
		{"a repository of another kind", func(t *testing.T, dir string, _ places.Vault) env {
			git(t, dir, "config", "core.repositoryformatversion", "1")
			git(t, dir, "config", "extensions.objectformat", "sha256")
			return nil
		}, "history     broken: ", true, false},
		{"a merge under way", func(t *testing.T, dir string, _ places.Vault) env {
			put(t, git(t, dir, "rev-parse", "HEAD")+"\n", 0o600, dir, ".git", "MERGE_HEAD")
			return nil
		}, "history     note: .*merge", false, false},
		{"a run that died", func(t *testing.T, _ string, at places.Vault) env {
			put(t, "", 0o600, at.State, "pass.jsonl")
			return nil
		}, "history     note: a run was interrupted", false, true},
		{"a commit that is not there", func(t *testing.T, dir string, _ places.Vault) env {
			put(t, strings.Repeat("1", 40)+"\n", 0o600, dir, ".git", "refs", "heads", "main")
			return nil
		}, "history     broken: ", true, false},
		{"nobody's name", func(t *testing.T, dir string, _ places.Vault) env { return env{} },
			"history     note: git does not know who you are", false, false},
		{"front matter that does not parse", func(t *testing.T, dir string, _ places.Vault) env {
			put(t, "---\ntitle: [unclosed\n---\n\nText.\n", 0o600, dir, "broken.md")
			return nil
		}, "notes       note: front matter does not parse.*: broken.md", false, false},
		{"a link that leads nowhere", func(t *testing.T, dir string, _ places.Vault) env {
			put(t, "---\ngenerated: true\n---\n\n[[nowhere]]\n", 0o600, dir, "MEMORY.md")
			return nil
		}, "notes       note: links of generated pages that lead nowhere: MEMORY.md to nowhere", false, false},
		{"a note that is a link", func(t *testing.T, dir string, _ places.Vault) env {
			if err := os.Symlink("/etc/hostname", filepath.Join(dir, "link.md")); err != nil {
				t.Skip(err)
			}
			return nil
		}, "notes       note: link.md is left out: it is a symbolic link", false, false},
		{"a daemon that was killed", func(t *testing.T, _ string, at places.Vault) env {
			daemonOf(t, at, dead(t), "")
			return nil
		}, "watch       note: process [0-9]+ ended without a word", false, true},
		{"a daemon that does not answer", func(t *testing.T, _ string, at places.Vault) env {
			holder(t, at, os.Getpid())
			daemonOf(t, at, os.Getpid(), "")
			return nil
		}, "watch       broken: process [0-9]+ holds the vault and does not answer", true, false},
		{"a lock whose process died", func(t *testing.T, _ string, at places.Vault) env {
			holder(t, at, dead(t))
			return nil
		}, "lock        note: process [0-9]+ .* ended without giving the lock back", false, true},
		{"a write that died", func(t *testing.T, dir string, _ places.Vault) env {
			put(t, "half", 0o600, dir, "sessions", ".memsync-1.tmp")
			return nil
		}, "vault       note: 1 temporary file of an interrupted write", false, true},
		{"a unit of another program", func(t *testing.T, dir string, _ places.Vault) env {
			if runtime.GOOS != "linux" {
				t.Skip("knows systemd's place")
			}
			put(t, "[Service]\nExecStart=/gone/memsync watch\n", 0o600, filepath.Dir(dir), ".config", "systemd", "user", "memsync-"+places.FolderName(dir)+".service")
			return nil
		}, "watch       note: .* is not as this program would write it", false, false},
		{"an index that is behind", func(t *testing.T, dir string, _ places.Vault) env {
			put(t, "tea\n", 0o600, dir, "tea.md")
			return nil
		}, "index       note: 1 note behind", false, true},
		{"an index that is damaged", func(t *testing.T, _ string, at places.Vault) env {
			put(t, "garbage", 0o600, at.Cache, "index", "index-1.db")
			return nil
		}, "index       note: the index is damaged: .* is built again", false, false},
	}
}

// Each check finds what it is for, says what to do, tells it by the exit status
// where something is broken, and mends it where that is safe. A vault without any
// of it is well.
func TestDoctorFindsAndMends(t *testing.T) {
	for _, one := range append([]illness{{name: "nothing", make: func(*testing.T, string, places.Vault) map[string]string { return nil }}}, illnesses()...) {
		t.Run(one.name, func(t *testing.T) {
			made, dir := madeVault(t)
			home := filepath.Dir(dir)
			t.Setenv("HOME", home)
			t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(home, ".gitconfig"))
			put(t, "[user]\n\tname = Ana\n\temail = ana@example.org\n", 0o600, home, ".gitconfig")
			at, err := places.Find(made.env)
			if err != nil {
				t.Fatal(err)
			}
			var env map[string]string
			run := func(args ...string) (string, int) {
				a, out, errs := testApp(t, home, dir)
				plain := a.env
				a.now = time.Now
				a.env = func(name string) (string, bool) {
					if v, ok := env[name]; ok {
						return v, true
					}
					return plain(name)
				}
				status := a.run(t.Context(), args)
				return out.String() + errs.String(), status
			}
			if out, status := run("index"); status != exitDone {
				t.Fatal(out)
			}
			if env = one.make(t, dir, at.Vault(dir)); one.name == "nobody's name" {
				if err := os.Remove(filepath.Join(home, ".gitconfig")); err != nil {
					t.Fatal(err)
				}
			}
			out, status := run("doctor")
			want := exitDone
			if one.broken {
				want = exitFailed
			}
			if status != want || one.finds != "" && !matches(one.finds, out) {
				t.Fatalf("exits %d, want %d and %q:\n%s", status, want, one.finds, out)
			}
			if one.finds == "" && matches("(note|broken|fixed): ", out) {
				t.Errorf("something is found in a vault that is well:\n%s", out)
			}
			if !one.mended {
				return
			}
			kind, _, _ := strings.Cut(one.finds, " ")
			if out, status = run("doctor", "--fix"); status != exitDone || !matches("^"+kind+" +fixed: ", out) {
				t.Fatalf("--fix exits %d and mends nothing:\n%s", status, out)
			}
			if out, status = run("doctor"); status != exitDone || matches(one.finds, out) || matches("^"+kind+" +(note|broken|fixed): ", out) {
				t.Errorf("after --fix it exits %d:\n%s", status, out)
			}
		})
	}
}

func TestTooManyFolders(t *testing.T) {
	for _, test := range []struct {
		folders, most int
		want          bool
	}{{100, 8192, false}, {4096, 8192, false}, {4097, 8192, true}, {10, 5, true}} {
		text, try := tooManyFolders(test.folders, test.most)
		if (text != "") != test.want || (try != "") != test.want {
			t.Errorf("%d folders of %d: %q, %q", test.folders, test.most, text, try)
		}
	}
}
