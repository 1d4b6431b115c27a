// Package sync brings sources into a vault and keeps the index in step with it.
//
// Import turns exports of chat histories into transcripts. It is incremental:
// a conversation that the vault knows gets the turns that are new, and nothing
// that stands in the vault is written again. It is resumable: each transcript
// is written whole or not at all, and an interrupted import finds what it has
// already done.
//
// The package knows neither the index nor the models. What it needs of them it
// says in interfaces of its own; cmd knows both sides. Because the name is
// taken by the standard library, importers call it vaultsync.
package sync
