package sync

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/vault"
)

// A Writer takes the notes of one pass. Its Write is vault.Vault's: atomic, and
// refused where the file is not what old says. It is called from several
// goroutines.
type Writer interface {
	Write(ctx context.Context, p vault.Path, old vault.Hash, data []byte) error
}

// An ImportConfig says how an import goes. The zero value is right for most.
type ImportConfig struct {
	// Guard, where given, sees the turns that are about to be written to a
	// transcript for the first time, in order. It redacts secrets and flags the
	// turns that held some; when it returns, their originals are safe. What it
	// returns are remarks for the person. It is called from several goroutines.
	Guard func(transcript vault.Path, turns []vault.Turn) ([]string, error)
	// Clean, where given, redacts a text that is no turn: a title, a provider's
	// summary.
	Clean func(text string) (string, error)
	// Redact, where given, puts the marks of secrets into a text that is only
	// compared with what the vault has. Nothing is kept of it.
	Redact func(text string) string
	// Forgotten reports whether the person removed the conversation from the
	// vault, so that it is not imported again.
	Forgotten func(source, conversation string) bool
	// Again imports also what the person removed.
	Again bool
	// State is the vault's state folder, where the importer remembers which
	// conversations it brought in; empty means that it does not.
	State string
	// Progress, where given, is called with the number of conversations seen.
	Progress func(conversations int)
	// Now gives the time for the audit record; nil leaves durations out.
	Now func() time.Time
	// Workers bounds the notes that are composed and written at the same time;
	// 0 means 4, which hides the latency of syncing each file to the disk.
	Workers int
}

// A Run is the audit record of the import of one file.
type Run struct {
	Source               string             `json:"source"`
	File                 string             `json:"file"`
	ConversationsNew     int                `json:"conversations_new"`
	ConversationsUpdated int                `json:"conversations_updated"`
	ConversationsSkipped int                `json:"conversations_skipped"`
	ConversationsRemoved int                `json:"conversations_removed,omitempty"` // by the person, and left so
	MessagesNew          int                `json:"messages_new"`
	MessagesRevised      int                `json:"messages_revised,omitempty"` // that came again with other words: both are kept
	MessagesDeleted      int                `json:"messages_deleted,omitempty"` // that were taken back since they came in: they are kept
	BranchMessages       int                `json:"branch_messages"`
	Warnings             []importer.Warning `json:"warnings"`
	Seconds              float64            `json:"seconds,omitempty"`
}

// Changed reports whether the run wrote anything.
func (r Run) Changed() bool { return r.ConversationsNew+r.ConversationsUpdated > 0 }

// An Importer imports files into one vault. It remembers, between files, which
// conversations the vault has.
type Importer struct {
	v     *vault.Vault
	w     Writer
	cfg   ImportConfig
	known map[string]*known // by source
	// holders are filled by the formats that ask for them, by source.
	holders map[string]*holder
	seen    int

	noting   sync.Mutex // held over imported
	imported imported
	gone     [][2]string
}

// NewImporter makes an importer that writes through w.
func NewImporter(v *vault.Vault, w Writer, cfg ImportConfig) *Importer {
	if cfg.Workers <= 0 {
		cfg.Workers = 4
	}
	return &Importer{v: v, w: w, cfg: cfg, known: map[string]*known{}, holders: map[string]*holder{}, imported: readImported(cfg.State)}
}

// Finish remembers what was imported and returns the conversations whose
// transcripts the person deleted, as source and id, so that the caller can note
// that they are not to come back. It is called once, before the commit.
func (im *Importer) Finish() (removed [][2]string, err error) {
	return im.gone, im.imported.write(im.cfg.State)
}

// note says that the vault has a conversation: one that it has not yet, since its
// transcript could not be written, would look later as if the person had removed
// it.
func (im *Importer) note(source, id string) {
	im.noting.Lock()
	defer im.noting.Unlock()
	im.imported.add(source, id)
}

func (im *Importer) noted(source, id string) bool {
	im.noting.Lock()
	defer im.noting.Unlock()
	return im.imported.has(source, id)
}

// removed reports whether the person deleted the conversation's transcript.
func (im *Importer) removed(source, id string) bool {
	switch {
	case im.cfg.Again:
		return false
	case im.cfg.Forgotten != nil && im.cfg.Forgotten(source, id):
		return true
	case im.noted(source, id):
		im.gone = append(im.gone, [2]string{source, id})
		return true
	}
	return false
}

// Import reads one file and writes a transcript for each conversation that is
// new or has grown. The run says what was done also when an error ended it: what
// was written stays, and the next import goes on from there.
func (im *Importer) Import(ctx context.Context, in importer.Input, f importer.Format) (Run, error) {
	run := Run{Source: f.Source(), File: in.Name, Warnings: []importer.Warning{}}
	if im.cfg.Now != nil {
		start := im.cfg.Now()
		defer func() { run.Seconds = im.cfg.Now().Sub(start).Seconds() }()
	}
	work, wctx := errgroup.WithContext(ctx)
	work.SetLimit(im.cfg.Workers)
	results := make(chan outcome)
	collected := make(chan struct{})
	go func() {
		defer close(collected)
		for o := range results {
			o.addTo(&run)
		}
	}()
	pending := map[string]chan struct{}{} // conversations being written, by id
	emit := func(c importer.Conversation) error {
		if err := wctx.Err(); err != nil {
			return err
		}
		job, o, err := im.plan(wctx, c, in.Name, f)
		if err != nil {
			return err
		}
		im.seen++
		if im.cfg.Progress != nil {
			im.cfg.Progress(im.seen)
		}
		if job == nil {
			results <- o
			return nil
		}
		// An export may hold a conversation twice: the later waits.
		before := pending[c.ID]
		done := make(chan struct{})
		pending[c.ID] = done
		work.Go(func() error {
			defer close(done)
			if before != nil {
				<-before
			}
			o, err := job()
			results <- o
			return err
		})
		return nil
	}
	var warnings []importer.Warning
	readErr := f.Read(wctx, in, emit, func(w importer.Warning) { warnings = append(warnings, w) })
	err := work.Wait()
	close(results)
	<-collected
	run.Warnings = append(run.Warnings, warnings...)
	switch {
	case ctx.Err() != nil:
		err = ctx.Err()
	case err == nil:
		err = readErr
	case readErr != nil && !errors.Is(readErr, context.Canceled):
		err = errors.Join(readErr, err)
	}
	return run, err
}

// An outcome is what became of one conversation.
type outcome struct {
	added, updated, skipped, removed int
	messages, branchMessages         int
	revised, deleted                 int
	warnings                         []importer.Warning
}

func (o outcome) addTo(r *Run) {
	r.ConversationsNew += o.added
	r.ConversationsUpdated += o.updated
	r.ConversationsSkipped += o.skipped
	r.ConversationsRemoved += o.removed
	r.MessagesNew += o.messages
	r.BranchMessages += o.branchMessages
	r.MessagesRevised += o.revised
	r.MessagesDeleted += o.deleted
	r.Warnings = append(r.Warnings, o.warnings...)
}

func (o *outcome) count(turns []vault.Turn) {
	o.messages = len(turns)
	for _, t := range turns {
		if t.Branch {
			o.branchMessages++
		}
	}
}

// plan decides what is to be done for a conversation. The decision is made in
// the order of the file, so that names are given out the same way each time;
// the job that it returns may run beside others. No job means nothing to do.
func (im *Importer) plan(ctx context.Context, c importer.Conversation, file string, f importer.Format) (func() (outcome, error), outcome, error) {
	skip := outcome{skipped: 1}
	k := im.known[c.Source]
	if k == nil {
		var err error
		if k, err = readKnown(ctx, im.v, c.Source); err != nil {
			return nil, skip, err
		}
		im.known[c.Source] = k
	}
	if len(c.Turns) == 0 {
		return nil, skip, nil
	}
	prepare(&c)
	heard := im.heard(c, f)
	updated := c.Updated.Property()
	if old, exists := k.byConversation[c.ID]; exists {
		if im.v.Exists(old.path) { // or it is about to be written
			im.note(c.Source, c.ID)
		}
		if old.updated != "" && updated != "" && !newer(updated, old.updated) && heard {
			return nil, skip, nil
		}
		if old.updated == "" || newer(updated, old.updated) {
			k.byConversation[c.ID] = knownTranscript{old.path, updated}
		}
		return func() (outcome, error) { return im.grow(ctx, old.path, c, file, f) }, skip, nil
	}
	if im.removed(c.Source, c.ID) {
		return nil, outcome{removed: 1}, nil
	}
	if err := im.clean(&c); err != nil {
		return nil, skip, err
	}
	p := k.place(im.v.Layout(), c, transcriptID(c))
	k.byConversation[c.ID] = knownTranscript{p, updated}
	return func() (outcome, error) {
		languages := tagLanguages(c.Turns, "")
		warnings, err := im.guard(p, c.Turns, file)
		if err != nil {
			return outcome{}, err
		}
		o := outcome{added: 1, warnings: warnings}
		o.count(c.Turns)
		if err := im.w.Write(ctx, p, vault.NoFile, newTranscript(c, languages)); err != nil {
			return o, err
		}
		im.note(c.Source, c.ID)
		return o, nil
	}, skip, nil
}

// newer compares two stamps as front matter writes them. Where one of them has
// no seconds, a time in the same minute may be newer.
func newer(a, b string) bool {
	x, errA := vault.ParseStamp(a)
	y, errB := vault.ParseStamp(b)
	if errA != nil || errB != nil {
		return a != b
	}
	if x.Minutes != y.Minutes && sameMinute(x, y) {
		return true
	}
	return x.Time.After(y.Time)
}

func sameMinute(a, b vault.Stamp) bool {
	return a.Time.Truncate(time.Minute).Equal(b.Time.Truncate(time.Minute))
}

// grow adds what is new to a transcript that the vault has.
func (im *Importer) grow(ctx context.Context, p vault.Path, c importer.Conversation, file string, f importer.Format) (outcome, error) {
	n, err := im.v.Note(p)
	if err != nil {
		return outcome{}, err
	}
	before := n.Bytes()
	t := vault.ParseTranscript(n)
	g := im.compare(t, c, f)
	main := ""
	if l := n.List("languages"); len(l) > 0 {
		main = l[0]
	}
	tagLanguages(g.added, main)
	warnings, err := im.guard(p, g.added, file)
	if err != nil {
		return outcome{}, err
	}
	next, err := grown(t, c, g.added)
	if err != nil {
		// The person's front matter cannot be edited safely: theirs stays.
		w := importer.Warning{File: file, Text: fmt.Sprintf("conversation %s was not brought up to date: %v", c.ID, err)}
		return outcome{skipped: 1, warnings: []importer.Warning{w}}, nil
	}
	if bytes.Equal(next, before) {
		return outcome{skipped: 1, deleted: g.deleted}, nil
	}
	o := outcome{updated: 1, revised: g.revised, deleted: g.deleted, warnings: warnings}
	o.count(g.added[:len(g.added)-g.revised])
	return o, im.w.Write(ctx, p, vault.HashOf(before), next)
}

// A matcher says for each of the newer turns of a conversation which of the older
// ones it is, -1 for none. Formats whose message ids are derived and not given
// are one.
type matcher interface {
	Match(older, newer []vault.Turn) []int
}

// heard reports whether a conversation that goes no further than its transcript
// need not be compared with it. A provider that dates conversations dates edits
// too. A chat is only as new as its last message, so there every message must be
// known, and none be edited.
func (im *Importer) heard(c importer.Conversation, f importer.Format) bool {
	h := im.holders[c.Source]
	if h == nil {
		return true
	}
	known := true
	if _, derived := f.(matcher); derived {
		known = h.has(c.ID, c.Turns)
	}
	h.add(c.ID, c.Turns)
	return known
}

// guard lets the caller redact turns that are new.
func (im *Importer) guard(p vault.Path, turns []vault.Turn, file string) ([]importer.Warning, error) {
	if im.cfg.Guard == nil || len(turns) == 0 {
		return nil, nil
	}
	remarks, err := im.cfg.Guard(p, turns)
	var warnings []importer.Warning
	for _, text := range remarks {
		warnings = append(warnings, importer.Warning{File: file, Text: text})
	}
	return warnings, err
}

// clean redacts a conversation's title, of which its file's name is made, and
// the provider's summary.
func (im *Importer) clean(c *importer.Conversation) (err error) {
	c.Title = title(*c)
	if im.cfg.Clean == nil {
		return nil
	}
	if c.Title, err = im.cfg.Clean(c.Title); err != nil {
		return err
	}
	c.Summary, err = im.cfg.Clean(c.Summary)
	return err
}
