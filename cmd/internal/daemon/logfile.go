package daemon

import (
	"os"
	"sync"
)

// A Log is a file that is begun anew when it is full. The one before is kept
// beside it, with ".1" behind its name.
type Log struct {
	path string
	most int64

	mu   sync.Mutex
	f    *os.File
	size int64
}

// logSize is how large a log grows, in bytes; with the one before it that is
// months of a quiet vault.
const logSize = 5 << 20

// OpenLog opens a log that grows to so many bytes; 0 is 5 MiB.
func OpenLog(path string, most int64) (*Log, error) {
	if most <= 0 {
		most = logSize
	}
	l := &Log{path: path, most: most}
	return l, l.open()
}

func (l *Log) open() error {
	f, err := os.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return err
	}
	l.f, l.size = f, info.Size()
	return nil
}

// Write appends a line.
func (l *Log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.size > 0 && l.size+int64(len(b)) > l.most {
		if err := l.turn(); err != nil {
			return 0, err
		}
	}
	n, err := l.f.Write(b)
	l.size += int64(n)
	return n, err
}

func (l *Log) turn() error {
	if err := l.f.Close(); err != nil {
		return err
	}
	if err := os.Rename(l.path, l.path+".1"); err != nil {
		return err
	}
	return l.open()
}

// Close closes the file.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.f.Close()
}
