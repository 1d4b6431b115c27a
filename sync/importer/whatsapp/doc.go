// Package whatsapp reads chats that WhatsApp exported as text.
//
// The export has no specification. A phone writes each message as a header
// (date, time, sender) and the text, in the phone's language, calendar and
// clock, and iOS and Android differ. So nothing here is a list of formats.
// A header is recognised by its grammar (scan.go): date fields in any order,
// a time, words around it, a bracket or a dash. What the grammar cannot know,
// which of the fields is the month or which of two unknown words means
// afternoon, the whole file decides: a first reading (survey.go) counts what
// each reading of the headers would mean and keeps the one under which time
// runs forward. A second reading (read.go) emits the messages.
//
// The same whole view separates headers from quotes. People paste messages
// into messages, and a pasted header looks like any other. It is taken for text
// where its shape is not the file's, or where time jumps back and returns.
// Nothing is glued silently: each such line is a Warning with its number.
//
// Two laws hold for every input: nothing panics, and the raw bytes of the
// preamble and of the messages, put together, are the file.
//
// What it will not do: read media, invent a year or a time zone, or know that
// two names are the same person.
package whatsapp
