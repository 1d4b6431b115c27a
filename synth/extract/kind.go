package extract

import "github.com/memsync/memsync/vault/lazyregexp"

// A Kind is what sort of thing a statement says. The names are those of the
// ledgers; Activity and Question are for summaries only.
type Kind string

// The kinds, from the weightiest to the lightest.
const (
	Identity     Kind = "identity"
	Policy       Kind = "policy"
	Preference   Kind = "preference"
	Decision     Kind = "decision"
	Correction   Kind = "correction"
	Constraint   Kind = "constraint"
	Relationship Kind = "relationship"
	Goal         Kind = "goal"
	Event        Kind = "event"
	Task         Kind = "task"
	Activity     Kind = "activity"
	Question     Kind = "question"
)

// Lasting reports whether a statement of this kind can become a claim.
func (k Kind) Lasting() bool { return k != Activity && k != Question && k != "" }

// weight is how much a statement of a kind matters for recall, from 0 to 1.
var weight = map[Kind]float64{
	Identity: 1, Policy: 1, Preference: 0.9, Decision: 0.9, Correction: 0.9, Constraint: 0.8,
	Relationship: 0.8, Goal: 0.75, Event: 0.75, Task: 0.6, Activity: 0.35, Question: 0.15,
}

// A cue tells a kind by how a clause begins or by words in it. The first cue
// that matches decides, so the order matters: the specific before the general.
type cue struct {
	kind Kind
	re   *lazyregexp.Regexp
}

func at(kind Kind, words string) cue {
	return cue{kind, lazyregexp.New(`(?i)^(?:` + words + `)`)}
}
func named(kind Kind, words string) cue {
	return cue{kind, lazyregexp.New(`^(?:` + words + `)`)}
}
func in(kind Kind, words string) cue { return cue{kind, lazyregexp.New(`(?i)` + words)} }

// kin are the people whom a person calls "my".
const kin = `(?:wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|mother|mom|mum|father|dad|parents|sister|brother|siblings?|son|daughter|kids?|children|grand(?:mother|father|ma|pa|son|daughter)|aunt|uncle|cousin|niece|nephew|friend|best friend|colleague|coworker|co-worker|boss|manager|mentor|teacher|neighbou?r|roommate|flatmate|dog|cat|therapist|doctor)`

// done begins what has happened.
const done = `(?:i|we)(?:'ve| have)? (?:just |recently |finally |also |already |successfully )?(?:completed|finished|launched|moved|started|began|met|attended|visited|bought|sold|joined|left|quit|got|received|won|lost|passed|failed|signed|booked|fixed|implemented|deployed|added|set up|integrated|reduced|improved|increased|achieved|reached|created|built|wrote|published|submitted|learned|celebrated|adopted|graduated|returned|went|took|made|read|watched|ran|hiked|saw|spent|had|tried)\b`

var cues = []cue{
	at(Policy, `(?:please )?(?:always|never|from now on|going forward|in (?:the )?future|whenever|every time|don'?t (?:ever|use|give|include|add|call))\b`),
	at(Policy, `(?:please )?(?:remember|keep in mind|note) that\b`),
	at(Activity, `i(?:'d| would)? (?:really |also |just |still )?(?:want|like|love|need|have been trying|am trying) to (?:know|confirm|verify|see|understand|ensure|make sure|compare|explore|check|ask|clarify|apply|solve|find|learn more|discuss|hear|get (?:some|your|a better))\b`),
	at(Activity, `i (?:really |also |just |do )?(?:like|love|enjoy) (?:the (?:idea|look|sound|concept|way|thought|notion)|that|this|these|how|your|it|our)\b`),
	at(Activity, `i(?:'m| am) (?:also |really |very |still )?(?:interested in (?:learning|knowing|exploring|hearing|seeing|finding|understanding)|enjoying|trying to (?:understand|decide|figure|implement|update|optimi[sz]e|improve|validate|determine|use|find|fix|solve|create|add|set))\b`),
	// What others told the person, and what they came upon, is none of their life.
	at(Activity, `(?:i|we)(?:'ve| have)? (?:also |already |just |recently )?(?:been (?:told|advised|informed|given (?:a|an|the))|(?:saw|seen|found|come across|came across) (?:an?|the|this|some) (?:\w+ )?(?:example|article|post|video|tutorial|formula|definition|explanation|suggestion|answer))\b`),
	at(Activity, `(?:i|we)(?:'ve| have)? (?:also |already |just )?(?:tried \w+ing|been (?:trying|looking|wondering|thinking)|made a mistake)\b`),
	at(Event, `(?:i|we)(?:'ve| have)? (?:just |recently |finally |also |already )?picked up\b`),
	// What somebody has been doing is of their life where it is said for how long, or
	// how often; else it is what they are busy with.
	at(Event, `(?:i|we)(?:'ve| have) (?:also |now |recently |just |already |only )?been \w+ing\b.*\b(?:for (?:the (?:past|last) |about |around |over |almost |nearly |more than )?(?:an?|\d+|two|three|four|five|six|seven|eight|nine|ten|many|several|some|a few|a couple of|few|couple of) (?:weeks?|months?|years?|decades?)|since (?:\d{4}|i was|my childhood|january|february|march|april|may|june|july|august|september|october|november|december|last)|(?:every|each|per|an?) (?:single )?(?:day|morning|evening|night|week|weekend|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|daily|weekly)\b`),
	at(Event, `(?:i|we)(?:'ve| have|'ve just| was| were)? (?:also |now |recently |just |already |finally )?(?:been |got |gotten )?(?:promoted|hired|laid off|diagnosed|admitted|appointed|elected|transferred|naturalized)\b`),
	at(Activity, `(?:i|we)(?:'ve| have) (?:also |now |recently |just |already |only |always )?been \w+ing\b`),
	// What is said to the other is no aim and no bound of one's own.
	at(Activity, `(?:i|we) (?:really |do |just )?(?:hope|wish) (?:that )?(?:you|your|it|they|he|she|everything|everyone|all|this|that|the)\b`),
	at(Activity, `(?:i|we) (?:must|have to) (?:say|warn|admit|confess|tell|ask)\b`),
	at(Policy, `i (?:don'?t|do not|never|no longer) (?:work|take|do|eat|drink|answer|accept|schedule) .*\b(?:after|before|on|during)\b`),
	// "No, ..." answers a question as often as it corrects.
	at(Correction, `(?:actually|correction)\b[,: ].*\b(?:not|meant|instead|rather|wrong|changed|moved|now)\b`),
	at(Correction, `(?:sorry|wait|no)\b[,: ].*\b(?:meant|misspoke|wrong)\b`),
	at(Correction, `i (?:was wrong|misspoke|meant)\b`),
	at(Decision, `(?:i|we)(?:'ve| have|'m| am|'re| are)? (?:just |finally |also |already )?(?:decided|chosen|chose|settled on|opted|agreed|committed to|going with|picked|switched|went with|declined|accepted)\b`),
	at(Decision, `(?:let'?s|we'?ll|i'?ll) (?:(?:go with|stick (?:with|to)) .*\b(?:for|as|instead of|over|rather than)\b|(?:ship|drop|postpone|skip)\b)`),
	in(Decision, `\b(?:i|we)(?:'ve| have)? (?:decided|chosen|chose|opted|agreed) (?:to|on|not|that|against)\b`),
	named(Identity, `(?:I'?m|I am|My name is|my name is|Call me) \p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+){0,2}(?:,| and I\b|\.|$)`),
	at(Identity, `my name is\b`),
	at(Identity, `i(?:'m| am) an? (?:[\w'-]+ ){0,4}(?:engineer|developer|designer|teacher|student|nurse|doctor|physician|lawyer|writer|author|manager|director|producer|artist|scientist|researcher|analyst|consultant|accountant|chef|musician|photographer|technologist|architect|founder|professor|vegetarian|vegan|parent|runner|beginner|freelancer|retiree|\w+(?:ist|ian))\b`),
	at(Identity, `i (?:(?:actually|currently|now|also|still|originally) )?(?:live|work|teach|study|grew up|was born|come from|come) (?:in|at|as|for|near|on|with|from)\b`),
	at(Identity, `i(?:'m| am) (?:(?:actually|currently|now|also|still) )?(?:from|based in|living in|(?:majoring|minoring|enrolled) (?:in|at)|studying at|originally|\d{2}(?: years)?|allergic|left-handed|diabetic|colou?r-?blind)\b`),
	at(Identity, `i (?:speak|have (?:an allergy|asthma|diabetes|dyslexia|adhd|two kids|three kids|kids|a degree|a phd))\b`),
	at(Identity, `my (?:birthday|address|time ?zone|job|profession|hometown|native language|mother tongue|pronouns)\b`),
	at(Preference, `i(?:'d| would) (?:really |much |strongly )?(?:prefer|rather|hate)\b`),
	at(Preference, `i (?:really |much |usually |generally |always |tend to |strongly |no longer |don'?t |do not |never )*(?:prefer|like|love|enjoy|hate|dislike|adore|favou?r|value|can'?t stand)\b`),
	at(Goal, `i(?:'d| would) (?:really )?(?:like|love) to\b`),
	at(Preference, `i(?:'m| am) (?:really |quite |very |a (?:big|huge) )?(?:fan of|into|fond of|keen on|enjoying|interested in|passionate about)\b`),
	at(Preference, `my (?:favou?rite|preferred|preference|go-to)\b`),
	at(Relationship, `(?:i met|i(?:'ve| have) known|i(?:'m| am) (?:married|engaged|dating|close))\b`),
	at(Relationship, `my `+kin+`(?:'s name)?,? (?:is |named |called )?[A-Z]`),
	at(Event, `(?:on|last|this|yesterday|in|earlier|recently)\b.{0,30},? (?:i|we)(?:'ve| have)? (?:just )?\w+(?:ed|ent|ot|ade|old|ook|ave|ame|et|an)\b`),
	at(Activity, `(?:i|we) (?:can'?t|cannot) wait\b`),
	at(Goal, `(?:i|we)(?:'ve| have)? (?:set|made) (?:myself |ourselves )?(?:a|the|my|our) (?:goal|aim|target|resolution)\b`),
	at(Event, done),
	at(Constraint, `(?:i|we) (?:must|can'?t|cannot|can only|only have|have to|need to (?:stay|keep|be|finish|avoid|limit)|don'?t (?:have|want)|am not allowed|have a (?:budget|deadline|limit))\b`),
	in(Constraint, `\b(?:budget (?:of|is|was|limit|under|for)\b|deadline|limit(?:ed)? (?:of|to)|\d[\d,.]* \w+ limit|quota|maximum|at most|no more than|within \$?\d|under \$?\d|must not|due (?:on|by))\b`),
	at(Goal, `(?:i|we)(?:'m| am|'re| are|'ve| have been)? (?:really |also |still )?(?:want|aim|aiming|hope|hoping|plan|planning|intend|would like|working toward|dream|looking forward|trying to (?:save|learn|lose|become|keep|stay|quit|stop|finish|achieve|reach|reduce|increase|complete))\b`),
	at(Goal, `(?:my|our) (?:goal|aim|plan|dream|target|objective|ambition|resolution)s?\b`),
	at(Task, `(?:remind me|i need to|i should|i(?:'ve| have) (?:got )?to|i still (?:need|have)|todo|to do:|i(?:'ll| will))\b`),
	at(Event, `(?:i|we)(?:'ve| have) (?:never|only|been)\b`),
	at(Constraint, `(?:i|we)(?:'ve| have)? (?:never|only)\b`),
	at(Activity, `(?:i|we)(?:'m| am|'re| are|'ve| have| was| were|'ve been| have been)? (?:also |currently |now |still |really |just |having |getting |working|trying|using|building|writing|designing|looking|preparing|finalizing|focusing|running|learning|studying|considering|thinking|wondering|developing|exploring|worried|concerned|struggling)\b`),
	at(Activity, `(?:i|we|my|our)\b`),
}

// kindOf tells what a clause is. request says that it asks the assistant.
func kindOf(clause string) Kind {
	if isQuestion(clause) {
		return Question
	}
	for _, c := range cues {
		if c.re.MatchString(clause) {
			return c.kind
		}
	}
	return ""
}

var questionStart = lazyregexp.New(`(?i)^(?:so |and |but |also |hmm,? |ok(?:ay)?,? |well,? |then )*(?:what|which|who|whom|whose|when|where|why|how|is|are|am|do|does|did|can|could|should|would|will|may|shall|has|have you|any)\b`)

func isQuestion(s string) bool {
	return len(s) > 0 && (s[len(s)-1] == '?' || questionStart.MatchString(s))
}
