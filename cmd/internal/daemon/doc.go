// Package daemon keeps one vault, its index and its history in step for as long
// as the machine is on, and answers the commands of other processes meanwhile.
//
// A Daemon holds the vault's lock. It follows the vault with a watch.Watcher,
// brings the index in step after every change, and commits what the person
// edited once they let go of it. Everything else that wants to write the vault
// asks it over a Unix socket: a command sends its arguments, and the daemon runs
// the very function that the command would have run, with its open index, and
// sends back what it prints. So there is one writer, one set of commands, and
// one output.
//
// Nothing that it keeps is needed to start again. It may be killed at any moment;
// the next one recovers what a pass had begun, and finds by looking what it
// missed. It starts no processes, and its queues, clients, watched folders and
// retries are bounded.
//
// What it is doing stands in a file in the vault's state folder (State) that is
// written anew every few seconds: a daemon that hangs is seen by its old beat.
package daemon
