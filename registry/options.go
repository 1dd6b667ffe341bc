package registry

import (
	"context"
	"maps"
	"slices"

	"github.com/rs/zerolog"

	"kcrypto/internal/cpu"
)

// DefaultChunk is the Config.Chunk of a registry that sets none: 64 KiB, some microseconds of work.
const DefaultChunk = 64 << 10

// Option changes how New makes a registry.
type Option func(*Registry)

// WithFeatures sets the CPU features that drivers' needs are held against. The default is cpu.Host().
func WithFeatures(f cpu.Features) Option { return func(r *Registry) { r.features = f } }

// WithConfig sets what drivers' constructors are to get.
func WithConfig(c Config) Option { return func(r *Registry) { r.config = c } }

// WithSelfTest sets how a driver is tested: an error, or a panic, is a failure. run is called at most once for a
// driver and verdict, with no lock held. It returns ctx's error if ctx ended before there was a verdict; then the
// driver stays untested. It must not change the driver.
func WithSelfTest(run func(ctx context.Context, d *Driver) error) Option {
	return func(r *Registry) { r.run = run }
}

// WithVectors says which algorithms the self-test has vectors for. A driver of another algorithm must bring its own:
// without, Register refuses it, and templates do not compose it. Without WithVectors the self-test is trusted to
// refuse what it cannot test.
func WithVectors(known func(algorithm string) bool) Option {
	return func(r *Registry) { r.known = known }
}

// WithOwn registers the drivers of a module from the start, and reserves its name: Register refuses a driver that
// bears it, such as a changed copy of one of them. So the name tells whose code a driver is. It panics if Register
// would refuse the drivers: they are a table in the caller's source.
func WithOwn(module string, drivers ...Driver) Option {
	return func(r *Registry) { r.own, r.reserved = drivers, module }
}

// WithTemplates adds templates. It panics if one has no usable name, no Algorithm, no Build, or another's name: they
// are a table in the caller's source.
func WithTemplates(t ...Template) Option {
	return func(r *Registry) {
		for _, t := range t {
			if !isWord(t.Name) || t.Algorithm == nil || t.Build == nil || r.template(t.Name) != nil {
				panic("registry: template " + t.Name + " needs a name of its own, Algorithm and Build")
			}
			r.templates = append(r.templates, &t)
		}
	}
}

// WithAliases adds other names for algorithms, drivers and compositions: old or foreign name -> our name. A
// registered name goes before an alias.
func WithAliases(a map[string]string) Option {
	return func(r *Registry) { maps.Copy(r.aliases, a) }
}

// WithPrefer sets the user's choice: algorithm -> driver name. It goes before any priority. If that driver is
// missing, cannot run here or failed its self-test, there is one warning and the normal choice, or an error under
// WithStrict. A preference for an inner algorithm holds inside compositions too.
func WithPrefer(p map[string]string) Option {
	return func(r *Registry) { maps.Copy(r.prefer, p) }
}

// WithDisabled makes the drivers whose names match one of the globs (path.Match) unavailable, with what is composed
// over them. A malformed glob matches nothing.
func WithDisabled(globs ...string) Option {
	return func(r *Registry) { r.disabled = slices.Concat(r.disabled, globs) }
}

// WithStrict makes it an error, and not a step down to the next driver, if the best driver that can run here fails
// its self-test, or if a preferred driver is not to be had.
func WithStrict(on bool) Option { return func(r *Registry) { r.strict = on } }

// WithLogger is SetLogger from the start.
func WithLogger(l zerolog.Logger) Option { return func(r *Registry) { r.SetLogger(l) } }
