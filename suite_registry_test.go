package kcrypto_test

import (
	"bytes"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/rs/zerolog"

	"kcrypto"
	"kcrypto/registry"
)

// Registries for tests, and the driver that serves a name in them.

// newRegistry makes a registry of its own with settings as in KCRYPTO.
func newRegistry(t *testing.T, settings string) *registry.Registry {
	t.Helper()
	r, err := kcrypto.NewRegistry(settings)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// logBuffer collects what a registry logs.
type logBuffer struct {
	sync.Mutex
	bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.Lock()
	defer l.Unlock()
	return l.Buffer.Write(p)
}

func (l *logBuffer) text() string {
	l.Lock()
	defer l.Unlock()
	return l.String()
}

func captureLog(r *registry.Registry) *logBuffer {
	l := new(logBuffer)
	r.SetLogger(zerolog.New(l))
	return l
}

// served returns the driver that name gets from r, "" if there is an error.
func served(r *registry.Registry, name string, opts ...kcrypto.Option) (driver string, err error) {
	opts = append(opts, kcrypto.WithRegistry(r))
	a, err := kcrypto.AllocAEAD(name, opts...)
	if errors.Is(err, registry.ErrType) {
		s, err := kcrypto.AllocSkcipher(name, opts...)
		if err != nil {
			return "", err
		}
		defer s.Close()
		return s.Driver(), nil
	}
	if err != nil {
		return "", err
	}
	defer a.Close()
	return a.Driver(), nil
}

func wantServed(t *testing.T, r *registry.Registry, name, driver string, opts ...kcrypto.Option) {
	t.Helper()
	if got, err := served(r, name, opts...); err != nil || got != driver {
		t.Errorf("%s is served by %q (%v), want %s", name, got, err, driver)
	}
}

// usable lists the drivers of an algorithm that work here, best first.
func usable(t *testing.T, r *registry.Registry, algorithm string) []string {
	t.Helper()
	var names []string
	for _, d := range r.List(algorithm) {
		if d.SelfTest != registry.Unavailable && d.Algorithm == algorithm {
			names = append(names, d.Driver)
		}
	}
	if len(names) == 0 {
		t.Fatalf("no driver of %s works here", algorithm)
	}
	return names
}

// everyAlgorithm lists the algorithms of a registry.
func everyAlgorithm(r *registry.Registry) []string {
	var names []string
	for _, d := range r.List() {
		if !slices.Contains(names, d.Algorithm) {
			names = append(names, d.Algorithm)
		}
	}
	return names
}
