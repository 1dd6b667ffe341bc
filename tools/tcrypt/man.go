package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func (a *app) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man directory",
		Short: "Write manual pages",
		Long: `Write a manual page for tcrypt and one for each command into a directory, which is made if need
be. The variable SOURCE_DATE_EPOCH sets their date.`,
		Example: `  tcrypt man ~/.local/share/man/man1
  man tcrypt-speed`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("man takes one directory, not %d; for example: tcrypt man ~/.local/share/man/man1", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return usageError{err}
			}
			cmd.Root().DisableAutoGenTag = true // the day would be in it
			header := &doc.GenManHeader{Section: "1", Source: "kcrypto", Manual: "kcrypto"}
			if err := doc.GenManTree(cmd.Root(), header, args[0]); err != nil {
				return err
			}
			return addTopics(args[0])
		},
	}
}

// addTopics appends the topics to every manual page of tcrypt in a directory.
func addTopics(dir string) error {
	pages, err := filepath.Glob(filepath.Join(dir, "tcrypt*.1"))
	if err != nil {
		return err
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			return err
		}
		for _, t := range topics {
			text = append(text, t.roff()...)
		}
		if err := os.WriteFile(page, text, 0o666); err != nil {
			return err
		}
	}
	return nil
}
