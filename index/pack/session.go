package pack

import (
	"strconv"
	"time"

	"github.com/memsync/memsync/index/priority"
	"github.com/memsync/memsync/vault"
)

// Session works out how the summary of a session, or of a month, stands at now.
func Session(n *vault.Note, now time.Time, a priority.Access) priority.Standing {
	return priority.Weigh(now, sessionItem(n), a)
}

func sessionItem(n *vault.Note) priority.Item {
	it := priority.Item{
		Importance: priority.OfSession(number(n, "importance", -1), number(n, "salience", 0), number(n, "valence", 0), number(n, "arousal", 0)),
		Pinned:     n.Has("pin") && n.Prop("pin") != "false",
	}
	for _, key := range []string{"end", "start", "updated", "created"} {
		if s, err := vault.ParseStamp(n.Prop(key)); err == nil && !s.IsZero() {
			it.Seen = s.Time
			break
		}
	}
	return it
}

func number(n *vault.Note, key string, otherwise float64) float64 {
	v, err := strconv.ParseFloat(n.Prop(key), 64)
	if err != nil {
		return otherwise
	}
	return v
}
