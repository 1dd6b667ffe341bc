package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"kcrypto"
	"kcrypto/registry"
	"kcrypto/tools/tcrypt/internal/result"
	"kcrypto/tools/tcrypt/internal/text"
)

func (a *app) explainCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "explain name",
		Short: "Show which driver a name gives, and why",
		Long: `Show the candidates for a name, what each of them lacks, how its self-test went, and which one
an allocation by that name gets, and why.`,
		Example: `  tcrypt explain 'gcm(aes)'
  KCRYPTO=disable='gcm-aes-stdlib' tcrypt explain 'gcm(aes)' -o json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("explain takes one name, not %d; for example: tcrypt explain 'gcm(aes)'", len(args))
			}
			return nil
		},
		ValidArgsFunction: completeNames,
	}
	form := outputFlag(cmd, "text", "json")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		gs, err := groups(args)
		if err != nil {
			return err
		}
		if err := a.selfTest(cmd.Context(), gs); err != nil { // all candidates, not just those down to the winner
			return err
		}
		e, err := kcrypto.Explain(args[0])
		if err != nil {
			return err
		}
		if form.value == "json" {
			err = result.WriteJSON(a.out, e)
		} else {
			writeExplanation(a.out, e)
		}
		if e.Winner == "" {
			err = errors.Join(err, fmt.Errorf("no driver can serve %s here", e.Name))
		}
		return err
	}
	return cmd
}

func writeExplanation(w io.Writer, e registry.Explanation) {
	if e.Winner == "" {
		fmt.Fprintf(w, "%s: no driver\n", e.Name)
	} else {
		fmt.Fprintf(w, "%s: %s\n", e.Name, e.Winner)
	}
	text.Print(w, e.Why, 96)
	fmt.Fprintln(w)
	if len(e.Candidates) > 0 {
		winners := map[string]string{e.Candidates[0].Algorithm: e.Winner}
		fmt.Fprintln(w, strings.Join(driverRows(e.Candidates, winners, text.WidthOf(w, 0)), "\n"))
	}
	for _, c := range e.Candidates {
		if len(c.Tuning) > 0 && c.SelfTest != registry.Unavailable {
			text.Print(w, fmt.Sprintf("%s is tuned for this CPU's model: %s", c.Driver, settings(c.Tuning)), 0)
		}
	}
}
