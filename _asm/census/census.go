// Package census looks at the machine code of assembly functions in a linked program, after generator, assembler and
// linker: does a driver hold an instruction that the CPUs it is offered on lack, or leave the vector registers in a
// state that slows down whoever runs next? Package lint asks the same of the generators' lists, and so misses what the
// assembler makes of them, and files that no generator wrote.
package census

import (
	"debug/elf"
	"errors"
	"fmt"
	"slices"

	"kcrypto/internal/cpu"
)

// A Program is a linked ELF program with its symbol table.
type Program struct {
	file    *elf.File
	symbols map[string]elf.Symbol
}

// Open reads the program at path.
func Open(path string) (*Program, error) {
	file, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	list, err := file.Symbols()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	p := &Program{file, map[string]elf.Symbol{}}
	for _, s := range list {
		p.symbols[s.Name] = s
	}
	return p, nil
}

// Close closes the file.
func (p *Program) Close() error { return p.file.Close() }

// Code returns the bytes of the assembly function called name in the package with this import path.
func (p *Program) Code(pkg, name string) ([]byte, error) {
	s, ok := p.symbols[pkg+"."+name+".abi0"]
	if !ok {
		return nil, fmt.Errorf("%s.%s is not in the program", pkg, name)
	}
	section := p.file.Sections[s.Section]
	code := make([]byte, s.Size)
	_, err := section.ReadAt(code, int64(s.Value-section.Addr))
	return code, err
}

// Check returns what is wrong with a function that runs on CPUs with these features and levels of internal/cpu, or nil.
// Of each instruction it names the first place.
func Check(code []byte, needs []string) error {
	list, errs := sweep(code)
	if errs != nil {
		return errors.Join(errs...)
	}
	has := append([]string{"sse2"}, needs...) // every amd64 CPU has SSE2
	for _, need := range needs {
		has = append(has, cpu.Closure(need)...)
	}
	checked := map[inst]bool{} // without its place
	for at := range code {
		i, ok := list[at]
		kind := inst{name: i.name, bits: i.bits}
		if !ok || checked[kind] {
			continue
		}
		checked[kind] = true
		wants, err := i.needs()
		if err != nil {
			errs = append(errs, fmt.Errorf("at %#x: %w", at, err))
		}
		for _, want := range wants {
			if !slices.Contains(has, want) {
				errs = append(errs, fmt.Errorf("at %#x: %s needs %s, and the driver asks only for %v", at, i.name, want, needs))
			}
		}
	}
	return errors.Join(append(errs, walk(list)...)...)
}

// sweep decodes all of a function, by offset. That every jump leads to an instruction's first byte, and the last
// instruction ends where the function does, shows that nothing was taken apart wrongly.
func sweep(code []byte) (map[int]inst, []error) {
	list := map[int]inst{}
	at := 0
	for at < len(code) {
		i, err := decode(code, at)
		if err != nil {
			return nil, []error{fmt.Errorf("at %#x: %w", at, err)}
		}
		list[at] = i
		at += i.length
	}
	var errs []error
	for at, i := range list {
		if _, ok := list[i.target]; i.jump && !ok {
			errs = append(errs, fmt.Errorf("at %#x: %s leads to %#x, where no instruction begins", at, i.name, i.target))
		}
	}
	return list, errs
}

// walk follows every path from the function's entry, with what it knows of the upper halves of the vector registers,
// which are clean at the entry (Go's compiler leaves them so). Every instruction on more than 128 bits counts as
// one that makes them dirty.
func walk(list map[int]inst) (errs []error) {
	type place struct {
		at    int
		dirty bool
	}
	seen := map[place]bool{}
	for todo := []place{{}}; len(todo) > 0; {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		i, ok := list[p.at]
		if seen[p] {
			continue
		}
		seen[p] = true
		switch {
		case !ok:
			errs = append(errs, fmt.Errorf("at %#x: control runs off the end of the function", p.at))
			continue
		case i.ret && p.dirty:
			errs = append(errs, fmt.Errorf("at %#x: RET without VZEROUPPER on a path where upper halves are in use", p.at))
		case i.vector && p.dirty:
			errs = append(errs, fmt.Errorf("at %#x: %s is SSE-encoded where upper halves are in use", p.at, i.name))
		}
		dirty := (p.dirty || i.bits > 128) && i.name != zeroUpper
		if i.jump {
			todo = append(todo, place{i.target, dirty})
		}
		if !i.stops {
			todo = append(todo, place{p.at + i.length, dirty})
		}
	}
	return errs
}
