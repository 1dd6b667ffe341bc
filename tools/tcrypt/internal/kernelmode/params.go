package kernelmode

import (
	"fmt"
	"strconv"
	"strings"
)

// Params are the parameters of the kernel's module.
type Params struct {
	Alg        string // an algorithm or driver, "" for all that the mode is about
	Type, Mask uint32 // of the algorithm that mode 0 looks for
	Mode       int
	Sec        int // seconds for each measurement; 0 counts cycles
	NumMB      int // messages at a time in multibuffer modes
	KLen       int // bytes of key; 0 for those of the mode
}

// The most that parameters may be.
const (
	maxSec   = 24 * 60 * 60
	maxNumMB = 1024
	maxKLen  = 512
)

// IsParam says whether an argument of a command line has the form of a parameter.
func IsParam(arg string) bool { return !strings.HasPrefix(arg, "-") && strings.Contains(arg, "=") }

// Parse reads parameters of the form name=value. Of two of one name the last counts. Numbers may be hexadecimal or
// octal, as in C.
func Parse(args []string) (Params, error) {
	p := Params{NumMB: 8}
	for _, arg := range args {
		name, value, ok := strings.Cut(arg, "=")
		if !ok {
			return p, fmt.Errorf("%q is no parameter; want name=value, such as mode=200", arg)
		}
		if err := p.set(strings.ReplaceAll(name, "-", "_"), value); err != nil { // to Linux both are the same
			return p, err
		}
	}
	return p, nil
}

func (p *Params) set(name, value string) (err error) {
	switch name {
	case "alg":
		p.Alg = value
		if value == "" {
			err = fmt.Errorf("alg= is empty; want an algorithm or a driver")
		}
	case "type":
		p.Type, err = word(name, value)
	case "mask":
		p.Mask, err = word(name, value)
	case "mode":
		p.Mode, err = number(name, value, 0, 1<<31-1)
	case "sec":
		p.Sec, err = number(name, value, 0, maxSec)
	case "num_mb":
		p.NumMB, err = number(name, value, 1, maxNumMB)
	case "klen":
		p.KLen, err = number(name, value, 1, maxKLen)
	default:
		err = fmt.Errorf("no parameter %q; the parameters are alg, type, mask, mode, sec, num_mb, klen", name)
	}
	return err
}

func number(name, value string, low, high int) (int, error) {
	n, err := strconv.ParseUint(value, 0, 31)
	if err != nil || int(n) < low || int(n) > high {
		return 0, fmt.Errorf("%s=%s is no number from %d to %d", name, value, low, high)
	}
	return int(n), nil
}

func word(name, value string) (uint32, error) {
	n, err := strconv.ParseUint(value, 0, 32)
	if err != nil {
		return 0, fmt.Errorf("%s=%s is no number of 32 bits", name, value)
	}
	return uint32(n), nil
}

// The kernel's codes of the types that kcrypto has, and the bits of a mask that are about the type.
const (
	TypeAEAD     = 3
	TypeSkcipher = 5
	typeBits     = 0xf
)

// Wants says whether mode 0 looks for algorithms of a type, one of the constants. The kernel takes the algorithm if
// all bits of mask that its flags and type do not share are 0, where a mask of 0 means the bits of the type. Without
// both parameters any type will do. Drivers of kcrypto have no other flag.
func (p Params) Wants(code uint32) bool {
	if p.Type == 0 && p.Mask == 0 {
		return true
	}
	mask := p.Mask
	if mask == 0 {
		mask = typeBits
	}
	return (code^p.Type)&mask == 0
}
