package kcrypto

import "kcrypto/registry"

// NewRegistryWithChunk is NewRegistry with chunks of any size, also of one that the setting refuses for being slow.
func NewRegistryWithChunk(text string, chunk int) (*registry.Registry, error) {
	s := &setup{settings: defaultSettings()}
	if err := s.settings.parse(text); err != nil {
		return nil, err
	}
	s.settings.chunk = chunk
	s.open()
	return s.registry, s.check()
}
