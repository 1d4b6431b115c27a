package daemon

import "io/fs"

// mine reports whether a file belongs to the user of this process; the folders
// that sockets lie in are below the user's own here.
func mine(fs.FileInfo) bool { return true }
