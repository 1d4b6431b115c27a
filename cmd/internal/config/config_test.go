package config

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/vault/privacy"
)

const example = "../../../.memoryrc.example"

// write makes a file below a fresh folder and returns its path.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func environment(pairs map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) { v, ok := pairs[name]; return v, ok }
}

func TestTheExampleNamesEveryKeyWithItsDefault(t *testing.T) {
	data, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	values, err := parse(example, LayerVault, data)
	if err != nil {
		t.Fatal(err)
	}
	s, err := stack([]map[string]value{values})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Default(), s.Config); diff != "" {
		t.Errorf("the example's values are not the defaults (-code +example)\n%s", diff)
	}
	for _, name := range Keys() {
		// A key without a value is as good as one with it; a comment is not.
		last := name[strings.LastIndexByte(name, '.')+1:]
		if !strings.Contains(string(data), "\n"+last+":") && !strings.Contains(string(data), "\n  "+last+":") {
			t.Errorf("the example does not name %s", name)
		}
	}
}

// Every field of Config has its key: a field that is added without one could
// never be set.
func TestEveryFieldHasAKey(t *testing.T) {
	var leaves func(reflect.Type) int
	leaves = func(of reflect.Type) int {
		if of.Kind() != reflect.Struct {
			return 1
		}
		n := 0
		for i := range of.NumField() {
			n += leaves(of.Field(i).Type)
		}
		return n
	}
	// The policy is one field with a key for each class.
	classes := len(privacy.Classes()) - 1
	if fields, names := leaves(reflect.TypeFor[Config]())+classes, len(Keys()); fields != names {
		t.Errorf("Config has %d fields and %d keys", fields, names)
	}
}

// What a default prints is what its key accepts.
func TestDefaultsAreValid(t *testing.T) {
	c := Default()
	for _, k := range keys(&c) {
		if word, ok := k.get().(string); ok && word != "" {
			if err := k.set([]string{word}); err != nil {
				t.Errorf("%s: %v", k.name, err)
			}
		}
	}
	if diff := cmp.Diff(Default(), c); diff != "" {
		t.Errorf("setting the defaults changes them (-want +got)\n%s", diff)
	}
}

func TestLaterLayersWin(t *testing.T) {
	dir := t.TempDir()
	user := write(t, dir, "config.yaml", "search:\n  limit: 20\n  mode: keyword\ncommit: off\n")
	write(t, dir, FileName, "# ours\nsearch: {limit: 30}\nreview: gate\nignore: [drafts/, '*.log']\n")
	src := Sources{
		UserFile: user, Vault: dir,
		Env:   environment(map[string]string{"MEMSYNC_REVIEW": "auto", "MEMSYNC_COMMIT_QUIET": "1m"}),
		Flags: []Flag{{Key: "search.limit", Flag: "--limit", Value: "3"}},
	}
	s, err := Resolve(src)
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.Search.Limit, want.Search.Mode, want.Commit = 3, "keyword", "off"
	want.Ignore, want.CommitQuiet = []string{"drafts/", "*.log"}, time.Minute
	if diff := cmp.Diff(want, s.Config); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for name, from := range map[string]string{
		"search.limit": "--limit",
		"search.mode":  user + ":3",
		"review":       "MEMSYNC_REVIEW",
		"ignore":       filepath.Join(dir, FileName) + ":4",
		"llm.model":    "default",
	} {
		one, err := s.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := one.Origin.String(); got != from {
			t.Errorf("%s comes from %s, want %s", name, got, from)
		}
	}
}

func TestWhatIsWrongIsSaidWithItsPlace(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"a slip of the finger", "version: 1\nembeding:\n  modle: x\n", `.memoryrc:2: embeding: no such setting; the nearest is embedding`},
		{"a slip within a section", "embedding:\n  modle: x\n", `.memoryrc:2: embedding.modle: no such setting; the nearest is embedding.model`},
		{"the wrong section", "search:\n  base_url: x\n", `.memoryrc:2: search.base_url: no such setting; the nearest is llm.base_url`},
		{"nothing near", "colour_of_the_sky: blue\n", `.memoryrc:1: colour_of_the_sky: no such setting`},
		{"none of the words", "commit: sometimes\n", `.memoryrc:1: commit: "sometimes" is none of off, quiet, manual`},
		{"not a number", "search:\n  limit: many\n", `.memoryrc:2: search.limit: "many" is not a whole number`},
		{"out of bounds", "search:\n  limit: 0\n", `.memoryrc:2: search.limit: 0 is outside 1 to 1000`},
		{"not a duration", "commit_quiet: 30\n", `.memoryrc:1: commit_quiet: "30" is not a duration such as 30s or 2m`},
		{"twice", "review: auto\nreview: gate\n", `.memoryrc:2: review: already set in line 1`},
		{"a section with a value", "search: 3\n", `.memoryrc:1: search: must hold lines of the form key: value`},
		{"a value with a section", "review:\n  a: b\n", `.memoryrc:1: review: must be one value`},
		{"a list", "- a\n- b\n", `.memoryrc:1: must hold lines of the form key: value`},
		{"no YAML", "review: [\n", `.memoryrc:1: did not find expected node content`},
		{"a root outside", "root: ../elsewhere\n", `.memoryrc:1: root: "../elsewhere" is not a folder inside the vault`},
		{"a newer vault", "version: 2\n", `.memoryrc:1: version: format 2 is newer than this program, which reads up to 1`},
		{"two documents", "review: auto\n---\nreview: gate\n", `.memoryrc:2: only one document may stand in the file`},
		{"the owner's key", "default_vault: /x\n", `.memoryrc:1: default_vault: belongs in your own`},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, FileName, test.text)
			_, err := Resolve(Sources{Vault: dir})
			if err == nil {
				t.Fatal("no error")
			}
			got := strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), "")
			if !strings.HasPrefix(got, test.want) {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestASecretIsNeverRepeated(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, FileName, "llm:\n  api_key_env: sk-proj-abc123\n")
	_, err := Resolve(Sources{Vault: dir})
	if err == nil || strings.Contains(err.Error(), "abc123") {
		t.Errorf("error %v", err)
	}
}

func TestEveryMistakeIsReported(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, FileName, "commit: x\nreview: y\n")
	_, err := Resolve(Sources{Vault: dir})
	if err == nil || len(strings.Split(err.Error(), "\n")) != 2 {
		t.Errorf("error %v", err)
	}
}

func TestEmptyFilesAreValid(t *testing.T) {
	for _, text := range []string{"", "\n", "# nothing\n", "---\n", "llm:\n", "\ufeffversion: 1\n"} {
		dir := t.TempDir()
		write(t, dir, FileName, text)
		s, err := Resolve(Sources{Vault: dir})
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if diff := cmp.Diff(Default(), s.Config); diff != "" {
			t.Errorf("%q (-want +got)\n%s", text, diff)
		}
	}
}

func TestAnUnreadableSettingsFileIsAnError(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, FileName), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Resolve(Sources{Vault: dir}); err == nil {
		t.Error("a folder is read as settings")
	}
	write(t, dir, "config.yaml", strings.Repeat("# long\n", maxFile/7+1))
	var e *Error
	if _, err := Resolve(Sources{UserFile: filepath.Join(dir, "config.yaml")}); !errors.As(err, &e) {
		t.Errorf("error %v", err)
	}
}

func FuzzParse(f *testing.F) {
	if data, err := os.ReadFile(example); err == nil {
		f.Add(data)
	}
	f.Add([]byte("a: &x [*x]\n"))
	f.Add([]byte("llm: &l {provider: none}\nembedding: *l\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		values, err := parse("f", LayerVault, data)
		if err != nil {
			return
		}
		for name := range values {
			if !strings.Contains(strings.Join(Keys(), "\n")+"\n", name+"\n") {
				t.Errorf("the unknown key %q was read without an error", name)
			}
		}
	})
}
