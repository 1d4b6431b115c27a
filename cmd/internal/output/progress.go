package output

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// A Progress shows how far long work is. On anything but a terminal it shows
// nothing.
type Progress interface {
	// Start begins a stretch of work; total is its size, -1 where unknown.
	Start(what string, total int64, unit Unit)
	// Add says that n more are done.
	Add(n int64)
	// Done ends the stretch and takes the bar away.
	Done()
}

// A Unit is what a progress counts.
type Unit int

const (
	// Items are notes, conversations, passes.
	Items Unit = iota
	// Bytes are shown as MB and MB/s.
	Bytes
)

// NewProgress shows bars on w when it is a terminal.
func NewProgress(w io.Writer) Progress {
	if !IsTerminal(w) {
		return silent{}
	}
	return &bar{w: w}
}

type silent struct{}

func (silent) Start(string, int64, Unit) {}
func (silent) Add(int64)                 {}
func (silent) Done()                     {}

// redraw is how often a bar is drawn anew: often enough to be seen moving,
// seldom enough to cost nothing.
const redraw = 100 * time.Millisecond

type bar struct {
	w   io.Writer
	now *progressbar.ProgressBar
}

func (b *bar) Start(what string, total int64, unit Unit) {
	b.Done()
	b.now = progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(b.w),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowBytes(unit == Bytes),
		progressbar.OptionShowCount(),
		progressbar.OptionThrottle(redraw),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetWidth(24),
	)
}

func (b *bar) Add(n int64) {
	if b.now != nil {
		_ = b.now.Add64(n) // a bar that cannot be drawn stops no work
	}
}

func (b *bar) Done() {
	if b.now != nil {
		_ = b.now.Finish()
		_ = b.now.Clear()
		b.now = nil
	}
}
