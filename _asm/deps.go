//go:build deps

// Package deps keeps the requirement on kcrypto in go.mod. It is never compiled: avo's Package() loads the packages
// for their types only, at a time when their assembly may not exist yet.
package deps

import _ "kcrypto/internal/cpu"
