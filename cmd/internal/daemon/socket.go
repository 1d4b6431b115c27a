package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"

	"github.com/memsync/memsync/cmd/internal/places"
)

// maxSocketPath is the longest path of a Unix socket: 104 bytes on macOS, with
// the zero at its end; Linux has four more.
const maxSocketPath = 103

// SocketPath chooses where a vault's socket lies: in the runtime folder that the
// system gives each user, else in the vault's state folder, else, where these
// paths are too long, in a folder of the user's below temp. runtime is
// XDG_RUNTIME_DIR, state the vault's state folder.
func SocketPath(runtime, state, temp string, uid int) string {
	name := filepath.Base(state)
	candidates := []string{filepath.Join(state, "daemon.sock")}
	if filepath.IsAbs(runtime) {
		if info, err := os.Stat(runtime); err == nil && info.IsDir() {
			candidates = append([]string{filepath.Join(runtime, "memsync", name+".sock")}, candidates...)
		}
	}
	for _, c := range candidates {
		if len(c) <= maxSocketPath {
			return c
		}
	}
	short := name[max(0, len(name)-8):] // the hash of the vault's path
	return filepath.Join(temp, fmt.Sprintf("memsync-%d", uid), short+".sock")
}

// listen opens the socket. Whoever calls it holds the vault's lock, so a socket
// that is there belongs to a dead process. Its folder is the owner's alone.
func listen(path string) (net.Listener, error) {
	dir := filepath.Dir(path)
	if err := places.MakePrivate(dir); err != nil {
		return nil, err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() || !mine(info) {
		return nil, fmt.Errorf("%s belongs to somebody else", dir)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}
