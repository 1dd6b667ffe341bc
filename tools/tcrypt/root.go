package main

import (
	"io"
	"strings"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"kcrypto"
	"kcrypto/tools/tcrypt/internal/kernelmode"
)

// app is what the commands share.
type app struct {
	out      *stdout
	err      io.Writer
	progress *progress
	logLevel choice
	args     []string
	started  bool // the arguments were understood
}

func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:   "tcrypt",
		Short: "List, explain, test and time the drivers of kcrypto",
		Long: `tcrypt shows which implementations of each algorithm kcrypto has, which of them work on this
machine and why the others do not, tests them, and times them. Without a command it gives a
tour of all that in a few seconds.

A name is an algorithm, a driver, a composition or an alias, in quotes where the shell wants them:
'gcm(aes)', gcm-aes-stdlib, 'rfc4106(gcm-aes-generic)', chacha20poly1305.

tcrypt mode=200 sec=1 is the form of Linux's tcrypt module; tcrypt modes lists its modes.`,
		Example: `  tcrypt
  tcrypt list 'gcm(aes)'
  tcrypt speed 'gcm(aes)' --drivers all
  KCRYPTO=cpu.avx512=off tcrypt explain 'xts(aes)'
  tcrypt mode=200 sec=1`,
		Version:           "known when asked for", // git takes milliseconds
		Args:              commandKnown,
		ValidArgsFunction: completeParams,
		SilenceErrors:     true,
		SilenceUsage:      true,
		PersistentPreRunE: func(*cobra.Command, []string) error { return a.prepare() },
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return a.kernel(cmd.Context(), args)
			}
			return a.tour(cmd.Context())
		},
	}
	a.logLevel.of = []string{"debug", "info", "warn"}
	flags := root.PersistentFlags()
	flags.Var(&a.logLevel, "log-level", "show kcrypto's log on stderr: debug, info or warn")
	complete(root, "log-level", a.logLevel.of...)
	root.SetOut(a.out)
	cobra.AddTemplateFunc("version", version)
	root.SetVersionTemplate("{{version}}\n")
	root.SetHelpCommand(helpCommand())
	root.AddCommand(a.listCommand(), a.explainCommand(), a.infoCommand(), a.testCommand(), a.speedCommand(),
		a.limitsCommand(), a.modesCommand(), a.compareCommand(), a.tuneCommand(), a.drawCommand(),
		a.manCommand())
	root.AddCommand(a.completeCommands()...)
	for _, t := range topics {
		root.AddCommand(t.command())
	}
	knownShellsOnly(root)
	narrowHelps(root, a.out.Width())
	return root
}

// commandKnown refuses what is no command, and no parameter of the kernel's form, in one line.
func commandKnown(parent *cobra.Command, args []string) error {
	if len(args) == 0 || kernelmode.IsParam(args[0]) {
		return nil
	}
	names := commandNames(parent)
	return unknown("command", args[0], names, "the commands are "+strings.Join(names, ", "))
}

// knownShellsOnly adds cobra's completion command, and has it refuse other shells: it would show its help.
func knownShellsOnly(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	c, _, _ := root.Find([]string{"completion"})
	shellScripts(c)
	shells := commandNames(c)
	c.RunE = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usagef("completion takes a shell; the shells are %s", strings.Join(shells, ", "))
		}
		return unknown("shell", args[0], shells, "the shells are "+strings.Join(shells, ", "))
	}
	c.Args = cobra.ArbitraryArgs
}

func commandNames(parent *cobra.Command) []string {
	var names []string
	for _, c := range parent.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

// helpCommand is cobra's, but for commands that do not exist.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Show what a command does",
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			return commandNames(cmd.Root()), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil {
				return usageError{err}
			}
			in := about
			if !about.HasSubCommands() {
				in = cmd.Root()
			}
			if err := commandKnown(in, rest); err != nil {
				return err
			}
			return about.Help()
		},
	}
}

// prepare does what every command needs done first.
func (a *app) prepare() error {
	a.started = true
	if a.logLevel.value != "" {
		level, err := zerolog.ParseLevel(a.logLevel.value)
		if err != nil {
			return err
		}
		console := zerolog.ConsoleWriter{Out: logWriter{a}, NoColor: a.progress == nil || a.progress.dumb}
		kcrypto.SetLogger(zerolog.New(console).Level(level).With().Timestamp().Logger())
	}
	return kcrypto.CheckConfig()
}

// logWriter writes to stderr without running into the progress line.
type logWriter struct{ a *app }

func (w logWriter) Write(p []byte) (int, error) {
	w.a.progress.clear()
	return w.a.err.Write(p)
}
