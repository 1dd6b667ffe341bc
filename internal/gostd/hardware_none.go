//go:build !gc || purego

package gostd

// Go's own code honours the tag purego as this module does.

func acceleratedGCM() bool { return false }

func acceleratedCTR() bool { return false }

func acceleratedChaCha20Poly1305() bool { return false }
