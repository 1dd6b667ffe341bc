package result

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
)

// Commit says which commit of kcrypto this program was built from: what the go command wrote into it or, since it
// writes nothing when it runs a program from source, what git says of that source.
var Commit = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return unknownCommit
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	_, source, _, _ := runtime.Caller(0)
	switch version := info.Main.Version; {
	case settings["vcs.revision"] != "":
		return describe(settings["vcs.revision"], settings["vcs.modified"] == "true")
	case version != "" && version != "(devel)":
		return version
	case isRunBy(os.Executable()) && filepath.IsAbs(source):
		return commitOf(filepath.Dir(source))
	}
	return unknownCommit
})

const unknownCommit = "unknown: built without version control"

// isRunBy reports whether an executable is one that the go command made to run it, from source as it is now.
func isRunBy(executable string, err error) bool {
	return err == nil && strings.Contains(executable, string(filepath.Separator)+"go-build")
}

// commitOf asks git what is checked out in a directory.
func commitOf(dir string) string {
	revision, err := exec.Command("git", "-C", dir, "rev-parse", "HEAD").Output()
	if err != nil {
		return unknownCommit
	}
	changes, err := exec.Command("git", "-C", dir, "status", "--porcelain").Output()
	return describe(strings.TrimSpace(string(revision)), err != nil || len(changes) > 0)
}

// describe shortens a revision as git log does, or so.
func describe(revision string, modified bool) string {
	short := revision[:min(12, len(revision))]
	if modified {
		short += " with changes"
	}
	return short
}
