// Package history keeps the vault's past in a git repository.
//
// Every pass of memsync is one commit that a person can read, compare and take
// back with their own git. The repository is the person's: they commit, rebase
// and stage in it, from the command line or from Obsidian, while memsync works.
// So the package keeps to these rules:
//
//   - A commit holds the named files and nothing else. It is built from the tree
//     of HEAD with those files replaced, never from the index, so neither a
//     staged nor a dirty file of the person is swept in.
//   - A file is committed with the bytes its writer vouches for. When the disk
//     holds something else by then, because the person saved, it is left out and
//     reported (LeftOut).
//   - git's locks are honoured and taken: index.lock around every commit, HEAD.lock
//     and the branch's lock around moving it, which is a compare and swap. In the
//     middle of a merge or rebase nothing is committed.
//   - Objects are on disk before the branch names them, and a commit that dies at
//     any step leaves the repository at the old commit or at the new one. What a
//     dead process left behind is recognised and cleared by the next commit.
//   - Of the index only the entries of committed files change. Every other byte of
//     it is kept, and an index that cannot be read faithfully is not written.
//
// What go-git does well, reading objects, packs and configuration, is left to it;
// this is the only package that imports it. Its way of committing is not used: it
// takes no lock, looks at every file, and writes the index with less in it than
// it read.
//
// One race cannot be closed from outside git: `git rebase` notes where the branch
// is some milliseconds before it shows in .git that it has begun. A commit made in
// between is on a branch that the rebase then cannot move, and that its --abort
// takes back; the commit stays in the reflog. Two git commands have the same race.
// Commit looks once more after it moved the branch and yields if it sees a rebase.
//
// No process is started: hooks do not run, commits are not signed, and a file
// that an external filter would have to clean (git-lfs, git-crypt) is left out.
// No remote is ever spoken to. Times and identities are arguments.
package history
