package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

const remote = `embedding:
  provider: openai
  base_url: http://localhost:11434/v1
  model: bge-m3
`

func TestAVaultsEndpointIsIgnoredUntilItsOwnerTrustsIt(t *testing.T) {
	dir, owner := t.TempDir(), filepath.Join(t.TempDir(), "memsync")
	write(t, dir, FileName, remote)
	resolve := func() *Settings {
		t.Helper()
		trust, err := OpenTrust(owner)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Resolve(Sources{Vault: dir, Trusted: trust.Has})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := resolve()
	if s.Embedding.Provider != "builtin" || s.Embedding.BaseURL != "" {
		t.Errorf("untrusted, the vault's endpoint is in use: %+v", s.Embedding)
	}
	if s.Embedding.Model != "bge-m3" {
		t.Error("a harmless key of the vault was dropped as well")
	}
	if len(s.Requests) != 1 || s.Requests[0].Trusted || s.Requests[0].Line != 2 {
		t.Fatalf("requests %+v", s.Requests)
	}

	trust, err := OpenTrust(owner)
	if err != nil {
		t.Fatal(err)
	}
	if err := trust.Add(dir, s.Requests[0]); err != nil {
		t.Fatal(err)
	}
	if s = resolve(); s.Embedding.BaseURL != "http://localhost:11434/v1" || !s.Requests[0].Trusted {
		t.Errorf("trusted, and still ignored: %+v", s.Embedding)
	}
	if info, err := os.Stat(filepath.Join(owner, "trusted")); err != nil {
		t.Error(err)
	} else if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("others may read the list: %v", info.Mode())
	}

	// Another endpoint in the same vault is another request.
	write(t, dir, FileName, strings.Replace(remote, "localhost:11434", "evil.example", 1))
	if s = resolve(); s.Embedding.Provider != "builtin" || s.Requests[0].Trusted {
		t.Errorf("a changed endpoint kept the old one's trust: %+v", s.Embedding)
	}

	write(t, dir, FileName, remote)
	trust, err = OpenTrust(owner)
	if err != nil {
		t.Fatal(err)
	}
	if err := trust.Remove(resolve().Requests[0]); err != nil {
		t.Fatal(err)
	}
	if s = resolve(); s.Requests[0].Trusted {
		t.Error("removed, and still trusted")
	}
}

func TestWhatNeedsTrust(t *testing.T) {
	for _, test := range []struct {
		name, user, vault, env string
		want                   string
	}{
		{"nothing asked", "", "search: {limit: 3}", "", ""},
		{"the vault turns a model off", "llm: {provider: openai}", "llm: {provider: none}", "", ""},
		{"the vault turns one on", "", "llm: {provider: anthropic}", "", "llm"},
		{"the owner turned it on, the vault picks the endpoint", "llm: {provider: openai}", "llm: {base_url: 'https://a.example'}", "", "llm"},
		{"the owner turned it on, the vault picks the key", "llm: {provider: openai}", "llm: {api_key_env: AWS_SECRET}", "", "llm"},
		{"the owner alone", "llm: {provider: openai, base_url: 'https://a.example'}", "llm: {model: m}", "", ""},
		{"the environment decides", "", "llm: {provider: anthropic}", "none", ""},
		{"a database", "", "index: {backend: pgvector, dsn_env: DB}", "", "index"},
		{"another port here", "", "http: {addr: 'localhost:9'}", "", ""},
		{"a port for everybody", "", "http: {addr: ':7583'}", "", "http"},
		{"a token", "", "http: {token_file: /tmp/t}", "", "http"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			user := write(t, dir, "config.yaml", test.user)
			write(t, dir, FileName, test.vault)
			s, err := Resolve(Sources{UserFile: user, Vault: dir, Env: environment(map[string]string{"MEMSYNC_LLM_PROVIDER": test.env})})
			if err != nil {
				t.Fatal(err)
			}
			var sections []string
			for _, r := range s.Requests {
				sections = append(sections, r.Section)
				if r.What == "" || len(r.Keys) == 0 {
					t.Errorf("request %+v", r)
				}
			}
			if got := strings.Join(sections, " "); got != test.want {
				t.Errorf("needs trust: %q, want %q", got, test.want)
			}
		})
	}
}
