package daemon

// bounds are how many connections are taken and how many commands run at the same
// time, in a process that may open so many files: a connection takes one, a command
// some four more, and the vault, the index and the socket themselves about two
// dozen.
func bounds(files uint64) (waiting, running int) {
	if files == 0 {
		return maxWaiting, maxClients
	}
	most := int(min(files, 1<<20))
	return min(max(most/4, 4), maxWaiting), min(max(most/16, 1), maxClients)
}
