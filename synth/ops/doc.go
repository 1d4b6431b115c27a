// Package ops changes the claims of a memory by operations: create, update,
// supersede, delete and pin. They come from a model, from the assistant itself or
// from a person's file, and none of them is believed.
//
// The Validator proves every quote in the turn that the operation names, white
// space apart, and refuses what must not become memory: a quote that is not
// there, a correction that corrects nothing, an id that nobody knows, a secret,
// a claim that the person removed, words that a program put into a turn. What is
// refused is reported with its reason, and the rest is applied: the ledgers are
// changed in memory, and Result.Edits is what a pass writes and commits.
package ops
