package daemon

import "testing"

// What a daemon takes on fits into the files that it may open, with the two dozen
// that it has open itself and four of each command.
func TestBoundsFitTheOpenFiles(t *testing.T) {
	for files := uint64(64); files <= 1<<20; files *= 2 {
		waiting, running := bounds(files)
		if need := waiting + 4*running + 24; waiting < 1 || running < 1 || uint64(need) > files {
			t.Errorf("%d files: %d connections and %d commands need %d", files, waiting, running, need)
		}
	}
	for _, files := range []uint64{0, 1024, 1 << 63} {
		if waiting, running := bounds(files); waiting != maxWaiting || running != maxClients {
			t.Errorf("%d files: %d connections, %d commands", files, waiting, running)
		}
	}
}
