package recall

import "github.com/memsync/memsync/index/pack"

// The floor tells a question that memory can answer from one whose best hits are
// only the least bad ones. A hit fits by the share of the question's words that it
// holds, weighted by how rare each is, and by the cosine of its meaning with the
// question's. Either may be low alone: a paraphrase shares few words, a name or a
// number has no meaning for a small model. So they are added; and a meaning that is
// near enough stands alone.
//
// With the built-in model, of 535 questions of LoCoMo and REALTALK asked of the
// right memory 4 % are below the floor, and 58 % of the same questions asked of
// somebody else's memory (TestFloor); by the words alone these are 4 % and 53 %. A
// question that is wrongly refused costs more than one whose evidence turns out to
// be weak, since the evidence can be read: so the floors let nearly all of the first
// kind pass. What one person did and the question puts on another passes as well;
// only a model that reads the evidence can tell. Cosines of other models have other
// scales, and do not count.
//
// These are for memories of some hundred chunks or more, as the sets have. Of a
// handful of chunks the best unrelated one fits less, and words tell less of how rare
// they are: there the floor is lower, by half of it at 5 chunks and less, by a tenth
// at 45.
const (
	handful    = 5 // chunks
	sumFloor   = 0.55
	nearFloor  = 0.35
	wordsFloor = 0.25
)

// builtinModel begins the built-in model's name, of any version.
const builtinModel = "builtin/"

// fits reports whether what was found fits the question.
func (a *machine) fits() bool { return fits(a.r.Support, a.builtin, a.chunks) }

func fits(s pack.Support, builtin bool, chunks int) bool {
	scale := max(0.5, float64(chunks)/float64(chunks+handful))
	if builtin && s.Cosine > 0 {
		return s.Cosine >= nearFloor || s.Coverage+s.Cosine >= scale*sumFloor
	}
	return s.Coverage >= scale*wordsFloor
}
