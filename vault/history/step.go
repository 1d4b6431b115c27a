package history

// A Step is a point at which a commit touches the disk. Config.Step is told of
// each before it happens, so that tests can make it fail there, or kill the process.
type Step string

// The steps of a commit, in the order in which they happen. Those about objects
// come once for each.
const (
	StepLock        Step = "take a lock"
	StepWriteObject Step = "write an object"
	StepSyncObject  Step = "sync an object"
	StepNameObject  Step = "rename an object"
	StepNamePack    Step = "rename a pack"
	StepSyncFolder  Step = "sync a folder"
	StepWriteIndex  Step = "write the new index"
	StepSyncIndex   Step = "sync the new index"
	StepJournal     Step = "write the journal"
	StepWriteRef    Step = "write the branch"
	StepSyncRef     Step = "sync the branch"
	StepNameRef     Step = "rename the branch"
	StepReflog      Step = "append to the reflog"
	StepNameIndex   Step = "rename the index"
	StepUnlock      Step = "release the locks"
	StepEndJournal  Step = "remove the journal"
)

// step reports a step to the Config and returns what it says.
func (r *Repo) step(s Step) error {
	if r.cfg.Step == nil {
		return nil
	}
	return r.cfg.Step(s)
}
