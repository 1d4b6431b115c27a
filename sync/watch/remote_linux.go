package watch

import (
	"errors"

	"golang.org/x/sys/unix"
)

// remotes are file systems whose changes by other machines raise no events here,
// by the numbers that statfs(2) gives them.
var remotes = map[uint32]string{
	0x6969:     "NFS",
	0x517b:     "SMB",
	0xff534d42: "CIFS",
	0xfe534d42: "SMB",
	0x01021997: "9p",
	0x65735546: "FUSE",
}

// remote says why a folder must be polled, nil where events can be relied on.
func remote(dir string) error {
	var s unix.Statfs_t
	if unix.Statfs(dir, &s) != nil {
		return nil
	}
	if name, ok := remotes[uint32(s.Type)]; ok {
		return errors.New("the vault lies on " + name + ", which does not tell of every change")
	}
	return nil
}

// folderBudget is how many folders may be watched: as many as the system lets.
func folderBudget() int { return 1 << 30 }
