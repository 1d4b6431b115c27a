// Package synth distils transcripts into memory: session summaries, facts,
// topics, the profile and the boot index.
//
// Each kind of page is the work of one pass. A pass reads a view of the vault
// and returns pages; it writes nothing itself. The Runner checks what a pass
// made, writes it and makes it one commit, so that every change of memory is a
// diff that a person can read and take back. What a person wrote stays: edits of
// generated pages are merged, and what they deleted is not made again.
//
// Without a model the passes extract: they choose among what the person said
// and add no word of their own (package extract). The same vault gives the same
// bytes.
package synth
