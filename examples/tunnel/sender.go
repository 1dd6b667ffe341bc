package main

import (
	"errors"

	"kcrypto"
)

var errKeyUsedUp = errors.New("the key has sealed as many packets as it may: make a new one")

// sender is the end of the tunnel that seals. It is for one goroutine: a counter that two use is a nonce used twice.
type sender struct {
	tunnel  uint32
	aead    *kcrypto.AEAD
	counter uint64           // of the next packet
	packets []kcrypto.Packet // kept from call to call, so that none allocates
}

// seal makes datagrams of texts, in place: each text is in a buffer behind room for the header, and before room for the
// tag. It returns the datagrams, valid until the next call.
func (s *sender) seal(buffers [][]byte, size int) ([]kcrypto.Packet, error) {
	if maxPackets-s.counter < uint64(len(buffers)) {
		return nil, errKeyUsedUp
	}
	s.packets = s.packets[:0]
	for _, b := range buffers {
		head := b[:headerSize]
		putHeader(head, s.tunnel, s.counter)
		s.counter++
		s.packets = append(s.packets, kcrypto.Packet{Dst: head, Nonce: head, Src: b[headerSize : headerSize+size]})
	}
	s.aead.SealBatch(s.packets)
	for i := range s.packets {
		if err := s.packets[i].Err; err != nil {
			return nil, err
		}
	}
	return s.packets, nil
}
