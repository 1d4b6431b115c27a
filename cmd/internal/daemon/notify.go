package daemon

import (
	"context"
	"net"
	"strconv"
	"time"
)

// A Notifier tells systemd how the daemon does, by the protocol of sd_notify(3).
// Without NOTIFY_SOCKET it tells nobody.
type Notifier struct {
	socket string
	every  time.Duration
}

// NewNotifier reads NOTIFY_SOCKET and WATCHDOG_USEC.
func NewNotifier(env func(string) (string, bool)) Notifier {
	var n Notifier
	n.socket, _ = env("NOTIFY_SOCKET")
	if usec, ok := env("WATCHDOG_USEC"); ok {
		if us, err := strconv.ParseInt(usec, 10, 64); err == nil {
			n.every = time.Duration(us) * time.Microsecond / 2
		}
	}
	return n
}

// Ready says that the daemon has begun its work, Stopping that it ends.
func (n Notifier) Ready() error { return n.tell("READY=1") }

// Stopping says that the daemon ends.
func (n Notifier) Stopping() error { return n.tell("STOPPING=1") }

// Watchdog gives the signs of life that the unit asked for, as long as well says
// that there is life, until ctx is done.
func (n Notifier) Watchdog(ctx context.Context, well func() bool) {
	if n.socket == "" || n.every <= 0 {
		return
	}
	t := time.NewTicker(n.every)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			if well() {
				_ = n.tell("WATCHDOG=1") // systemd restarts us if it misses many
			}
		}
	}
}

func (n Notifier) tell(state string) error {
	if n.socket == "" {
		return nil
	}
	name := n.socket
	if name[0] == '@' {
		name = "\x00" + name[1:] // an abstract socket
	}
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: name, Net: "unixgram"})
	if err != nil {
		return err
	}
	defer conn.Close()
	_, err = conn.Write([]byte(state))
	return err
}
