package synth

import (
	"cmp"
	"slices"
	"strings"
)

// domains are the areas of life into which facts are filed, by words that tell
// them. A text that tells none is "general".
var domains = map[string][]string{
	"work":          {"project", "client", "deadline", "team", "meeting", "manager", "colleague", "career", "resume", "interview", "salary", "job", "office", "startup", "company", "code", "software", "api", "deploy", "database", "server", "bug", "release", "sprint", "developer", "employer", "portfolio", "invoice", "freelancer", "exhibition", "illustrator", "linkedin"},
	"health":        {"sleep", "doctor", "diet", "exercise", "marathon", "knee", "physiotherapist", "workout", "gym", "allergy", "allergic", "medication", "therapy", "anxiety", "stress", "weight", "vitamin", "headache", "injury", "yoga", "calories", "hospital", "symptom"},
	"relationships": {"wife", "husband", "partner", "girlfriend", "boyfriend", "mother", "father", "mom", "dad", "sister", "brother", "son", "daughter", "wedding", "family", "birthday", "parents", "kids", "anniversary", "marriage", "grandmother"},
	"finance":       {"budget", "invest", "mortgage", "loan", "bank", "tax", "taxes", "savings", "rent", "insurance", "debt", "pension", "expense", "income", "credit"},
	"learning":      {"study", "studying", "course", "exam", "homework", "theorem", "calculate", "math", "language", "university", "school", "tutorial", "probability", "geometry", "equation", "grammar", "lesson", "essay"},
	"travel":        {"trip", "flight", "hotel", "travel", "visa", "vacation", "holiday", "airport", "itinerary", "passport", "beach", "tour"},
	"home":          {"apartment", "kitchen", "garden", "furniture", "recipe", "cook", "cooking", "bake", "dinner", "plants", "plumbing", "renovation", "dog", "cat", "pet"},
	"leisure":       {"movie", "film", "music", "guitar", "novel", "painting", "photography", "hiking", "concert", "hobby", "watercolour", "gouache", "chess", "football", "knitting"},
}

// domainOf files texts under the area of life whose words they use most.
func domainOf(texts ...string) string {
	counts := map[string]int{}
	for _, t := range texts {
		words := map[string]bool{}
		for w := range strings.FieldsSeq(strings.ToLower(t)) {
			w = strings.Trim(w, ".,;:!?()[]\"'`*")
			words[w], words[strings.TrimSuffix(w, "s")] = true, true
		}
		for d, cues := range domains {
			for _, c := range cues {
				if words[c] {
					counts[d]++
				}
			}
		}
	}
	best := slices.SortedFunc(func(yield func(string) bool) {
		for d := range counts {
			if !yield(d) {
				return
			}
		}
	}, func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	if len(best) == 0 {
		return "general"
	}
	return best[0]
}
