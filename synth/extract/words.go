package extract

import "strings"

// StopWord reports whether a lower-case word carries no topic: grammar, and the
// small talk of asking an assistant.
func StopWord(w string) bool { return stopWords[w] || len(w) == 1 }

// Weak reports whether a lower-case word is too general to be a topic by itself.
func Weak(w string) bool { return StopWord(w) || weakWords[w] || len(w) < 3 }

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

var stopWords = union(set(`
a about above across actually after again against all almost already also although always am among an and another any anyone
anything are aren't around as ask asked asking at available away back basically be because become been before began being below best better between
both bring but by came can can't cannot case certain certainly clear come consider considering could couldn't currently did didn't different do does
doesn't doing don't done down during each easily effectively either else end enough ensure especially etc even ever every everything exactly
example explain far feel few find first following for found from further gave general get getting give given go goes going good got great had
has have haven't having he help helpful her here here's hers him his hmm how however i i'd i'll i'm i've idea if implement in include
including instead into is isn't issue it it's its itself just keep kind know last later least less let let's like likely little ll look
looking lot made main make makes making many may maybe me mean means might mine more most much must my myself name need needed needs never new next
nice no not nothing now of off often oh ok okay on once one only or other others our out over own part particular people perhaps
please point possible pretty probably provide put question quite rather re really recently regarding related right s said same say see seem seems
set several shall she should shouldn't show since so some someone something soon sorry specific specifically start started still
stuff such suggest suggestions sure t take taking talk tell than thank thanks that that's the their them then there there's these they
they're thing things think this those though through thus tips to together told too took toward towards tried try trying
two under understand until up upon us use used useful using usually various ve very want wanted wants was wasn't way ways we we'll we're
we've well went were weren't what what's whatever when where whether which while who whole whom whose why will with within without
won't wonder wondering work working works would wouldn't yeah yes yet you you'd you'll you're you've your yours yourself
able add adding based basic bit change changes check code correctly create current curious day days details discuss discussed figure file
friend fully guess handle hard having hello hey hi high important improve improving information involve keeping learn level line long lots low
manage move number order plan planning possible potential process properly properly provided real recommend recommendations recommendation
require results review run sense share short side similar simple small sound sounds step steps support team time times today tomorrow
total true turn type update updated value wait week weeks weekend worth wrong year years yesterday month months hour hours minute minutes
kinda sorta gonna wanna gotta january february march april june july august september october november december monday tuesday wednesday thursday friday saturday sunday appreciate advice struggling worried concerned interested excited happy glad definitely improvements trouble absolutely feeling hope heard love explore cover thinking curious example opportunity offer optimize create creating compelling remember recommend visit consist focus introduce enjoy continue avoid allow brief summary paragraph list sentence rewrite translate draft examples options company thought noticed noted totally agree sense
`), chatter)

// weakWords may stand inside a phrase and are no phrase by themselves.
var weakWords = set(`
app application approach area aspect build data design development error feature function goal implementation list method model
number option page performance place problem project response section service set structure system task test user version world
format message answer question conversation chat text word sentence response setup server content tool tools result strategy strategies
experience life home house school book books food morning evening night money group local online family favorite beautiful
event activity break city town country couple kind moment chance journey opportunity decision gathering call anchor
`)

// chatter is what people say to be kind, to greet and to judge: it fills chats and
// is no topic of them.
var chatter = set(`
amazing awesome beautiful brilliant cool crazy cute delicious epic exciting fabulous fantastic fascinating fun funny gorgeous haha hahaha hilarious
incredible insane interesting lol lmao lovely magical omg perfect refreshing relaxing stunning super terrible unforgettable
unreal weird wonderful yum yummy wow congrats congratulations cheers bye goodbye goodnight hiya howdy greetings
dude guys bro buddy mate dear sweetie hehe yay yup nope nah okay alright welcome sorry pleasure luck lucky
blast vibe vibes lots kinds sorts plenty favorites
`)

func union(sets ...map[string]bool) map[string]bool {
	all := map[string]bool{}
	for _, s := range sets {
		for w := range s {
			all[w] = true
		}
	}
	return all
}
