package main

import "encoding/binary"

// A datagram is a header and a sealed packet. The header is the tunnel's number, 4 bytes, and the packet's counter,
// 8 bytes, both big-endian. It is the nonce, too: a nonce is not secret, it must only never come twice under one key,
// and a counter never does. Who changes it changes the nonce, and the packet is no longer authentic.
const (
	headerSize = 12
	tagSize    = 16
	maxText    = 1500
	bufferSize = headerSize + maxText + tagSize

	// batchSize is how many packets are sealed or opened in one call at most.
	batchSize = 64

	// maxPackets is where the counter of a key ends: 2^40 packets of 1500 bytes are 2^47 AES blocks (docs/nonces.md).
	maxPackets = 1 << 40
)

func putHeader(b []byte, tunnel uint32, counter uint64) {
	binary.BigEndian.PutUint32(b, tunnel)
	binary.BigEndian.PutUint64(b[4:], counter)
}

// header returns what putHeader wrote, or false for what is too short to be a datagram.
func header(b []byte) (tunnel uint32, counter uint64, ok bool) {
	if len(b) < headerSize+tagSize {
		return 0, 0, false
	}
	return binary.BigEndian.Uint32(b), binary.BigEndian.Uint64(b[4:]), true
}

// newBuffers returns room for n datagrams.
func newBuffers(n int) [][]byte {
	buffers := make([][]byte, n)
	for i := range buffers {
		buffers[i] = make([]byte, bufferSize)
	}
	return buffers
}
