package importer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"golang.org/x/sync/semaphore"
)

// Decoded is what a format made of one value of a file.
type Decoded struct {
	Conversations []Conversation
	// Foreign says that the value is not a conversation of this format at all. A
	// file in which every value is foreign is refused.
	Foreign bool
	// Warnings need no File and Line: Each fills them in.
	Warnings []Warning
}

// inFlight bounds the bytes of values that are read but not yet emitted. One
// value that is larger passes alone.
const inFlight = 24 << 20

// Each streams the values of a JSON file through decode and hands over what
// comes out, in the order of the file.
//
// decode runs on several goroutines, since it takes most of the time; emit and
// warn are called on the caller's. The bytes in flight are bounded. decode must
// not keep Raw. wrappers are the names under which an object may wrap the list.
func Each(ctx context.Context, in Input, wrappers []string, decode func(Value) Decoded, emit func(Conversation) error, warn func(Warning)) error {
	file, err := in.Open()
	if err != nil {
		return err
	}
	defer file.Close()
	ctx, cancel := context.WithCancelCause(ctx)
	workers := min(runtime.GOMAXPROCS(0), 8)
	e := &each{
		decode: decode,
		budget: semaphore.NewWeighted(inFlight),
		work:   make(chan *job),
		order:  make(chan *job, 4*workers),
		free:   make(chan []byte, 4*workers),
	}
	done := make(chan error, workers+1)
	for range workers {
		go func() { e.run(); done <- nil }()
	}
	go func() { done <- e.read(ctx, NewValues(in.Name, Text(file), wrappers...)) }()

	failed := e.hand(ctx, in.Name, emit, warn)
	cancel(failed)
	for range e.order { // what was read but is not wanted any more
	}
	var readErr error
	for range workers + 1 {
		if err := <-done; err != nil {
			readErr = err
		}
	}
	if failed != nil {
		return failed
	}
	return readErr
}

type each struct {
	decode func(Value) Decoded
	budget *semaphore.Weighted
	work   chan *job // to the decoders
	order  chan *job // to the caller, in the order of the file
	free   chan []byte
}

type job struct {
	value   Value
	weight  int64
	decoded Decoded
	ready   chan struct{}
}

// read cuts the file into values until it ends, breaks or ctx is done.
func (e *each) read(ctx context.Context, values *Values) error {
	defer close(e.order)
	defer close(e.work)
	for {
		var buf []byte
		select {
		case buf = <-e.free:
		default:
		}
		value, err := values.Next(buf)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		j := &job{value: value, weight: min(int64(len(value.Raw)), inFlight), ready: make(chan struct{})}
		if err := e.budget.Acquire(ctx, j.weight); err != nil {
			return context.Cause(ctx)
		}
		select {
		case e.order <- j:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		e.work <- j // decoders never stop before work is closed
	}
}

// run decodes values until there are no more.
func (e *each) run() {
	for j := range e.work {
		j.decoded = e.decode(j.value)
		if cap(j.value.Raw) <= 1<<20 {
			select {
			case e.free <- j.value.Raw[:0]:
			default:
			}
		}
		j.value.Raw = nil
		close(j.ready)
	}
}

// mostWarnings bounds the warnings of one file; nobody reads more.
const mostWarnings = 1000

// hand gives the caller what was decoded, in order.
func (e *each) hand(ctx context.Context, name string, emit func(Conversation) error, warn func(Warning)) error {
	var held []Warning // until some value is of this format
	foreign, own, warned := 0, 0, 0
	for j := range e.order {
		<-j.ready
		e.budget.Release(j.weight)
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if j.decoded.Foreign {
			foreign++
		} else {
			own++
		}
		for _, w := range j.decoded.Warnings {
			if w.File = name; w.Line == 0 {
				w.Line = j.value.Line
			}
			if warned++; warned <= mostWarnings {
				held = append(held, w)
			}
		}
		if own > 0 {
			for _, w := range held {
				warn(w)
			}
			held = held[:0]
		}
		for _, c := range j.decoded.Conversations {
			if err := emit(c); err != nil {
				return err
			}
		}
	}
	if foreign > 0 && own == 0 {
		return refuse(name, "has %s, and none is a conversation of this format", count(foreign, "entry", "entries"))
	}
	if warned > mostWarnings {
		warn(Warning{File: name, Text: fmt.Sprintf("%d more warnings are not shown", warned-mostWarnings)})
	}
	return nil
}
