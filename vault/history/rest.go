package history

// Rest gives back the memory that reading objects takes, up to some 10 MB. It is
// for a process that keeps a repository for long and has nothing to do for now.
func (r *Repo) Rest() {
	r.objects.rest()
	r.gone.Lock()
	defer r.gone.Unlock()
	r.gone.by = nil
}

func (o *objects) rest() {
	o.mu.Lock()
	defer o.mu.Unlock()
	clear(o.trees)
	clear(o.commits)
	o.reopen()
}
