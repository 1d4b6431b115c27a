// Package pack puts together what an assistant should have before it, for one
// message and within a budget of tokens.
//
// A pack does not stuff in everything that is similar. The message has an intent
// (to plan, reflect, recall, decide, or to be nudged), and each intent has its own
// sections, always the same ones in the same order, so that a model can rely on
// where to look: the profile, what is pinned, what the person lives by, what
// happened, what holds, and the very words where precision matters.
//
// The laws that tests hold for any message and budget:
//
//   - No section, and no pack, is longer than its cap by one token of o200k.
//   - The same vault, message and time give the same bytes.
//   - Nothing that was superseded, and no secret, is ever in it.
//   - Everything in it has an id with which more can be asked for, and what did
//     not fit is counted.
//
// Claims and sessions are read from the vault when the pack is made, and the
// index only says which: a line that the person deleted a moment ago is not in
// the pack, in step or not. A request for a secret gives a refusal and no pack.
package pack
