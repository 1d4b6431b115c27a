package whatsapp

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/vault"
)

// Source is the name that --source takes.
const Source = "whatsapp"

// Format reads WhatsApp's text exports. The zero value works.
type Format struct {
	// Sessions says where chats are cut.
	Sessions SessionConfig
	// Known returns the id of the conversation that already holds a message,
	// or an empty string. With it a chat keeps its id also when an export
	// begins later than the one before, as exports of long chats do, and two
	// chats that began with the same words stay two. It may be nil.
	Known func(messageID string) (conversationID string)
}

var _ importer.Format = Format{}

// Match says which of a conversation's turns a transcript has; see the function.
func (Format) Match(older, newer []vault.Turn) []int { return Match(older, newer) }

// Words are what a turn says in any dialect; see the function.
func (Format) Words(t vault.Turn) (string, bool) { return Words(t) }

// Source implements importer.Format.
func (Format) Source() string { return Source }

// Sniff implements importer.Format: a text whose first line, or many of whose
// lines, are headers.
func (Format) Sniff(name string, head []byte) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".txt", "":
	default:
		return false
	}
	named := Title(name) != stem(path.Base(name)) || path.Base(name) == "_chat.txt"
	lines := newLineReader(bytes.NewReader(head))
	headers, senders, texts := 0, 0, 0
	first := false
	for {
		l, err := lines.next()
		if err != nil {
			break
		}
		body := strings.TrimSpace(stripMarks(string(l.body()[:min(len(l.body()), maxHeader)])))
		if body == "" {
			continue
		}
		texts++
		h, ok := scanHeader(body)
		if !ok {
			continue
		}
		headers++
		if h.rest < len(body) && strings.ContainsRune(body[h.rest:], ':') {
			senders++
		}
		first = first || texts == 1
	}
	switch {
	case headers == 0:
		return false
	case named:
		return true
	}
	return senders > 0 && (first || headers >= 3 && headers*3 >= texts)
}

// maxWarnings bounds the warnings about one file.
const maxWarnings = 1000

// Read implements importer.Format. Each session of the chat is a conversation
// of its own, with the id CHAT#2025-08-12-1602 after its first message, so that
// a session that was imported once never changes but for the last.
func (f Format) Read(ctx context.Context, in importer.Input, emit func(importer.Conversation) error, warn func(importer.Warning)) error {
	title := Title(in.Name)
	p, err := f.survey(ctx, in, title)
	if err != nil {
		return err
	}
	if p.total == 0 {
		return fmt.Errorf("%s: no line begins like a message of a WhatsApp export", in.Name)
	}
	warned := 0
	say := func(line int, text string) {
		if warned++; warned <= maxWarnings {
			warn(importer.Warning{File: in.Name, Line: line, Text: text})
		}
	}
	for _, d := range p.doubts {
		say(0, d)
	}
	found, err := f.find(ctx, in, p)
	if err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	file, err := in.Open()
	if err != nil {
		return err
	}
	defer file.Close()
	s := &sessions{format: f, found: found, title: p.bySender(title), emit: emit, warn: say, cutter: NewCutter(f.Sessions), minutes: map[int64]int{}}
	preamble := false
	err = p.messages(withContext(ctx, file), s.add, say, func(raw []byte) {
		if !preamble && len(bytes.TrimSpace(raw)) > 0 {
			say(1, "stands before the first message and was left out")
			preamble = true
		}
	})
	if err == nil {
		err = s.finish()
	}
	if err != nil && s.failed == nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	if warned > maxWarnings {
		warn(importer.Warning{File: in.Name, Text: fmt.Sprintf("and %d more lines of this kind", warned-maxWarnings)})
	}
	return s.failed
}

func (f Format) survey(ctx context.Context, in importer.Input, title string) (*plan, error) {
	file, err := in.Open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	p, err := survey(withContext(ctx, file), title)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.Name, err)
	}
	return p, nil
}

// headMessages is how many messages are looked at to recognise a chat.
const headMessages = 32

// sessions turns messages into conversations.
type sessions struct {
	format  Format
	found   string // the chat of the vault that the file continues
	title   string
	emit    func(importer.Conversation) error
	warn    func(line int, text string)
	failed  error // what emit returned
	ids     identifier
	cutter  *Cutter
	head    []Message
	headIDs []string
	chat    string
	turns   []vault.Turn
	// minutes counts sessions that begin in the same minute.
	minutes map[int64]int
}

func (s *sessions) add(m Message) error {
	id := s.ids.id(&m)
	if !utf8.ValidString(m.Text) || !utf8.ValidString(m.Sender) {
		s.warn(m.Line, "holds bytes that are not UTF-8; they were replaced")
		m.Text, m.Sender = strings.ToValidUTF8(m.Text, "\uFFFD"), strings.ToValidUTF8(m.Sender, "\uFFFD")
	}
	if trimMarks(m.Text) == "" && len(m.Attachments) == 0 {
		s.warn(m.Line, "is a message without text; it was left out")
		return nil
	}
	if s.chat == "" {
		s.head, s.headIDs = append(s.head, m), append(s.headIDs, id)
		if len(s.head) < headMessages {
			return nil
		}
		return s.begin()
	}
	return s.next(m.turn(id))
}

// begin names the chat and passes on what was held back.
func (s *sessions) begin() error {
	s.chat = s.name()
	for i := range s.head {
		if err := s.next(s.head[i].turn(s.headIDs[i])); err != nil {
			return err
		}
	}
	s.head, s.headIDs = nil, nil
	return nil
}

// name is the chat's id: the one under which the vault has it, or one from its
// first message.
func (s *sessions) name() string {
	if s.found != "" {
		return s.found
	}
	own := chatID(s.head, "")
	if s.format.Known != nil {
		for _, id := range s.headIDs {
			if strings.HasPrefix(s.format.Known(id), own+"#") {
				// Another chat began with the same words.
				return chatID(s.head, s.title)
			}
		}
	}
	return own
}

func (s *sessions) next(t vault.Turn) error {
	if s.cutter.Next(t) {
		if err := s.flush(); err != nil {
			return err
		}
	}
	s.turns = append(s.turns, t)
	return nil
}

func (s *sessions) finish() error {
	if s.chat == "" && len(s.head) > 0 {
		if err := s.begin(); err != nil {
			return err
		}
	}
	return s.flush()
}

// flush emits the session that has come together.
func (s *sessions) flush() error {
	if len(s.turns) == 0 {
		return nil
	}
	for _, p := range s.parts(s.turns) {
		c := importer.Conversation{
			ID: p.id, Source: Source, Title: s.title, Turns: p.turns,
			Created: p.turns[0].Time, Updated: p.turns[len(p.turns)-1].Time,
		}
		for _, t := range p.turns {
			if t.Sender != "" && !slices.Contains(c.Participants, t.Sender) {
				c.Participants = append(c.Participants, t.Sender)
			}
		}
		if s.failed = s.emit(c); s.failed != nil {
			return s.failed
		}
	}
	s.turns = nil
	return nil
}

// newID is the id of a session that the vault does not have.
func (s *sessions) newID(first vault.Turn) string {
	t := first.Time.Time
	id := s.chat + "#" + t.Format("2006-01-02-1504")
	minute := t.Unix() / 60
	if s.minutes[minute]++; s.minutes[minute] > 1 {
		id = fmt.Sprintf("%s-%d", id, s.minutes[minute])
	}
	return id
}

// withContext stops reading when ctx is done.
func withContext(ctx context.Context, r io.Reader) io.Reader {
	return contextReader{ctx, r}
}

type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
