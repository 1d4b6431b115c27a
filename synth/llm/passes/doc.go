// Package passes asks a language model for what the synthesis passes write:
// summaries, verdicts on near-duplicates, the card, topics, USER.md, epochs, memory
// operations and English renderings.
//
// Each function takes plain values and returns plain values; it reads no vault and
// writes none. What it returns was checked as far as text alone can be: it is of
// the schema, every item names a turn, claim or session that was handed in, names
// and numbers stand in what is named, the caps in tokens hold, nothing is an
// apology, an error or a leaked marker, and nothing is a secret. A pass still puts
// its pages through the gates and its operations through the validator.
//
// What a model says without proof is dropped, item by item; where nothing is left,
// the model is asked again with the reason, and in the end the error wraps
// llm.ErrAnswer. Then, and on every other error, the pass writes what it would
// have written without a model, or leaves the work queued.
package passes
