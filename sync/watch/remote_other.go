//go:build !linux

package watch

// remote says why a folder must be polled; here nobody can tell.
func remote(string) error { return nil }

// folderBudget bounds the folders that are watched. kqueue keeps every file of a
// watched folder open, so a large vault is polled beyond this many folders.
func folderBudget() int { return 512 }
