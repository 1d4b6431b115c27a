package ops

// A Reason says why an operation was refused. The words are public: they stand in
// --json answers and are counted.
type Reason string

// The reasons.
const (
	// NoSource: the operation names no turn, or no words in it.
	NoSource Reason = "no-source"
	// UnknownTurn: there is no such transcript, or no such turn in it.
	UnknownTurn Reason = "unknown-turn"
	// QuoteNotInTurn: the words do not stand in the turn.
	QuoteNotInTurn Reason = "quote-not-in-turn"
	// QuoteTooShort: the words are too few to prove anything.
	QuoteTooShort Reason = "quote-too-short"
	// NotTheirWords: the claim is about the person, and only an assistant or a
	// tool said it.
	NotTheirWords Reason = "not-their-words"
	// Injected: the words are not what the sender wrote: a program put them there.
	Injected Reason = "injected"
	// UnknownID: no ledger has a claim with the id.
	UnknownID Reason = "unknown-id"
	// NotInForce: the claim was superseded before.
	NotInForce Reason = "not-in-force"
	// SupersedesNothing: a correction that does not say what it corrects.
	SupersedesNothing Reason = "supersedes-nothing"
	// Secret: a secret would be written.
	Secret Reason = "secret"
	// Forgotten: the person removed it before.
	Forgotten Reason = "forgotten"
	// Pinned: the person pinned or confirmed the claim; only they change it.
	Pinned Reason = "pinned"
	// Malformed: a field is missing, too long or says what it cannot.
	Malformed Reason = "malformed"
)
