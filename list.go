package kcrypto

import (
	"github.com/rs/zerolog"

	"kcrypto/registry"
)

// Default is the registry that AllocAEAD and AllocSkcipher use. Drivers of one's own go there with Register.
func Default() *registry.Registry { return defaultSetup().registry }

// Drivers lists every driver of the default registry, best first within each algorithm, template compositions
// included; or only those of the algorithms, or with the driver names, given. It runs no self-test.
func Drivers(names ...string) []registry.Info { return Default().List(names...) }

// Explain says which driver name would get, and why: the candidates with their priorities, what each lacks and how
// its self-test went. It runs the self-tests that the answer depends on.
func Explain(name string) (registry.Explanation, error) {
	d := defaultSetup()
	if err := d.check(); err != nil {
		return registry.Explanation{}, err
	}
	return d.registry.Explain(name)
}

// SetPriority changes a driver's priority (>= 0) for later allocations. Transforms that exist keep their driver.
func SetPriority(driver string, priority int) error { return Default().SetPriority(driver, priority) }

// SetLogger sets where the default registry logs: failed self-tests and missing preferred drivers at warn,
// registrations and choices at debug. Nothing is logged on the path of Seal, Open, Encrypt. The default is silence.
func SetLogger(l zerolog.Logger) { Default().SetLogger(l) }

// CheckConfig reports whether the settings of the KCRYPTO variable and of Configure can be understood and name only
// what exists: registry.ErrConfig with the sentence that mends them, or nil. Every allocation checks the same.
func CheckConfig() error { return defaultSetup().check() }
