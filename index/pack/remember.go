package pack

import (
	"sync"
	"time"

	"github.com/memsync/memsync/vault"
)

// Making a pack is mostly reading what did not change since the last one. What was
// made of a text or of a file is therefore kept, within bounds, and what is made of
// a file holds only as long as the file stands as it was read.

// A memo keeps what was made of a key. When it is full it begins anew, which costs
// little and needs no bookkeeping.
type memo[K comparable, V any] struct {
	most int

	mu   sync.Mutex
	held map[K]V
}

func (m *memo[K, V]) get(k K) (V, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.held[k]
	return v, ok
}

func (m *memo[K, V]) put(k K, v V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.held == nil || len(m.held) >= m.most {
		m.held = make(map[K]V)
	}
	m.held[k] = v
}

// Bounds of what is kept, in entries. Texts longer than longText are not kept, so
// each memo of texts holds some megabytes at most.
const (
	keptTexts = 8000
	keptFiles = 4000
	longText  = 2 << 10
)

// A pair is a text and the one before it.
type pair struct{ previous, text string }

// A stood is a file as it was when something was made of it.
type stood struct {
	size    int64
	modTime time.Time
	settled bool // it had not just been written when it was read
}

// stands looks at a file before it is read. The answer holds what was read from
// then on only while the file stands so.
func (m *Maker) stands(p vault.Path) (stood, bool) {
	info, err := m.v.Stat(p)
	if err != nil {
		return stood{}, false
	}
	s := stood{size: info.Size(), modTime: info.ModTime()}
	s.settled = m.cfg.Now().Sub(s.modTime) > racy
	return s, true
}

// still reports whether what was made of a file at then may be taken for what the
// file is now.
func (s stood) still(then stood) bool {
	return then.settled && s.size == then.size && s.modTime.Equal(then.modTime)
}

// An ofFile is what was made of a file.
type ofFile[V any] struct {
	stood
	value V
}

// remembered returns what make makes of the file at p, from memory where the file
// stands as it did. Key tells several things of one file apart.
func remembered[V any](m *Maker, kept *memo[pair, ofFile[V]], p vault.Path, key string, make func() (V, bool)) (V, bool) {
	var none V
	now, ok := m.stands(p)
	if !ok {
		return none, false
	}
	k := pair{string(p), key}
	if old, ok := kept.get(k); ok && now.still(old.stood) {
		return old.value, true
	}
	v, ok := make()
	if ok {
		kept.put(k, ofFile[V]{now, v})
	}
	return v, ok
}
