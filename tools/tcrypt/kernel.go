package main

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"kcrypto"
	"kcrypto/registry"
	"kcrypto/tools/tcrypt/internal/form"
	"kcrypto/tools/tcrypt/internal/kernelmode"
	"kcrypto/tools/tcrypt/internal/measure"
	"kcrypto/tools/tcrypt/internal/result"
)

// kernel does what the kernel's tcrypt module does with these parameters.
func (a *app) kernel(ctx context.Context, args []string) error {
	p, err := kernelmode.Parse(args)
	if err != nil {
		return usageError{err}
	}
	m, ok := kernelmode.Lookup(p.Mode)
	if !ok {
		return usagef("no mode %d here; tcrypt modes lists those there are", p.Mode)
	}
	switch {
	case p.KLen > 0 && (p.Alg == "" || m.Speeds == nil):
		return usagef("klen=%d goes with alg and a mode that times; else key sizes are the mode's", p.KLen)
	case p.Mode == 0 && p.Alg != "":
		return a.exists(p)
	case p.Mode == 0:
		return a.kernelTest(ctx, algorithms(), p.Alg)
	case m.Tests != nil:
		return a.kernelTest(ctx, m.Tests, p.Alg)
	}
	return a.kernelSpeed(ctx, m, p)
}

// exists answers whether alg exists as the type and mask want it.
func (a *app) exists(p kernelmode.Params) error {
	list := kcrypto.Drivers(p.Alg)
	if len(list) == 0 {
		return unknownName(p.Alg)
	}
	code := uint32(kernelmode.TypeSkcipher)
	if list[0].Type == registry.TypeAEAD {
		code = kernelmode.TypeAEAD
	}
	if !p.Wants(code) {
		return usagef("%s is an %s, type %d, and synchronous: not what type=%d mask=%#x asks for", p.Alg, list[0].Type, code,
			p.Type, p.Mask)
	}
	best, err := group{name: p.Alg}.best()
	if err != nil {
		return err
	}
	kernelmode.NewLines(a.out).Note("%s exists, %s serves it", p.Alg, best)
	return nil
}

// kernelTest tests all drivers of these algorithms, or those of them that alg means.
func (a *app) kernelTest(ctx context.Context, of []string, alg string) error {
	names := []string{alg}
	if alg == "" {
		names = nil
		for _, name := range of {
			if len(kcrypto.Drivers(name)) == 0 {
				kernelmode.NewLines(a.out).Missing(name)
				continue
			}
			names = append(names, name)
		}
	} else if _, err := driversIn(alg, of); err != nil {
		return err
	}
	gs, err := groups(names)
	if err != nil {
		return err
	}
	return a.test(ctx, gs, alg != "", kcrypto.SelfTestOptions{})
}

// driversIn returns the drivers that alg means, all of one of the algorithms in of.
func driversIn(alg string, of []string) ([]registry.Info, error) {
	list := kcrypto.Drivers(alg)
	if len(list) == 0 {
		return nil, unknownName(alg)
	}
	if !slices.Contains(of, list[0].Algorithm) {
		return nil, usagef("alg=%s is not in this mode, which has %s", alg, strings.Join(of, ", "))
	}
	return list, nil
}

// kernelRun is one run of a mode that times.
type kernelRun struct {
	*app
	kernelmode.Params
	mode        kernelmode.Mode
	lines       *kernelmode.Lines
	done, total int // rows
}

// cyclesTime is how long one row takes where cycles are counted.
const cyclesTime = 12 * time.Millisecond

func (a *app) kernelSpeed(ctx context.Context, m kernelmode.Mode, p kernelmode.Params) error {
	if p.Alg != "" {
		speeds, err := speedsOf(m, p)
		if err != nil {
			return err
		}
		m.Speeds = speeds
	}
	if p.Sec == 0 && !measure.CyclesKnown {
		return usagef("sec=0 counts cycles, which cannot be done on %s; want sec=1 or more", runtime.GOARCH)
	}
	r := &kernelRun{app: a, Params: p, mode: m, lines: kernelmode.NewLines(a.out)}
	var all []plan
	var lacking []string
	for _, s := range m.Speeds {
		ss, err := r.plan(ctx, s)
		if err != nil {
			return err
		}
		for _, one := range ss {
			r.total += len(one.Sizes)
		}
		if ss != nil {
			all = append(all, ss)
		} else if !slices.Contains(lacking, s.Algorithm) {
			lacking = append(lacking, s.Algorithm)
		}
	}
	h := a.header(slices.Concat(all...))
	form.New("tcrypt", a.out).Begin(&h)
	for _, name := range lacking {
		r.lines.Missing(name)
	}
	for _, ss := range all {
		r.lines.Heading(m.Style, ss[0].Info.Algorithm, ss[0].Drivers[0], ss[0].Direction == result.Decrypt)
		for _, s := range ss {
			if err := r.rows(ctx, s); err != nil {
				r.lines.Note(result.InterruptedNote)
				return err
			}
		}
	}
	return nil
}

// speedsOf returns what of m is about alg, with the keys that klen says.
func speedsOf(m kernelmode.Mode, p kernelmode.Params) ([]kernelmode.Speed, error) {
	of := m.Algorithms()
	if list := kcrypto.Drivers(p.Alg); m.AnySkcipher() && len(list) > 0 && list[0].Type == registry.TypeSkcipher {
		if name := list[0].Algorithm; !slices.Contains(of, name) {
			m.Speeds = kernelmode.BothWays(name, list[0].KeySizes)
			of = append(of, name)
		}
	}
	list, err := driversIn(p.Alg, of)
	if err != nil {
		return nil, err
	}
	var speeds []kernelmode.Speed
	for _, s := range m.Speeds {
		if s.Algorithm != list[0].Algorithm {
			continue
		}
		if p.KLen > 0 {
			s.Keys = []int{p.KLen}
		}
		if p.KLen > 0 && !slices.Contains(list[0].KeySizes, p.KLen) {
			return nil, usagef("klen=%d: %s takes keys of %s bytes", p.KLen, p.Alg,
				strings.Trim(strings.ReplaceAll(fmt.Sprint(list[0].KeySizes), " ", ", "), "[]"))
		}
		speeds = append(speeds, s)
	}
	return speeds, nil
}

// plan returns the series for s, one for each key, or nil if kcrypto does not have the algorithm.
func (r *kernelRun) plan(ctx context.Context, s kernelmode.Speed) (plan, error) {
	name := s.Algorithm
	if r.Alg != "" {
		name = r.Alg
	}
	list := kcrypto.Drivers(name)
	if len(list) == 0 {
		return nil, nil
	}
	info := list[0]
	g := group{name, info.Algorithm, list}
	if err := r.selfTest(ctx, []group{g}); err != nil {
		return nil, err
	}
	best, err := g.best()
	if err != nil {
		return nil, err
	}
	var ss plan
	for _, key := range s.Keys {
		one := measure.NewSeries(info, best)
		one.KeyBits, one.Direction = 8*key, result.Direction(s.Decrypt)
		aead := info.Type == registry.TypeAEAD
		one.Sizes = kernelmode.Sizes(aead, info.BlockSize)
		if aead {
			one.AAD = kernelmode.AAD
		}
		if r.mode.Style == kernelmode.Multibuffer {
			one.Batch = r.NumMB
		}
		ss = append(ss, one)
	}
	return ss, nil
}

// rows measures s and writes a row for each size.
func (r *kernelRun) rows(ctx context.Context, s *measure.Series) error {
	say := func(what string) { r.progress.say(r.done, r.total, fmt.Sprintf("mode %d: %s", r.mode.Number, what)) }
	if r.Sec == 0 {
		b := &measure.Bench{Time: cyclesTime, Count: result.MinSamples, Step: say}
		cells, err := b.Series(ctx, s)
		r.progress.clear()
		for _, c := range cells {
			if c.Wanted > 0 {
				r.lines.Partial(result.SamplesOf(len(c.Samples), c.Wanted) + " samples")
			}
			r.lines.Cycles(s.KeyBits/8, c.Size, c.CyclesPerByte*float64(c.Size))
		}
		r.done += len(s.Sizes)
		return err
	}
	want := time.Duration(r.Sec) * time.Second
	for _, size := range s.Sizes {
		say(fmt.Sprintf("%s, %d-bit key, %d bytes", s.Algorithm, s.KeyBits, size))
		n, took, err := measure.Count(ctx, s, s.Drivers[0], size, want)
		r.progress.clear()
		if n > 0 {
			if err != nil {
				r.lines.Partial(fmt.Sprintf("%.2f seconds, scaled to %d", took.Seconds(), r.Sec))
			}
			r.lines.Seconds(s.KeyBits/8, size, int(math.Round(float64(n)*float64(want)/float64(took))), r.Sec)
		}
		if err != nil {
			return err
		}
		r.done++
	}
	return nil
}
