package sqlite

// applicationID marks our files ("msyn"), schemaVersion what is in them. A file
// with another version is not read: building it again costs seconds. It also rises
// with what the index writes into the same columns, such as a new flag.
const (
	applicationID = 0x6d73796e
	schemaVersion = 3
)

// schema is made in one transaction.
//
// Chunk rows of a note are consecutive and are never used again, so a note names
// its chunks by the first and their number. Keywords are found through FTS5,
// which keeps no text: it gets the terms that the index made. Its ranking is not
// used either, since ranking wants the whole conversation: the postings of a
// term are read through fts5vocab.
//
// A segment's row is the first chunk row that it ever held, so the segment of a
// chunk is the last one whose row is not greater.
const schema = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE notes (
	row INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, hash TEXT NOT NULL, size INTEGER NOT NULL, mtime INTEGER NOT NULL,
	id TEXT NOT NULL, type TEXT NOT NULL, title TEXT NOT NULL, source TEXT NOT NULL, domain TEXT NOT NULL,
	conversation TEXT NOT NULL, provider TEXT NOT NULL, tags TEXT NOT NULL, aliases TEXT NOT NULL,
	created INTEGER NOT NULL, updated INTEGER NOT NULL, problem TEXT NOT NULL,
	first INTEGER NOT NULL, count INTEGER NOT NULL);
CREATE INDEX notes_id ON notes (id);
CREATE INDEX notes_problem ON notes (path) WHERE problem <> '';
CREATE TABLE chunks (
	row INTEGER PRIMARY KEY, note INTEGER NOT NULL, kind INTEGER NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL,
	line INTEGER NOT NULL, heading TEXT NOT NULL, turn TEXT NOT NULL, ordinal INTEGER NOT NULL, part INTEGER NOT NULL,
	message TEXT NOT NULL, speaker INTEGER NOT NULL, time INTEGER NOT NULL, label TEXT NOT NULL, text TEXT NOT NULL,
	len INTEGER NOT NULL, flags INTEGER NOT NULL, importance INTEGER NOT NULL, salience INTEGER NOT NULL);
CREATE TABLE speakers (row INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE segments (row INTEGER PRIMARY KEY, rev INTEGER NOT NULL, records BLOB NOT NULL);
CREATE TABLE models (row INTEGER PRIMARY KEY, name TEXT NOT NULL, dim INTEGER NOT NULL, UNIQUE (name, dim));
CREATE TABLE vectors (
	model INTEGER NOT NULL, segment INTEGER NOT NULL, missing INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (model, segment));
CREATE VIRTUAL TABLE terms USING fts5 (words, content='', contentless_delete=1,
	tokenize="unicode61 remove_diacritics 0 tokenchars '_' categories 'L* M* N* Co'");
CREATE VIRTUAL TABLE postings USING fts5vocab (terms, instance);
INSERT INTO speakers VALUES (0, '');
INSERT INTO meta VALUES ('generation', 0), ('model', 0), ('next_chunk', 1), ('next_note', 1), ('next_rev', 1), ('notes', 0), ('chunks', 0);
`
