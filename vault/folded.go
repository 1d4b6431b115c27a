package vault

import "strings"

// MergedFrom are the transcripts whose summaries went into a session's note,
// beside its own: the links of the property merged_from. A link's alias is when the
// transcript ended then.
func (n *Note) MergedFrom() []Link {
	var out []Link
	for _, item := range n.List("merged_from") {
		if inside, ok := strings.CutPrefix(strings.TrimSuffix(strings.TrimSpace(item), "]]"), "[["); ok {
			out = append(out, ParseLink(inside))
		}
	}
	return out
}

// FoldKey names the folding of a transcript's summary into the session with an id,
// among what the person took back (Forgotten): it is not folded in again.
func FoldKey(session, transcript string) string {
	return "fold " + strings.TrimSuffix(transcript, ".md") + " into " + session
}
