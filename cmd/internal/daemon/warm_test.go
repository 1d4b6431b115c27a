package daemon

import (
	"context"
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Some hosts take memory that lies idle away from their virtual machines and bring it
// back, a page at a time, when it is touched. What that takes is charged to whoever
// touches it. On such a machine everything that sleeps costs many times what it does:
// a bare loop over 16 MiB that were left alone for 40 s took 130 ms on the one on which
// docs/daemon.md was measured, and 1 ms right after. So TestMeasureIdle prints what a
// page costs, and -warm has its own process touch what the daemon and the vault have
// in memory every few seconds, so that the daemon's work is measured and not the host's.

// warmEvery is how often, well below what hosts call idle.
const warmEvery = 5 * time.Second

// pageCost is how long the first touch of a page takes that lay idle for a while, and
// the next one of the same pages.
func pageCost(idle time.Duration) (cold, hot time.Duration) {
	const size, page = 16 << 20, 4 << 10
	memory := make([]byte, size)
	sum := 0
	touch := func() time.Duration {
		began := time.Now()
		for i := 0; i < size; i += page {
			memory[i]++
			sum += int(memory[i])
		}
		return time.Since(began) / (size / page)
	}
	touch()
	time.Sleep(idle)
	return touch(), touch()
}

// keepWarm touches what a process and a folder's files have in memory until ctx is
// done.
func keepWarm(ctx context.Context, t testing.TB, pid int, dir string) {
	tick := time.NewTicker(warmEvery)
	defer tick.Stop()
	for {
		if err := touchMemory(pid); err != nil && ctx.Err() == nil {
			t.Errorf("the daemon's memory is not kept warm: %v", err)
			return
		}
		_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
			if err == nil {
				_, err = d.Info()
			}
			return err
		})
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// touchMemory reads a byte of each page that a process has in memory.
func touchMemory(pid int) error {
	const page, entry, present = 4 << 10, 8, 1 << 63 // see proc_pid_pagemap(5)
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return err
	}
	pages, err := os.Open(fmt.Sprintf("/proc/%d/pagemap", pid))
	if err != nil {
		return err
	}
	defer pages.Close()
	memory, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
	if err != nil {
		return err
	}
	defer memory.Close()
	var one [1]byte
	buf := make([]byte, 64<<10)
	for line := range strings.Lines(string(maps)) {
		var from, to int64
		var may string
		if _, err := fmt.Sscanf(line, "%x-%x %s", &from, &to, &may); err != nil || !strings.HasPrefix(may, "r") || strings.Contains(line, "[v") {
			continue // not to be read, or the kernel's own
		}
		for at := from; at < to; at += int64(len(buf)) / entry * page {
			n, err := pages.ReadAt(buf[:min(int64(len(buf)), (to-at)/page*entry)], at/page*entry)
			if err != nil {
				return err
			}
			for i := 0; i+entry <= n; i += entry {
				if binary.NativeEndian.Uint64(buf[i:])&present != 0 {
					_, _ = memory.ReadAt(one[:], at+int64(i/entry)*page)
				}
			}
		}
	}
	return nil
}
