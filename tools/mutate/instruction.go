package main

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
)

// A way changes one line, or says that it does not apply.
type way func(random *rand.Rand, line string) (string, bool)

var ways = []way{drop, turn, nudge, shift, misname}

// drop leaves the instruction out.
func drop(*rand.Rand, string) (string, bool) { return "", true }

// twins are instructions of the same form that do something else: the first that fits is exchanged for its partner. OR
// and XOR are no twins in that direction: joining disjoint bits they do the same.
var twins = [][2]string{
	{"PADD", "PSUB"}, {"PSUB", "PADD"}, {"PXOR", "POR"}, {"POR", "PAND"}, {"PAND", "POR"},
	{"AESENCLAST", "AESENC"}, {"AESENC", "AESENCLAST"}, {"AESDECLAST", "AESDEC"}, {"AESDEC", "AESDECLAST"},
	{"ADDQ", "SUBQ"}, {"SUBQ", "ADDQ"}, {"ADDL", "SUBL"}, {"SUBL", "ADDL"}, {"ADCQ", "ADDQ"}, {"SBBQ", "SUBQ"},
	{"SHLQ", "SHRQ"}, {"SHRQ", "SHLQ"}, {"XORQ", "ORQ"}, {"XORL", "ORL"}, {"ORQ", "ANDQ"}, {"ANDQ", "ORQ"},
	{"ANDL", "ORL"},
	{"PSLL", "PSRL"}, {"PSRL", "PSLL"}, {"PSRA", "PSRL"}, {"PROLD", "PSLLD"},
	{"PUNPCKL", "PUNPCKH"}, {"PUNPCKH", "PUNPCKL"}, {"52LUQ", "52HUQ"}, {"52HUQ", "52LUQ"},
	{"JNE", "JEQ"}, {"JEQ", "JNE"}, {"JNZ", "JZ"}, {"JCS", "JCC"}, {"JCC", "JCS"}, {"JHI", "JLS"}, {"JLS", "JHI"},
	{"JLT", "JGE"},
	{"CMOVQHI", "CMOVQLS"}, {"CMOVQCS", "CMOVQCC"}, {"CMOVQCC", "CMOVQCS"}, {"CMOVQEQ", "CMOVQNE"}, {"CMOVQNE", "CMOVQEQ"},
	{"INCQ", "DECQ"}, {"DECQ", "INCQ"},
}

// turn exchanges the instruction for its twin.
func turn(_ *rand.Rand, line string) (string, bool) {
	name := instruction.FindStringSubmatch(line)[1]
	for _, pair := range twins {
		if strings.Contains(name, pair[0]) {
			return strings.Replace(line, name, strings.Replace(name, pair[0], pair[1], 1), 1), true
		}
	}
	return "", false
}

var immediate = regexp.MustCompile(`\$(0x[0-9a-f]+|-?\d+)`)

// nudge changes a constant by one.
func nudge(random *rand.Rand, line string) (string, bool) {
	return replaceOne(random, line, immediate, func(s string) string {
		n, err := strconv.ParseInt(s[1:], 0, 64)
		if err != nil { // over 63 bits: the lowest bit is enough
			u, _ := strconv.ParseUint(s[1:], 0, 64)
			return fmt.Sprintf("$%#x", u^1)
		}
		if n == 0 || random.IntN(2) == 0 {
			return fmt.Sprintf("$%d", n+1)
		}
		return fmt.Sprintf("$%d", n-1)
	})
}

var memory = regexp.MustCompile(`(-?\d+)?\([A-Z][A-Z0-9]+\)`)

// shift reads or writes memory a little further on.
func shift(random *rand.Rand, line string) (string, bool) {
	return replaceOne(random, line, memory, func(s string) string {
		open := strings.IndexByte(s, '(')
		offset, _ := strconv.Atoi(s[:open])
		return strconv.Itoa(offset+pick(random, []int{-16, -1, 1, 16})) + s[open:]
	})
}

var register = regexp.MustCompile(`\b([XYZK])(\d+)\b`)

// misname takes a neighbouring vector or mask register for one of the operands.
func misname(random *rand.Rand, line string) (string, bool) {
	return replaceOne(random, line, register, func(s string) string {
		n, _ := strconv.Atoi(s[1:])
		return s[:1] + strconv.Itoa(n^1)
	})
}

// replaceOne replaces one match of what, drawn by lot.
func replaceOne(random *rand.Rand, line string, what *regexp.Regexp, by func(string) string) (string, bool) {
	all := what.FindAllStringIndex(line, -1)
	if len(all) == 0 {
		return "", false
	}
	at := pick(random, all)
	return line[:at[0]] + by(line[at[0]:at[1]]) + line[at[1]:], true
}
