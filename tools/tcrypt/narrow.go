package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kcrypto/tools/tcrypt/internal/text"
)

// helpWidth is how wide helps are where there is space.
const helpWidth = 100

// narrowHelps has helps of root and its commands keep to a width.
func narrowHelps(root *cobra.Command, width int) {
	if width == 0 || width >= helpWidth {
		return
	}
	cobra.AddTemplateFunc("fold", func(help string) string { return refold(help, width) })
	root.SetHelpTemplate(strings.Replace(root.HelpTemplate(), "trimTrailingWhitespaces", "fold", 1))
	usages := fmt.Sprint(".FlagUsagesWrapped ", width)
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", usages))
}

// refold folds paragraphs anew. An indented line is one of its own, and what is left of it is indented as much.
func refold(help string, width int) string {
	var out, words []string
	flush := func() {
		out = append(out, text.Fold(words, width)...)
		words = nil
	}
	for line := range strings.SplitSeq(strings.TrimSpace(help), "\n") {
		rest := strings.TrimLeft(line, " ")
		indent := line[:len(line)-len(rest)]
		switch {
		case rest == "":
			flush()
			out = append(out, "")
		case indent == "":
			words = append(words, strings.Fields(line)...)
		case len(line) <= width:
			flush()
			out = append(out, line)
		default:
			flush()
			for _, folded := range text.Fold(strings.Fields(rest), width-len(indent)) {
				out = append(out, indent+folded)
			}
		}
	}
	flush()
	return strings.Join(out, "\n")
}
