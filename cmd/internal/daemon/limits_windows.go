package daemon

// openFiles is how many files this process may have open; 0 where nothing is known.
func openFiles() uint64 { return 0 }
