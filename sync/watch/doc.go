// Package watch follows a vault on disk while people and programs write to it.
//
// A Watcher says when to look; it never says what changed. An event of the file
// system is only a hint: events are lost when a queue overflows, when a folder is
// made and filled before it can be watched, on network disks, in sleep. So every
// hint leads to the same thing, one call of a reconcile that walks the vault,
// compares and applies. Starting up is a hint, an overflow is, and so is every
// minute that goes by. Doing it twice changes nothing.
//
// Edits makes commits of what the person edited, once they let go of it. It
// writes as them and never against them: it waits while git is busy or they
// prepare a commit, leaves alone what they took back with git reset, holds back
// a note with a secret in it, and remembers the claims they deleted, so that no
// pass learns them again.
//
// The package knows nothing of the index, of sockets or of processes.
package watch
