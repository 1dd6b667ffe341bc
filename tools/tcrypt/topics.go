package main

import (
	"strings"

	"github.com/spf13/cobra"

	"kcrypto/tools/tcrypt/internal/text"
)

// A topic is help that belongs to no single command: tcrypt help NAME shows it, and every manual page ends with it.
type topic struct {
	name, title, short, intro string
	rows                      [][2]string // a word and what it means
}

var topics = []topic{{
	name: "environment", title: "ENVIRONMENT", short: "The variables that tcrypt and kcrypto go by",
	intro: "KCRYPTO holds settings of the library, key=value pairs between commas, for tcrypt as for any program. A " +
		"setting that cannot be understood is an error; none is ignored.",
	rows: [][2]string{
		{"KCRYPTO=cpu.FEATURE=off", "as if the CPU lacked it: aes, pclmulqdq, avx, avx2, vaes, vpclmulqdq, avx512, bmi2, " +
			"movbe, ifma, ssse3, or all"},
		{"KCRYPTO=prefer.ALGORITHM=DRIVER", "this driver for that algorithm, if it works"},
		{"KCRYPTO=disable=GLOB[;GLOB]", "drivers that are not to be used; * and ? stand for other characters"},
		{"KCRYPTO=preferymm=auto|on|off", "whether drivers with 512-bit registers come last; auto goes by the CPU's model"},
		{"KCRYPTO=chunk=BYTES", "work between two points where a goroutine can be stopped: 1024 to 1073741824, else 65536"},
		{"KCRYPTO=tune.NAME=VALUE", "a form of a driver's code in place of the one for the CPU's model: chacha.pass=16 or " +
			"24, chacha.block=vector or scalar"},
		{"KCRYPTO=selftest=lazy|eager|full", "test a driver at its first use, all drivers at once, or at length"},
		{"KCRYPTO=strict=on", "a failed self-test or a missing preferred driver is an error, not a step down"},
		{"GODEBUG=cpu.FEATURE=off", "what it switches off for Go is off for kcrypto too"},
		{"GODEBUG=fips140=only", "Go's own ciphers that FIPS 140 does not approve are unavailable"},
		{"NO_COLOR", "set to anything: pictures on the terminal have no colours"},
		{"TERM=dumb", "no colours, and progress in plain lines"},
		{"COLUMNS", "characters on a line, if that is not what the terminal says; in pipes lines are as long as they are"},
		{"SOURCE_DATE_EPOCH", "seconds since 1970: the date of manual pages"},
	},
}, {
	name: "exit", title: "EXIT STATUS", short: "What the exit codes mean",
	intro: "Results go to standard output; what went wrong is one line on standard error.",
	rows: [][2]string{
		{"0", "done"},
		{"1", "a driver failed its self-test, computed a wrong result, or cannot run here although it was asked for; or a " +
			"result could not be written"},
		{"2", "a name, size, key, flag or setting that makes no sense; nothing was done"},
		{"130, 143, 129", "ended by Ctrl-C (SIGINT), SIGTERM or SIGHUP; what was measured until then is printed"},
		{"141", "whoever read the output, such as head, had enough"},
	},
}}

// command is the topic as cobra has those: a command that cannot be run.
func (t topic) command() *cobra.Command {
	return &cobra.Command{Use: t.name, Short: t.short, Long: t.text()}
}

// text is the topic for a terminal.
func (t topic) text() string {
	var b strings.Builder
	b.WriteString(strings.Join(text.Fold(strings.Fields(t.intro), 96), "\n") + "\n")
	for _, row := range t.rows {
		b.WriteString("\n  " + row[0] + "\n      " +
			strings.Join(text.Fold(strings.Fields(row[1]), 90), "\n      "))
	}
	return b.String()
}

// roff is the topic as a section of a manual page.
func (t topic) roff() string {
	escape := strings.NewReplacer(`\`, `\e`, "-", `\-`)
	var b strings.Builder
	b.WriteString(".SH " + t.title + "\n" + escape.Replace(t.intro) + "\n")
	for _, row := range t.rows {
		b.WriteString(".TP\n\\fB" + escape.Replace(row[0]) + "\\fP\n" + escape.Replace(row[1]) + "\n")
	}
	return b.String()
}
