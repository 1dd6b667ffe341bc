package selftest

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"kcrypto/registry"
)

// The counts of a normal and of a full run. Those of the full run are Linux's.
const (
	randomLayouts      = 100 // a vector
	comparisons        = 64
	fullComparisons    = 800
	inauthenticInputs  = 800
	fullMessageLimit   = 8192 - 16 // bytes: two pages less the poison, as there
	longestRandomNonce = 300
)

// run is one self-test under way.
type run struct {
	subject   *transforms
	generic   *transforms // nil if the subject is the reference
	traits    traits
	rng       *source
	firstSize int // where the sizes of plain messages begin to go round
	mem       memory
	at        position
}

func newRun(s Subject, generic *Subject, seed uint64) *run {
	r := &run{subject: newTransforms(s), traits: known[s.Driver.Algorithm], rng: newSource(seed)}
	r.firstSize = r.rng.IntN(1 << 20)
	if generic != nil {
		r.generic = newTransforms(*generic)
	}
	return r
}

func (r *run) close() {
	r.subject.close()
	if r.generic != nil {
		r.generic.close()
	}
}

// plan lists the steps of a run.
func (r *run) plan(full bool) []func() error {
	d := &r.subject.Driver
	ms := messagesFor(d)
	if len(ms) == 0 {
		return []func() error{r.noVectors}
	}
	steps := []func() error{r.checkSizes}
	for i := range ms {
		steps = append(steps, func() error { return r.checkLayouts(&ms[i]) })
		for n := 0; full && n < randomLayouts; n++ {
			steps = append(steps, func() error { return r.check(&ms[i], r.randomLayout()) })
		}
	}
	for i := 0; r.traits.sectors && i < len(sectorRuns); i++ {
		steps = append(steps, func() error { return r.checkSectors(i) })
	}
	if d.Type == registry.TypeAEAD {
		for _, b := range r.batches(full) {
			steps = append(steps, func() error { return r.checkBatch(b) })
		}
		for _, n := range partLengths(full) {
			steps = append(steps, func() error { return r.checkParts(n) })
		}
	}
	if d.Type == registry.TypeSkcipher {
		for _, count := range requestCounts {
			steps = append(steps, func() error { return r.checkRequests(count) })
		}
	}
	if r.generic != nil {
		for i := range comparisons {
			steps = append(steps, func() error { return r.compare(r.plainMessage(i), r.randomLayout()) })
		}
		for i := 0; full && i < fullComparisons; i++ {
			steps = append(steps, func() error { return r.compare(r.fullMessage(i), r.randomLayout()) })
		}
	}
	for i := 0; full && d.Type == registry.TypeAEAD && i < inauthenticInputs; i++ {
		steps = append(steps, func() error { return r.checkInauthentic(i) })
	}
	return steps
}

// steps takes one step after the other until one fails or ctx ends.
func (r *run) steps(ctx context.Context, steps []func() error, progress func(done, total int)) error {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	for i, step := range steps {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("alg: %s: self-test of %s stopped after %d of %d steps: %w",
				r.subject.Driver.Type, r.subject.Driver.Name, i, len(steps), err)
		}
		r.at = position{}
		if err := r.takeStep(step); err != nil {
			return err
		}
		if progress != nil {
			progress(i+1, len(steps))
		}
	}
	return nil
}

// takeStep takes a step. A panic in it, or a memory fault, is the driver's failure and must not end the program.
func (r *run) takeStep(step func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			detail := fmt.Sprint(p)
			if fault, ok := p.(interface{ Addr() uintptr }); ok {
				detail += fmt.Sprintf(" at address %#x", fault.Addr())
			}
			err = r.fail("panicked", detail)
		}
	}()
	return step()
}

func (r *run) noVectors() error {
	return fmt.Errorf("alg: no test for %s (%s): there are no vectors here, and Driver.Vectors has none that fit",
		r.subject.Driver.Algorithm, r.subject.Driver.Name)
}

// checkLayouts runs a known answer in every layout.
func (r *run) checkLayouts(m *message) error {
	ls := r.layouts()
	for i := range ls {
		if err := r.check(m, &ls[i]); err != nil {
			return err
		}
	}
	if r.traits.counter != nil {
		return r.checkCounter(m)
	}
	return nil
}

// check runs m, whose answer is known, in layout l, in both directions.
func (r *run) check(m *message, l *layout) error {
	r.at = position{m, l}
	if r.subject.Driver.Type == registry.TypeAEAD {
		return r.checkAEAD(m, l)
	}
	return r.checkSkcipher(m, l)
}

// transforms makes a driver's transforms and keeps one for each configuration: it is re-keyed from message to
// message, as transforms are in use.
type transforms struct {
	Subject
	aeads     map[Setup]AEAD
	skciphers map[Setup]Skcipher
}

func newTransforms(s Subject) *transforms {
	return &transforms{s, map[Setup]AEAD{}, map[Setup]Skcipher{}}
}

// aead returns a transform for nonces of nonceSize bytes.
func (t *transforms) aead(nonceSize, chunk int) (AEAD, error) {
	c := Setup{Chunk: chunk}
	if nonceSize != t.Driver.IVSize {
		c.NonceSize = nonceSize
	}
	if a := t.aeads[c]; a != nil {
		return a, nil
	}
	if t.AEAD == nil {
		return nil, errors.New("selftest: the Subject has no AEAD constructor")
	}
	a, err := t.AEAD(c)
	if err == nil {
		t.aeads[c] = a
	}
	return a, err
}

func (t *transforms) skcipher(chunk int) (Skcipher, error) {
	c := Setup{Chunk: chunk}
	if s := t.skciphers[c]; s != nil {
		return s, nil
	}
	if t.Skcipher == nil {
		return nil, errors.New("selftest: the Subject has no Skcipher constructor")
	}
	s, err := t.Skcipher(c)
	if err == nil {
		t.skciphers[c] = s
	}
	return s, err
}

func (t *transforms) close() {
	for _, a := range t.aeads {
		a.Close()
	}
	for _, s := range t.skciphers {
		s.Close()
	}
}
