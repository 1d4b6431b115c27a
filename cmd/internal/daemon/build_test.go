package daemon

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Two builds of one tree have the same version. A daemon answers the commands of
// its own build and sends the others away; those work alone, as far as the daemon
// leaves the vault to them.
func TestAnotherBuildWorksAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program twice")
	}
	p := newPatient(t, program(t), rand.New(rand.NewPCG(13, 14)))
	other := filepath.Join(t.TempDir(), "memsync")
	build := exec.Command("go", "build", "-o", other, "-tags", "another", "-ldflags", "-s -w", "github.com/memsync/memsync/cmd/memsync")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p.save("tea.md", "I drink darjeeling in the morning.\n")
	d := p.command("watch")
	if err := d.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = d.Process.Signal(os.Interrupt)
		_ = d.Wait()
	}()
	until(t, 30*time.Second, "the daemon runs", func() bool { return strings.Contains(p.must("status"), "watched, last look") })

	run := func(bin string, args ...string) (string, string, int) {
		cmd := exec.Command(bin, args...)
		cmd.Dir, cmd.Env = p.dir, p.env
		var out, errs strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &errs
		_ = cmd.Run()
		return out.String(), errs.String(), cmd.ProcessState.ExitCode()
	}
	same, noise, status := run(p.bin, "search", "darjeeling")
	if status != 0 || noise != "" || !strings.Contains(same, "tea.md") {
		t.Errorf("the same build: %d %q %q", status, same, noise)
	}
	alone, noise, status := run(other, "search", "darjeeling")
	if status != 0 || alone != same || !strings.Contains(noise, "the daemon is another build of memsync") {
		t.Errorf("another build: %d %q %q", status, alone, noise)
	}
	if _, noise, status = run(other, "import", p.export()); status != 11 || !strings.Contains(noise, "locked by memsync watch") || !strings.Contains(noise, "restart it") {
		t.Errorf("another build that writes: %d %q", status, noise)
	}
	if _, noise, status = run(p.bin, "import", p.export()); status != 0 {
		t.Errorf("the same build that writes: %d %q", status, noise)
	}
}
