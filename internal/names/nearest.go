// Package names finds what people mean by names that kcrypto does not have: those of other libraries, programs and
// standards, and misspelt ones.
package names

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// Nearest returns the up to three of names that someone who wrote word probably meant: those with most words in
// common ("aes-gcm" and "gcm(aes)"), then those that fewest changed letters away.
func Nearest(word string, names []string) []string {
	type candidate struct {
		name          string
		missing, edit int
	}
	var found []candidate
	for _, name := range names {
		c := candidate{name, missing(word, name), distance(word, name)}
		if c.missing == 0 || c.edit <= max(1, len(word)/3) {
			found = append(found, c)
		}
	}
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.missing, b.missing), cmp.Compare(a.edit, b.edit), cmp.Compare(a.name, b.name))
	})
	var best []string
	for _, c := range found[:min(3, len(found))] {
		best = append(best, c.name)
	}
	return best
}

// missing counts the words of a that b does not have.
func missing(a, b string) int {
	have, n := words(b), 0
	for _, w := range words(a) {
		if !slices.Contains(have, w) {
			n++
		}
	}
	return n
}

func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// distance is how many letters have to be put in, taken out or changed to make b of a (V. I. Levenshtein, 1965).
func distance(a, b string) int {
	row := make([]int, len(b)+1) // row[j]: from the part of a seen so far to b[:j]
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
