package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// A choice is a flag that takes one of a few words.
type choice struct {
	value string
	of    []string
}

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return "word" }

func (c *choice) Set(s string) error {
	if !slices.Contains(c.of, s) {
		return fmt.Errorf("want %s", strings.Join(c.of, ", "))
	}
	c.value = s
	return nil
}

// outputFlag gives cmd the flag -o, which chooses between forms of output; the first is the default.
func outputFlag(cmd *cobra.Command, forms ...string) *choice {
	c := &choice{forms[0], forms}
	cmd.Flags().VarP(c, "output", "o", "form of the output: "+strings.Join(forms, ", "))
	complete(cmd, "output", forms...)
	return c
}

// complete makes the shell offer values for a flag.
func complete(cmd *cobra.Command, flag string, values ...string) {
	f := cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // the flag does not exist: a mistake in this program
	}
}

// completeList makes the shell offer values for a flag that takes several between commas.
func completeList(cmd *cobra.Command, flag string, values func() []string) {
	f := func(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		written := word[:strings.LastIndex(word, ",")+1]
		var list []string
		for _, v := range values() {
			list = append(list, written+v)
		}
		return list, cobra.ShellCompDirectiveNoFileComp
	}
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // the flag does not exist: a mistake in this program
	}
}

// numbers is a flag that takes whole numbers between commas.
type numbers struct {
	values   []int
	what     string // "bytes"
	min, max int
}

// or returns the values or, if none were given, others.
func (n *numbers) or(others ...int) []int {
	if len(n.values) == 0 {
		return others
	}
	return n.values
}

func (n *numbers) String() string {
	return strings.Trim(strings.Join(strings.Fields(fmt.Sprint(n.values)), ","), "[]")
}

func (n *numbers) Type() string { return n.what }

func (n *numbers) Set(s string) error {
	n.values = nil
	for word := range strings.SplitSeq(s, ",") {
		v, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || v < n.min || v > n.max {
			return fmt.Errorf("%q is no number of %s from %d to %d", word, n.what, n.min, n.max)
		}
		if !slices.Contains(n.values, v) {
			n.values = append(n.values, v)
		}
	}
	return nil
}

// nameList is a flag that takes names between commas. A composition's name has commas within its parentheses.
type nameList struct{ names *[]string }

func (n nameList) Type() string { return "names" }

func (n nameList) String() string {
	if n.names == nil {
		return ""
	}
	return strings.Join(*n.names, ",")
}

func (n nameList) Set(s string) error {
	*n.names = nil
	depth, from := 0, 0
	for i, c := range s + "," {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if name := strings.TrimSpace(s[from:i]); depth == 0 && name != "" {
				*n.names = append(*n.names, name)
			}
			if depth == 0 {
				from = i + 1
			}
		}
	}
	if depth != 0 {
		return fmt.Errorf("%q lacks a parenthesis", s)
	}
	return nil
}
