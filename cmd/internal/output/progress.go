package output

import (
	"io"
	"sync"
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

// Patience is how long work goes on before a bar is drawn for it: what is over at
// once flickers otherwise.
const Patience = 300 * time.Millisecond

// NewProgress shows bars on w when it is a terminal, for work that takes longer
// than patience.
func NewProgress(w io.Writer, patience time.Duration) Progress {
	if !IsTerminal(w) {
		return silent{}
	}
	return &bar{w: w, patience: patience}
}

type silent struct{}

func (silent) Start(string, int64, Unit) {}
func (silent) Add(int64)                 {}
func (silent) Done()                     {}

// redraw is how often a bar is drawn anew: often enough to be seen moving,
// seldom enough to cost nothing.
const redraw = 100 * time.Millisecond

type bar struct {
	w        io.Writer
	patience time.Duration

	mu      sync.Mutex
	waiting *time.Timer
	done    int64 // before there is a bar
	now     *progressbar.ProgressBar
}

func (b *bar) Start(what string, total int64, unit Unit) {
	b.Done()
	b.mu.Lock()
	defer b.mu.Unlock()
	var own *time.Timer
	draw := func() {
		b.now = progressbar.NewOptions64(total,
			progressbar.OptionSetWriter(b.w),
			progressbar.OptionSetDescription(what),
			progressbar.OptionShowBytes(unit == Bytes),
			progressbar.OptionShowCount(),
			progressbar.OptionThrottle(redraw),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionSetWidth(24),
		)
		_ = b.now.Add64(b.done) // a bar that cannot be drawn stops no work
	}
	b.done = 0
	if b.patience <= 0 {
		draw()
		return
	}
	own = time.AfterFunc(b.patience, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.waiting == own {
			draw()
		}
	})
	b.waiting = own
}

func (b *bar) Add(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.now == nil {
		b.done += n
		return
	}
	_ = b.now.Add64(n)
}

func (b *bar) Done() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.waiting != nil {
		b.waiting.Stop()
		b.waiting = nil
	}
	if b.now != nil {
		_ = b.now.Finish()
		_ = b.now.Clear()
		b.now = nil
	}
}
