// Package marker has the words between consttime and its subject.
package marker

// Driver begins the line on stderr that the subject writes before it exercises a driver, whose name follows.
const Driver = "== driver: "

// Names in place of a driver's: the leaks made on purpose, and the end of the run.
const (
	Planted = "planted"
	End     = "end"
)
