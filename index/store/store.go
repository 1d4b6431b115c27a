// Package store says what the index keeps and what it asks of the place that
// keeps it.
//
// A store holds four things about each note, and changes them in one
// transaction: its row in the manifest, its chunks, the terms by which keywords
// find them, and their vectors. So a reader sees a note as it was or as it is,
// never its words without its meaning, whatever happens to the machine between.
//
// All of it can be built again from the vault: a store is a cache, and its
// owner throws it away when in doubt. What is dear is the vectors of a model
// that has to be asked over a network; they are kept once more in a VectorCache,
// by what they are computed from, and outlive the store.
//
// The package is contract only. Package sqlite keeps it in a file, storetest is
// the suite that every implementation passes.
package store

import (
	"context"
	"errors"
)

// ErrDamaged is wrapped by errors of a store whose content cannot be trusted:
// torn, cut short, or not ours. The cure is to open it again, which moves what
// is there aside, and to fill it from the vault.
var ErrDamaged = errors.New("the index is damaged")

// A Note is a row of the manifest.
type Note struct {
	// Row is the store's own number, never used twice.
	Row int64
	// Path, Hash, Size and MTime (nanoseconds since 1970) say which file, with
	// which content, was indexed.
	Path  string
	Hash  string
	Size  int64
	MTime int64
	// ID, Type, Title, Source, Domain, Tags and Aliases are the note's front
	// matter. Conversation and Provider say where a transcript comes from.
	ID, Type, Title, Source, Domain string
	Conversation, Provider          string
	Tags, Aliases                   []string
	// Created and Updated are Unix seconds, 0 where unknown.
	Created, Updated int64
	// Problem says why the front matter could not be read, "" where it could.
	Problem string
	// First and Count say which chunk rows are the note's.
	First int64
	Count int
}

// Flags of a chunk.
const (
	Superseded uint8 = 1 << iota
	Pinned
	Branch
	Assistant
	Question
	Directive
	Preference
	Personal
)

// A Chunk is one thing that search can find.
type Chunk struct {
	Row  int64
	Note int64
	// Kind is a chunk.Kind.
	Kind uint8
	// Start, End and Line are where it stands in the file.
	Start, End, Line int
	Heading          string
	// Turn is the turn's or claim's block id, Ordinal the turn's place among the
	// note's units, Part the chunk's among those of one long turn.
	Turn    string
	Ordinal int
	Part    int
	// Message is the provider's id of the turn.
	Message string
	Speaker string
	// Time is Unix seconds, 0 where unknown.
	Time int64
	// Label is a claim's kind, and of a rendering the path of the transcript.
	Label string
	// Text is what is shown and embedded.
	Text string
	// Terms are what keywords match, joined by spaces; Len is their number. A
	// store takes them and does not give them back.
	Terms string
	Len   int

	Flags                uint8
	Importance, Salience uint8
	// Vector is packed (see package vector); nil where it is not known yet.
	Vector []byte
}

// A Put is a note with its chunks, in the order of the file. It replaces the
// note with the same path.
type Put struct {
	Note   Note
	Chunks []Chunk
}

// A Batch is a set of changes that become visible together.
type Batch struct {
	// Remove are paths of notes that are gone.
	Remove []string
	Put    []Put
	// Touch are notes whose content stayed and whose Size or MTime changed.
	Touch []Note
	// Model names the space of the vectors in Put.
	Model Model
}

// A Model names an embedding space; Dim is 0 while it is not known.
type Model struct {
	Name string
	Dim  int
}

// A Record is what ranking needs of a chunk, kept in memory for all chunks.
type Record struct {
	Chunk, Note          uint32
	Len                  uint32
	Ordinal              int32
	Time                 int64
	Speaker              uint32
	Flags, Kind          uint8
	Importance, Salience uint8
}

// A Segment is a run of records in the order of their rows. A note's records
// lie in one segment, next to each other; segments follow each other in the
// order of rows.
type Segment struct {
	Row int64
	// Rev changes whenever the segment's records or vectors do.
	Rev     int64
	Records []Record
	// Vectors holds one packed vector a record, in the model that was asked for;
	// nil where none is known.
	Vectors []byte
}

// A Posting says that a term occurs TF times in a chunk.
type Posting struct {
	Chunk uint32
	TF    int32
}

// A Filter selects notes; its zero value selects all.
type Filter struct {
	Types, Sources, Domains []string
	// Tags selects notes with any of these tags or of tags below them.
	Tags []string
}

// A Stamp identifies what a reader sees: it changes with every transaction.
type Stamp struct {
	Generation int64
	Notes      int
	Chunks     int
	// Model is the space of the vectors that searches use.
	Model Model
	// Walked is what Store.Walked kept with this generation, 0 for nothing.
	Walked uint64
}

// A Reader sees the store as it was at one moment.
type Reader interface {
	Stamp() Stamp
	// Segments returns all segments with their vectors in a model. A segment
	// that the caller has with the same Rev comes back without its content.
	Segments(ctx context.Context, m Model, have map[int64]int64) ([]Segment, error)
	// Speakers returns the names behind Record.Speaker.
	Speakers(ctx context.Context) ([]string, error)
	// Postings returns the chunks that hold a term, in the order of their rows.
	Postings(ctx context.Context, term string) ([]Posting, error)
	// Chunks returns chunks by row, in the order asked; rows that are not there
	// are left out.
	Chunks(ctx context.Context, rows []int64) ([]Chunk, error)
	// Notes returns notes by row, likewise.
	Notes(ctx context.Context, rows []int64) ([]Note, error)
	// Find returns the notes with this id or path.
	Find(ctx context.Context, id string) ([]Note, error)
	// Named returns the chunks that are claims with this block id or turns with
	// this message id.
	Named(ctx context.Context, id string) ([]Chunk, error)
	// Select returns the rows of the notes that pass a filter.
	Select(ctx context.Context, f Filter) ([]int64, error)
	// Manifest calls yield for each note in the order of paths, with Row, Path,
	// Hash, Size and MTime.
	Manifest(ctx context.Context, yield func(Note) error) error
	// Problems returns the notes whose front matter could not be read.
	Problems(ctx context.Context) ([]Note, error)
	// Pending returns up to limit chunks that have no vector in a model, and how
	// many there are.
	Pending(ctx context.Context, m Model, limit int) ([]Chunk, int, error)
}

// A Store keeps the index. It may be used by several goroutines; readers do not
// wait for writers.
type Store interface {
	// View calls fn with a reader that is valid until fn returns.
	View(ctx context.Context, fn func(Reader) error) error
	// Apply makes a batch visible, whole or not at all.
	Apply(ctx context.Context, b Batch) error
	// SetVectors adds vectors of a model by chunk row, in one transaction. Rows
	// that are gone are passed over.
	SetVectors(ctx context.Context, m Model, vectors map[int64][]byte) error
	// UseModel makes a model the one that searches use, and forgets the vectors
	// of all others.
	UseModel(ctx context.Context, m Model) error
	// Walked keeps a number with a generation, which stays what it is; nothing
	// where the store is no longer at it. The next change forgets it.
	Walked(ctx context.Context, generation int64, sum uint64) error
	// Check reads everything and reports what is not as it should be.
	Check(ctx context.Context) error
	Close() error
}

// A Key names what a vector was computed from: a hash of model, dimension,
// purpose and text.
type Key [16]byte

// A VectorCache keeps packed vectors by what they were computed from.
type VectorCache interface {
	// Get returns the vectors that are known, nil for those that are not.
	Get(ctx context.Context, dim int, keys []Key) ([][]byte, error)
	// Put keeps vectors of one dimension.
	Put(ctx context.Context, dim int, keys []Key, vectors [][]byte) error
	Close() error
}
