//go:build purego

package kcrypto_test

const purego = true
