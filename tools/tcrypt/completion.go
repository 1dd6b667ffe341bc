package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// The shells get scripts of our own. Cobra's for bash needs the package bash-completion, and all lose their way in
// names with parentheses.

// bashScript hands the line over, since bash has taken it apart at characters that are part of our names.
const bashScript = `# bash completion for tcrypt: source <(tcrypt completion bash)
_tcrypt() {
	local found
	COMPREPLY=()
	if found=$("${1/#\~/$HOME}" complete-line "${COMP_LINE:0:COMP_POINT}" 2>/dev/null); then
		[[ $found ]] && mapfile -t COMPREPLY <<<"$found"
	else
		compopt -o default
	fi
}
complete -F _tcrypt tcrypt
`

const zshScript = `#compdef tcrypt
# zsh completion for tcrypt: source <(tcrypt completion zsh), or in a file _tcrypt of fpath
_tcrypt() {
	local found
	if found=$(${(Q)words[1]} complete-words -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null); then
		[[ -n $found ]] && compadd -- "${(@f)found}"
	else
		_files
	fi
}
if [[ ${funcstack[1]} == _tcrypt ]]; then _tcrypt "$@"; else compdef _tcrypt tcrypt; fi
`

const fishScript = `# fish completion for tcrypt: tcrypt completion fish | source
function __tcrypt_complete
	if set -l found (tcrypt complete-line --words (commandline -cp | string collect) 2>/dev/null)
		for name in $found
			echo $name
		end
	else
		__fish_complete_path (commandline -ct)
	end
end
complete -c tcrypt -f -a '(__tcrypt_complete)'
`

// shellScripts puts our scripts in the place of cobra's.
func shellScripts(completion *cobra.Command) {
	for _, s := range []struct{ shell, script, use, file string }{
		{"bash", bashScript, "source <(tcrypt completion bash)", "~/.bashrc"},
		{"zsh", zshScript, "source <(tcrypt completion zsh)", "~/.zshrc, behind compinit"},
		{"fish", fishScript, "tcrypt completion fish | source", "~/.config/fish/config.fish"},
	} {
		c, _, err := completion.Find([]string{s.shell})
		if err != nil {
			panic(err) // cobra has them all
		}
		c.Long = "Print the script that lets " + s.shell + " complete tcrypt's commands, flags and names.\n\n" +
			"In this shell:     " + s.use + "\n" + "In every new one:  the same line in " + s.file
		c.ResetFlags() // of cobra's script
		c.RunE = func(cmd *cobra.Command, _ []string) error {
			_, err := io.WriteString(cmd.OutOrStdout(), s.script)
			return err
		}
	}
}

// errFiles ends a completion that only the shell can make: names of files.
var errFiles = errors.New("names of files")

// The scripts' commands print what may stand in the place of the last word, one a line, or fail where it is a file.
func (a *app) completeCommands() []*cobra.Command {
	words := &cobra.Command{
		Use: "complete-words", Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			list, err := a.candidates(args)
			return errors.Join(err, printLines(cmd.OutOrStdout(), list))
		},
	}
	line := &cobra.Command{Use: "complete-line", Hidden: true, Args: cobra.ExactArgs(1)}
	whole := line.Flags().Bool("words", false, "whole words, and not what bash inserts")
	line.RunE = func(cmd *cobra.Command, args []string) error {
		l := splitLine(args[0])
		list, err := a.candidates(l.words[1:])
		for i := range list {
			if !*whole {
				list[i] = l.insert(list[i])
			}
		}
		return errors.Join(err, printLines(cmd.OutOrStdout(), list))
	}
	return []*cobra.Command{words, line}
}

func printLines(w io.Writer, lines []string) error {
	for _, line := range lines {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// candidates returns what may stand in the place of the last of words, or errFiles.
func (a *app) candidates(words []string) ([]string, error) {
	if len(words) == 0 {
		words = []string{""}
	}
	var out bytes.Buffer
	c := a.command()
	c.SetOut(&out)
	c.SetErr(io.Discard)
	c.SetArgs(append([]string{cobra.ShellCompNoDescRequestCmd}, words...))
	if err := c.Execute(); err != nil {
		return nil, err
	}
	flag, word := "", words[len(words)-1]
	if i := strings.IndexByte(word, '='); i > 0 && strings.HasPrefix(word, "--") {
		flag, word = word[:i+1], word[i+1:] // cobra returns the flag's value alone
	}
	var list []string
	directive := cobra.ShellCompDirectiveDefault
	for line := range strings.Lines(out.String()) {
		line = strings.TrimSuffix(line, "\n")
		if _, err := fmt.Sscanf(line, ":%d", &directive); err == nil {
			break
		}
		if strings.HasPrefix(line, word) {
			list = append(list, flag+line)
		}
	}
	if list == nil && directive&cobra.ShellCompDirectiveNoFileComp == 0 {
		return nil, errFiles
	}
	return list, nil
}

// A commandLine is what bash has of a line up to the cursor.
type commandLine struct {
	words []string // without quotes and backslashes; the last is the one to complete
	quote rune     // which is open, or 0
	from  int      // of the last word: what bash replaces begins at this byte
}

// breaks are the characters at which bash's word to replace begins, besides blanks (COMP_WORDBREAKS).
const breaks = "@><=;|&(:"

// splitLine takes a line apart as bash does, POSIX.1-2024 section 2.2.
func splitLine(line string) (l commandLine) {
	var word strings.Builder
	begun, escaped := false, false
	for _, r := range line {
		switch {
		case escaped, l.quote == '\'' && r != '\'', l.quote == '"' && r != '"' && r != '\\':
			word.WriteRune(r)
			escaped = false
		case r == '\\':
			escaped, begun = true, true
		case r == '\'' || r == '"':
			begun = true
			if l.quote == 0 {
				l.quote = r
			} else {
				l.quote = 0
			}
			l.from = word.Len()
		case r == ' ' || r == '\t':
			if begun {
				l.words = append(l.words, word.String())
			}
			word.Reset()
			begun, l.from = false, 0
		default:
			word.WriteRune(r)
			begun = true
			if strings.ContainsRune(breaks, r) {
				l.from = word.Len()
			}
		}
	}
	l.words = append(l.words, word.String())
	return l
}

// insert returns what bash is to put in the place of the end of the line, so that the last word is candidate.
func (l commandLine) insert(candidate string) string {
	text := candidate[min(l.from, len(candidate)):]
	if l.quote != 0 {
		return text // bash closes the quote
	}
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune(" \t\\'\"()<>;|&*?[]#~$`!{}", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
