package importer

// Limits bound what one path may make memsync read. A zero field means the
// default.
type Limits struct {
	// Files is the largest number of files that are listed. Default 200,000.
	Files int
	// Unpacked is the most that the readable files of one archive may say they
	// unpack to, in bytes. Default 64 GiB.
	Unpacked int64
	// Ratio is how many times its packed size a file of an archive may unpack to,
	// beyond the first 16 MiB. JSON packs 5 to 30 times, deflate at most 1,032.
	// Default 200.
	Ratio int64
	// Nested is the largest archive inside an archive that is unpacked to disk to
	// be read, in bytes. Default 4 GiB.
	Nested int64
}

// freely is what any file may unpack to, whatever its ratio: a small file of
// spaces is no bomb.
const freely = 16 << 20

func (l Limits) withDefaults() Limits {
	if l.Files == 0 {
		l.Files = 200_000
	}
	if l.Unpacked == 0 {
		l.Unpacked = 64 << 30
	}
	if l.Ratio == 0 {
		l.Ratio = 200
	}
	if l.Nested == 0 {
		l.Nested = 4 << 30
	}
	return l
}

// allowed is what packed bytes may unpack to.
func (l Limits) allowed(packed int64) int64 { return freely + packed*l.Ratio }
