package importer

import (
	"bufio"
	"context"
	"errors"
	"io"
)

// Lines calls line for each line of a file, in UTF-8 and without its line break.
// number counts from 1. ended is false for a last line without a line break,
// which a running program may still be writing. line's bytes are valid during
// the call. A line longer than MaxValue is skipped with a warning.
func Lines(ctx context.Context, in Input, line func(number int, data []byte, ended bool) error, warn func(Warning)) error {
	file, err := in.Open()
	if err != nil {
		return err
	}
	defer file.Close()
	r := bufio.NewReaderSize(Text(file), 256<<10)
	var long []byte
	for number := 1; ; number++ {
		data, err := r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			long = append(long[:0], data...)
			for errors.Is(err, bufio.ErrBufferFull) {
				data, err = r.ReadSlice('\n')
				if len(long) <= MaxValue {
					long = append(long, data...)
				}
			}
			data = long
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		ended := err == nil
		if ended {
			data = data[:len(data)-1]
		}
		if n := len(data); n > 0 && data[n-1] == '\r' {
			data = data[:n-1]
		}
		switch {
		case len(data) > MaxValue:
			warn(Warning{File: in.Name, Line: number, Text: "the line is longer than memsync reads in one piece (256 MiB) and is left out"})
			long = nil
		case len(data) > 0:
			if err := line(number, data, ended); err != nil {
				return err
			}
		}
		if !ended {
			return nil
		}
	}
}
