// Package llm asks a language model and believes nothing that it says.
//
// A Model completes one request. The providers (packages openai and anthropic)
// each make one HTTP exchange of it and sort what went wrong; a Caller around a
// provider adds what every use needs: a limit on how many requests run at once, a
// time limit each, repetition with growing pauses, ceilings on tokens and cost for
// a run, and a ledger that says what was asked for, what it cost and how long it
// took, and never what was said.
//
// Ask is how a pass talks to a model. It wants JSON of a Schema and gets it: what
// the model wrapped around the JSON is cut off, small slips are mended, and what
// is still not of the schema, or fails the pass's own check, goes back to the
// model with the reason, a few times. An apology, a page of HTML or a text about
// rate limits is never an answer.
//
// Text of transcripts goes into a request as Data, which prints itself between
// two markers that nobody can guess who writes the text. That keeps honest models
// from mistaking it for instructions. It does not bind a model that obeys them
// all the same, so every reply passes the same checks, whatever was asked: what a
// reply can do is limited by what the checks let through.
//
// The package knows no vault, reads no environment, and holds no key but the one
// that it is given.
package llm
