package history

// Rest gives back the memory that reading objects takes, up to some 10 MB. It is
// for a process that keeps a repository for long and has nothing to do for now.
func (r *Repo) Rest() { r.objects.rest() }

func (o *objects) rest() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.trees.rest()
	o.commits.rest()
	o.gone.rest()
	o.reopen()
}
