package extract

import "github.com/memsync/memsync/vault/lazyregexp"

// LifeGoal reports whether a wish is one of the person's life: something to become,
// learn, save, reach or be done with, that has a name, a figure or a day. What
// somebody wants of the piece of work in hand, or of the next answer, is none.
func LifeGoal(text string) bool {
	return lifeGoal.MatchString(text) && !workpiece(text)
}

var lifeGoal = lazyregexp.New(`(?i)\b(?:goals?|dream|ambition|resolution|20\d\d|by (?:january|february|march|april|may|june|july|august|september|october|november|december|the end of|next)|this year|next (?:year|month|summer|spring|winter|autumn|fall)|some ?day|save|learn|study|become|marathon|degree|certificat\w+|promot(?:ed|ion)|job|career|salary|raise|travel|trip|move to|buy|visit|quit|lose|retire|marry|married|wedding|run a|start (?:a|my own)|speak|fluent|weight|healthy|health|sleep|exercise|finish (?:my|the) (?:book|novel|thesis|degree|course|studies))\b`)

// WorkStep reports whether a text tells of a piece of work in hand: what was done to
// its parts, or how many of its tasks are done. It is of use while the work goes on,
// and in its session.
func WorkStep(text string) bool {
	return workpiece(text) || counted.MatchString(text)
}

// counted are figures of the tasks of a course or a board, and shares of them.
var counted = lazyregexp.New(`(?i)\b(?:\d+|several|many|all|some|more|few|most)(?: (?:of|the|my|out of|\d+))* (?:[\w/-]+ ){0,5}?(?:problems|exercises|questions|tasks|tickets|issues|test cases|scenarios|commits|pull requests|quizzes|worksheets|examples|story points)\b|\b\d+(?:\.\d+)? ?(?:%|percent) (?:per|of (?:the )?(?:problems|questions|tests|tasks)|accuracy|coverage|faster|slower)`)

// workpiece tells what is done to a thing in hand: it names parts of programs,
// pages and documents, or is written in signs and units that only such things
// have.
func workpiece(text string) bool {
	return partOf.MatchString(text) || token.MatchString(text)
}

var partOf = lazyregexp.New(`(?i)\b(?:functions?|methods?|class(?:es)? name|endpoints?|api|apis|scripts?|code|codebase|modules?|components?|css|html|json|sql|query|queries|schemas?|columns?|tables?|databases?|servers?|cache|caching|unit tests?|test (?:coverage|suite|cases?)|errors?|bugs?|status codes?|requests?|responses?|ui|user interface|buttons?|navbar|footer|header|modals?|layouts?|grid|palette|fields?|forms?|validation|bundle|pipeline|deploy(?:ment)?|debug(?:ging)?|framework|librar(?:y|ies)|repo(?:sitory)?|web ?pages?|landing page|web ?sites?|app|apps|variables?|parameters?|formula|equations?|theorem|triangles?|proofs?|paragraphs?|sentences?|bullet points?|section|spreadsheet|columns|rows?|slides?|debounce|async|docker|latency)\b`)

var token = lazyregexp.New("`|\\w\\(\\)|\\b[a-z]+[A-Z]\\w*|\\bv?\\d+\\.\\d+(?:\\.\\d+)?\\b|\\b(?:\\d+x)?\\d+ ?(?:ms|px|[kmgKMG][bB]|fps|rpm|rps)\\b|\\w_\\w|=")

// wish begins what somebody would have so.
var wish = lazyregexp.New(`(?i)^(?:i|we)?(?:'m| am|'re| are|'d| would|'ve been| have been| do|'ve| have)?(?: not| don'?t)? ?(?:also |really |still |just |now |mainly |first )?(?:want|need|like|love|aim|aiming|hope|hoping|plan|planning|intend|trying|try|looking forward|(?:set|made) (?:a|my) \w+)\b|^my (?:goal|aim|plan|objective|target)s?\b`)

// lasting are aims that outlive the piece of work in which they are said.
var lasting = lazyregexp.New(`(?i)\b(?:learn|study|become|career|job|degree|save (?:up|for|\$|€|£)|dream|launch|sell|publish|found|earn|promot(?:ed|ion)|certificat\w+)\b`)

// momentary reports whether a wish is for the piece of work in hand. Wishes that
// name a day stay, as something that is planned.
func momentary(clause string) bool {
	return wish.MatchString(clause) && workpiece(clause) && !onDay.MatchString(clause) && !lasting.MatchString(clause)
}

// onDay names a day or a month.
var onDay = lazyregexp.New(`(?i)\b(?:20\d\d|\d{1,2}(?:st|nd|rd|th)|(?:january|february|march|april|may|june|july|august|september|october|november|december) \d|by (?:the end of|next|january|february|march|april|may|june|july|august|september|october|november|december|mon|tues|wednes|thurs|fri|satur|sun))`)
