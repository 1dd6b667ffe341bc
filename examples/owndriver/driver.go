package main

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"math"
	"math/bits"
	"runtime"
	"sync"

	"golang.org/x/sys/cpu"

	"kcrypto/registry"
)

// split is the driver as it is to be.
func split(priority int) registry.Driver { return driver("ctr-aes-split", priority, add128) }

// hasty is the same with the fault.
func hasty(priority int) registry.Driver { return driver("ctr-aes-hasty", priority, add32) }

// driver describes a driver of ctr(aes). The sizes are the algorithm's. There are no vectors: kcrypto has those of
// every algorithm that it knows, and runs them.
func driver(name string, priority int, add func(counter *[aes.BlockSize]byte, blocks uint64)) registry.Driver {
	return registry.Driver{
		Algorithm: "ctr(aes)", Name: name, Impl: "split", Module: "example.org/split", Priority: priority,
		Type: registry.TypeSkcipher, BlockSize: 1, IVSize: aes.BlockSize, ChunkSize: aes.BlockSize,
		KeySizes:    []int{16, 24, 32},
		NewSkcipher: func(registry.Config) registry.Skcipher { return &key{add: add} },
		Unavailable: func() string {
			if !cpu.X86.HasAES && !cpu.ARM64.HasAES && !cpu.S390X.HasAES {
				return "this CPU has no AES instructions, and Go's code without them is not constant-time"
			}
			return ""
		},
	}
}

// piece is the least that is worth a goroutine, in bytes: some 20 us of work.
const piece = 128 << 10

// key is the key object: a registry.StreamCipher.
type key struct {
	block cipher.Block
	add   func(counter *[aes.BlockSize]byte, blocks uint64)
}

func (k *key) SetKey(key []byte) (err error) {
	k.block, err = aes.NewCipher(key)
	return err
}

// Wipe drops the key. Go's own code has no way to overwrite it.
func (k *key) Wipe() { k.block = nil }

func (k *key) Encrypt(dst, src, iv []byte) { k.XORBlocks(dst, src, iv, 0) }
func (k *key) Decrypt(dst, src, iv []byte) { k.XORBlocks(dst, src, iv, 0) }
func (k *key) Blocks([]byte) uint64        { return math.MaxUint64 }

// Bind has nothing that could be done once for an IV.
func (k *key) Bind(iv []byte) (registry.StreamCipher, []byte) { return &key{k.block, k.add}, iv }

// XORBlocks divides a long message among the CPUs. Each piece begins with a counter of its own.
func (k *key) XORBlocks(dst, src, iv []byte, block uint64) {
	var pieces sync.WaitGroup
	size := max(piece, len(src)/runtime.GOMAXPROCS(0)) &^ (aes.BlockSize - 1)
	for ; len(src) > size; block += uint64(size / aes.BlockSize) {
		d, s, b := dst[:size], src[:size], block
		pieces.Go(func() { k.xor(d, s, iv, b) })
		dst, src = dst[size:], src[size:]
	}
	k.xor(dst, src, iv, block)
	pieces.Wait()
}

func (k *key) xor(dst, src, iv []byte, block uint64) {
	counter := [aes.BlockSize]byte(iv)
	k.add(&counter, block)
	cipher.NewCTR(k.block, counter[:]).XORKeyStream(dst, src)
}

// add128 adds to a big-endian number of 128 bits, which is what the counter of ctr(aes) is.
func add128(counter *[aes.BlockSize]byte, blocks uint64) {
	low, carry := bits.Add64(binary.BigEndian.Uint64(counter[8:]), blocks, 0)
	binary.BigEndian.PutUint64(counter[8:], low)
	binary.BigEndian.PutUint64(counter[:], binary.BigEndian.Uint64(counter[:])+carry)
}

// add32 adds to the last 32 bits only, as GCM does, and loses the carry.
func add32(counter *[aes.BlockSize]byte, blocks uint64) {
	binary.BigEndian.PutUint32(counter[12:], binary.BigEndian.Uint32(counter[12:])+uint32(blocks))
}
