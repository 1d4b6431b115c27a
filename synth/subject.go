package synth

import (
	"context"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/synth/ledger"
	"github.com/memsync/memsync/vault/lazyregexp"
)

// This file says in which ledger a claim is filed. The ledgers of rules are the
// subjects of a life, the same in every vault: what a claim is about decides, and
// then what its own conversation is about. So the same claim is filed in the same
// place whatever was imported before it, and ledgers keep their names.

// A shelf is a ledger by what it is about.
type shelf struct {
	domain, name string
	cues         string // words that tell it, as PhraseKey folds them
	about        string // what belongs there, for comparing by meaning
}

// subjects are the ledgers, area by area of life. A cue stands under one subject
// only, and is a word that mostly means that.
var subjects = []shelf{
	{"work", "career", "career job salary promotion interview resume cv employer recruiter linkedin hiring hired promoted raise internship supervisor workplace", "My job, my employer, promotion, salary, applying and interviews."},
	{"work", "software", "code software api deploy deployed deployment database server bug javascript python html css frontend backend framework github git repository endpoint library npm docker sql sqlite postgres linux app website script unit refactor compiler typescript react flask bootstrap json cache caching debug debugging localhost plugin", "Writing software: code, libraries, servers, tests and deployment of an app or website."},
	{"work", "business", "client invoice freelance freelancer customer startup shop sales revenue marketing supplier exhibition illustrator commission contract", "My business: clients, orders, invoices, suppliers and sales."},
	{"work", "projects", "project deadline sprint milestone release team meeting colleague coworker roadmap stakeholder manager presentation conference workshop office", "Projects and their deadlines, meetings, colleagues and plans at work."},
	{"health", "food", "allergy allergic vegan vegetarian diet gluten lactose intolerant calorie nutrition hazelnut peanut", "What I may and may not eat: allergies, diets and nutrition."},
	{"health", "exercise", "exercise marathon workout gym yoga jogging training runner swim swimming cycling pilates knee", "Sport and exercise: running, training, the gym and how the body takes it."},
	{"health", "mind", "stress stressed anxiety anxious therapy therapist meditation meditate burnout depression mood mindfulness", "How I feel: stress, worries, therapy and what calms me."},
	{"health", "medicine", "doctor medication hospital symptom injury surgery headache dentist diagnosis vaccine vitamin asthma diabetes prescription physiotherapist sleep insomnia", "Illness, sleep, doctors and medicine."},
	{"relationships", "family", "wife husband mother father mom dad mum sister brother son daughter parent grandmother grandfather grandma grandpa aunt uncle cousin niece nephew sibling kid children baby family", "My family: parents, brothers and sisters, children and relatives."},
	{"relationships", "love", "partner girlfriend boyfriend fiance fiancee wedding marriage married engaged anniversary dating", "My partner, love, the wedding and life as a couple."},
	{"relationships", "friends", "friend friendship roommate flatmate neighbour neighbor party reunion", "My friends and neighbours, and what we do together."},
	{"finance", "money", "budget saving mortgage loan bank tax taxe rent insurance debt pension expense income credit invest investing investment stock crypto", "My money: budget, savings, taxes, debts and investments."},
	{"learning", "mathematics", "math maths theorem geometry triangle algebra calculus probability equation statistics formula permutation angle arithmetic proof polynomial trigonometry", "Learning mathematics: geometry, algebra, probability, formulas and proofs."},
	{"learning", "languages", "grammar vocabulary spanish french german italian portuguese japanese chinese mandarin korean arabic russian fluent duolingo pronunciation", "Learning a language: grammar, words and speaking practice."},
	{"learning", "studies", "study studying course exam homework university college lecture lesson essay thesis degree semester certification tutorial professor physics chemistry biology history", "Studies: courses, exams, homework and certificates."},
	{"travel", "trips", "trip flight hotel travel traveling travelling visa vacation holiday airport itinerary passport beach tour hostel train ferry luggage island", "Journeys: trips, flights, hotels, places visited and planned."},
	{"home", "house", "apartment house kitchen furniture plumbing renovation heating moved landlord sofa paint repair roof bathroom", "Where I live: the flat or house, furniture, repairs and moving."},
	{"home", "cooking", "recipe cook cooking bake baking dinner oven sourdough bread dough cake soup flour coffee tea lunch breakfast dish", "Cooking and baking, dishes, recipes and places to eat."},
	{"home", "garden and pets", "garden plant gardening tomato dog cat pet puppy kitten seed soil vet", "The garden, plants, and our animals."},
	{"leisure", "outdoors", "hiking hike climb climbing camping mountain ski skiing surfing sailing kayak fishing forest", "Outdoors: hiking, climbing, camping and the sea."},
	{"leisure", "arts", "guitar piano music concert painting photography drawing watercolour watercolor gouache choir singing band theatre museum pottery knitting sketch gallery violin", "Making and enjoying art: music, painting, photography and crafts."},
	{"leisure", "books and games", "movie film novel series anime chess football soccer basketball game gaming videogame podcast author netflix manga", "Films, books, games and sports that I follow."},
	{"general", "self", "", "Who I am: my name, my age, where I come from and what I am like."},
	{"general", "answers", "", "How an assistant should answer me: form, length, language and tone."},
	{"general", "other", "", ""},
}

// How much each sign of a subject counts: a cue in the claim decides, what the
// conversation is about settles the rest, and meaning tells between them.
const (
	cueWeight     = 2.5
	sessionWeight = 1.0
	meaningWeight = 1.5
)

// forAnswers tells a rule that is for an assistant by what it speaks of.
var forAnswers = lazyregexp.New(`(?i)\bwhen(?:ever)? i ask\b|\b(?:answers?|repl(?:y|ies)|respon(?:d|ses?)|explain|explanations?|emojis?|bullet points?|formatting|snippets?|paragraphs?|give me|show me|call me|tell me|address me|write in|speak)\b`)

// place is the domain and the topic under which a claim is filed. A ledger of the
// person's own, or one that an assistant began, takes the claims that name what it
// is about; all others go to a subject.
func (r *Runner) place(ctx context.Context, books *ledger.Books, kind, text string, about func() map[string]float64) (domain, topic string) {
	if domain, topic, ok := ownLedger(books, text); ok {
		return domain, topic
	}
	s := r.subjectOf(ctx, kind, text, about)
	return s.domain, s.name
}

// subjectOf is the subject of a claim. about is how much its conversation is about
// each subject.
func (r *Runner) subjectOf(ctx context.Context, kind, text string, about func() map[string]float64) shelf {
	if kind == string(extract.Policy) && forAnswers.MatchString(text) {
		return named("answers")
	}
	if kind == string(extract.Identity) && nameAndMore.MatchString(text) {
		return named("self") // who somebody is, whatever they do
	}
	scores := map[string]float64{}
	cues := cuesIn(text)
	for name, n := range cues {
		scores[name] += cueWeight * n
	}
	if len(cues) == 0 && kind == string(extract.Identity) {
		return named("self")
	}
	for name, share := range about() {
		scores[name] += sessionWeight * share
	}
	if r.cfg.Near != nil {
		var abouts []string
		for _, s := range subjects {
			if s.cues != "" {
				abouts = append(abouts, s.about)
			}
		}
		if sims, err := r.cfg.Near.Similar(ctx, text, abouts); err == nil {
			for i, sim := range sims {
				scores[subjects[i].name] += meaningWeight * max(0, sim)
			}
		}
	}
	best, most := named("other"), leastSubject
	for _, s := range subjects {
		if scores[s.name] > most {
			best, most = s, scores[s.name]
		}
	}
	return best
}

// nameAndMore is how the sentence reads in which somebody introduces themselves: "Ana
// Roth, a film producer from Graz."
var nameAndMore = lazyregexp.New(`^\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){0,2}, (?:an?|the|from|\d+)\b`)

// leastSubject is what a subject must come to: a claim of which nothing is known but
// a faint likeness belongs to none.
const leastSubject = 0.9

func named(name string) shelf {
	return subjects[slices.IndexFunc(subjects, func(s shelf) bool { return s.name == name })]
}

// cuesIn counts the cues of each subject in a text, each cue once.
func cuesIn(text string) map[string]float64 {
	out := map[string]float64{}
	seen := map[string]bool{}
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(c rune) bool { return !isWordRune(c) }) {
		key := extract.PhraseKey(strings.TrimSuffix(w, "'s"))
		if name := cueSubject()[key]; name != "" && !seen[key] {
			seen[key] = true
			out[name]++
		}
	}
	return out
}

// subjectsOf is how much texts are about each subject, from 0 to 1 for the one that
// they are about most.
func subjectsOf(texts []string) map[string]float64 {
	total := map[string]float64{}
	most := 0.0
	for _, t := range texts {
		for name, n := range cuesIn(t) {
			total[name] += n
			most = max(most, total[name])
		}
	}
	for name := range total {
		total[name] /= most
	}
	return total
}

// ownLedger finds a ledger that is none of the subjects and whose topic a claim
// names.
func ownLedger(books *ledger.Books, text string) (domain, topic string, ok bool) {
	key := " " + extract.PhraseKey(plainWords(text)) + " "
	for _, t := range books.Topics() {
		if k := extract.PhraseKey(t.Topic); k != "" && !isSubject(t.Topic) && strings.Contains(key, " "+k+" ") {
			return t.Domain, t.Topic, true
		}
	}
	return "", "", false
}

func isSubject(name string) bool {
	return slices.ContainsFunc(subjects, func(s shelf) bool { return strings.EqualFold(s.name, name) })
}

var notWords = lazyregexp.New(`[^\p{L}\p{N}'-]+`)

func plainWords(text string) string { return notWords.ReplaceAllString(text, " ") }

// isWordRune reports whether a rune is part of a word.
func isWordRune(c rune) bool {
	return unicode.IsLetter(c) || unicode.IsDigit(c) || c == '\'' || c == '-'
}

// cueSubject is the subject that each cue tells.
var cueSubject = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, s := range subjects {
		for cue := range strings.FieldsSeq(s.cues) {
			out[extract.PhraseKey(cue)] = s.name
		}
	}
	return out
})
