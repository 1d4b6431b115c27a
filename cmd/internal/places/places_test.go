package places

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func environment(pairs map[string]string) Env {
	return func(name string) (string, bool) { v, ok := pairs[name]; return v, ok }
}

func TestFind(t *testing.T) {
	home := filepath.Join(t.TempDir(), "ana")
	cache := filepath.Join(t.TempDir(), "fast")
	for _, test := range []struct {
		name string
		env  map[string]string
		want Places
	}{
		{"defaults below home", map[string]string{"HOME": home}, Places{
			Home:   home,
			Config: filepath.Join(home, ".config", "memsync"),
			Cache:  filepath.Join(home, ".cache", "memsync"),
			State:  filepath.Join(home, ".local", "state", "memsync"),
			Data:   filepath.Join(home, ".local", "share", "memsync"),
		}},
		{"a variable moves its place; a relative one is ignored", map[string]string{
			"HOME": home, "XDG_CACHE_HOME": cache, "XDG_STATE_HOME": "state",
		}, Places{
			Home:   home,
			Config: filepath.Join(home, ".config", "memsync"),
			Cache:  filepath.Join(cache, "memsync"),
			State:  filepath.Join(home, ".local", "state", "memsync"),
			Data:   filepath.Join(home, ".local", "share", "memsync"),
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := Find(environment(test.env))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	if _, err := Find(environment(nil)); err == nil {
		t.Error("without a home folder: no error")
	}
}

func TestFolderName(t *testing.T) {
	a, b := FolderName("/home/ana/notes"), FolderName("/home/ben/notes")
	if a == b {
		t.Errorf("two vaults share the folder %s", a)
	}
	if a != FolderName("/home/ana/notes/") {
		t.Error("a trailing slash makes another folder")
	}
	for _, dir := range []string{"/home/ana/notes", "/x/Meine Notizen", "/x/..hidden", "/x/a:b*c", "/"} {
		if got := FolderName(dir); !regexp.MustCompile(`^[\pL\pN._-]*-[0-9a-f]{8}$`).MatchString(got) || got[0] == '.' {
			t.Errorf("FolderName(%q) = %q", dir, got)
		}
	}
}

func TestMakeIsForTheOwnerAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows keeps no mode bits")
	}
	base := t.TempDir()
	v := Places{Cache: filepath.Join(base, "c"), State: filepath.Join(base, "s"), Data: filepath.Join(base, "d")}.Vault("/home/ana/notes")
	if err := os.MkdirAll(v.Cache, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := v.Make(); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{v.Cache, v.State, v.Data} {
		info, err := os.Stat(dir)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o700 {
			t.Errorf("%s has mode %v", dir, info.Mode())
		}
	}
}
