package vault

import "slices"

// Active returns the turns of the active path in order, each in its last wording:
// from the turn that `current` names, else the last that was not on a branch, up
// its parents.
func (t *Transcript) Active() []PlacedTurn {
	byMessage := make(map[string]int, len(t.Turns))
	plain := true
	for i, p := range t.Turns {
		if p.MessageID != "" {
			byMessage[p.MessageID] = i
		}
		plain = plain && p.Parent == "" && !p.Branch && p.Revises == ""
	}
	if plain && t.Prop("current") == "" {
		return t.Turns
	}
	revision := func(i int) bool { // of a turn that is here
		of, ok := byMessage[t.Turns[i].Revises]
		return ok && t.Turns[i].Revises != "" && of != i
	}
	at, ok := byMessage[t.Prop("current")]
	if !ok {
		for at = len(t.Turns) - 1; at > 0 && (t.Turns[at].Branch || revision(at)); at-- {
		}
	}
	last := t.lastWordings(byMessage)
	var path []PlacedTurn
	for seen := make(map[int]bool); at >= 0 && at < len(t.Turns) && !seen[at]; {
		seen[at] = true
		p := t.Turns[at]
		if of := byMessage[p.Revises]; revision(at) && !seen[of] {
			at = of // a wording stands where the first one does
			continue
		}
		if i, ok := last[at]; ok {
			path = append(path, t.Turns[i])
		} else {
			path = append(path, p)
		}
		switch parent, ok := byMessage[p.Parent]; {
		case p.Parent == "":
			at--
			for at >= 0 && revision(at) {
				at--
			}
		case ok:
			at = parent
		default: // RootParent, or a turn that is not here
			at = -1
		}
	}
	slices.Reverse(path)
	return path
}

// lastWordings leads from each turn that was revised to its last revision, by
// their places.
func (t *Transcript) lastWordings(byMessage map[string]int) map[int]int {
	var last map[int]int
	for i, p := range t.Turns {
		first, ok := byMessage[p.Revises]
		if p.Revises == "" || !ok {
			continue
		}
		for seen := map[int]bool{}; t.Turns[first].Revises != "" && !seen[first]; {
			seen[first] = true
			if of, ok := byMessage[t.Turns[first].Revises]; ok {
				first = of
			}
		}
		if first != i {
			if last == nil {
				last = map[int]int{}
			}
			last[first] = i
		}
	}
	return last
}

// markRevised notes which turns have a later wording.
func (t *Transcript) markRevised() {
	revised := map[string]bool{}
	for _, p := range t.Turns {
		if p.Revises != "" && p.Revises != p.MessageID {
			revised[p.Revises] = true
		}
	}
	if len(revised) == 0 {
		return
	}
	for i := range t.Turns {
		t.Turns[i].Revised = revised[t.Turns[i].MessageID]
	}
}
