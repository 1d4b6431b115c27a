package daemon

// The protocol is lines of JSON. The client sends a Request, the daemon answers
// with messages until one has an exit status or a refusal. Meanwhile the client
// may send input that the command asked for, or a stop. Closing the connection
// stops the command too.

// protocol is the version of these lines. It grows when an older reader would
// misunderstand.
const protocol = 1

// A Request is a command of another process.
type Request struct {
	Protocol int    `json:"protocol"`
	Version  string `json:"version"`
	// Args are the command line without the program's name; none asks only
	// whether the daemon answers.
	Args []string `json:"args"`
	// Dir is the folder that the process is in.
	Dir string `json:"dir"`
	// Env is its environment. The socket is open to its owner alone; it is
	// never logged.
	Env map[string]string `json:"env"`
	// OutTerminal and ErrTerminal say where the output will be seen.
	OutTerminal bool `json:"out_terminal"`
	ErrTerminal bool `json:"err_terminal"`
}

// A message is a line from the daemon.
type message struct {
	// Taken says that the command will be run: the first message. A daemon that
	// hangs does not send it.
	Taken bool   `json:"taken,omitempty"`
	Out   []byte `json:"out,omitempty"`
	Err   []byte `json:"err,omitempty"`
	// Want asks for what stands on the client's standard input.
	Want bool `json:"want,omitempty"`
	// Exit is the command's exit status: the last message.
	Exit *int `json:"exit,omitempty"`
	// Refused says why the command was not run: the last message.
	Refused string `json:"refused,omitempty"`
}

// A signal is a line from the client after its request.
type signal struct {
	In   []byte `json:"in,omitempty"`
	End  bool   `json:"end,omitempty"` // of the input
	Stop bool   `json:"stop,omitempty"`
}

// The bounds of what is taken from a socket.
const (
	maxRequest = 4 << 20  // bytes of one line from a client
	maxMessage = 16 << 20 // bytes of one line from the daemon
	maxClients = 64       // commands at the same time, see bounds; more wait
	maxWaiting = 256      // connections at the same time, see bounds; more wait for theirs
	chunkSize  = 64 << 10 // bytes of output or input in one line
)
