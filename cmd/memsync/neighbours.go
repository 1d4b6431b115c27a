package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/memsync/memsync/cmd/internal/config"
)

// neighbours notices what could be taken for this program or for the vault in
// dir: another tool's .memsync folder, another memsync on the PATH, a vault
// further up.
func (a *app) neighbours(dir string) []string {
	var notices []string
	home, _ := a.env("HOME")
	for _, at := range []string{dir, home} {
		foreign := filepath.Join(at, ".memsync")
		if info, err := os.Stat(foreign); at != "" && err == nil && info.IsDir() {
			notices = append(notices, fmt.Sprintf("%s belongs to another program called memsync; it is left alone", foreign))
		}
	}
	if other := a.otherBinary(); other != "" {
		notices = append(notices, fmt.Sprintf("the command memsync runs %s, which is another file than this program", other))
	}
	for up := filepath.Dir(dir); up != filepath.Dir(up); up = filepath.Dir(up) {
		if _, err := os.Stat(filepath.Join(up, config.FileName)); err == nil {
			notices = append(notices, fmt.Sprintf("the folder lies inside the vault %s; its notes belong to both", up))
			break
		}
	}
	return notices
}

// otherBinary is the first memsync on the PATH, when it is not this program.
func (a *app) otherBinary() string {
	self, err := os.Executable()
	if err != nil {
		return ""
	}
	me, err := os.Stat(self)
	if err != nil {
		return ""
	}
	path, _ := a.env("PATH")
	for _, folder := range filepath.SplitList(path) {
		for _, name := range []string{"memsync", "memsync.exe"} {
			there := filepath.Join(folder, name)
			info, err := os.Stat(there)
			if err != nil || info.IsDir() || folder == "" {
				continue
			}
			if os.SameFile(me, info) {
				return ""
			}
			return there
		}
	}
	return ""
}
