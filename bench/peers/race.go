package main

import (
	"bytes"
	"fmt"
	"slices"
	"time"
)

// test is one row of the table: an algorithm, a key and a direction.
type test struct {
	name    string // "gcm-128"
	alg     string // kcrypto's name
	key     []byte
	decrypt bool
}

func (c test) aead() bool { return c.alg == "gcm(aes)" || c.alg == "rfc7539(chacha20,poly1305)" }

// contender is one implementation; run does rounds messages.
type contender struct {
	name string
	run  func(m *message, rounds int) error
	ours bool
	most int // bytes that it takes at most; 0: any number
}

// message is the memory of one size, shared by all contenders so that none has the better place in the cache.
type message struct {
	n        int
	dst, src []byte // with capacity for a tag behind n
	ivs      [64][16]byte
	turn     int // which of them was used last
	aad, tag [16]byte
}

// window is how long a contender runs before it is the next one's turn.
const window = 50 * time.Microsecond

// newMessage makes a message of n bytes that contender c can work on: for decryption of an AEAD, an authentic one.
func newMessage(c test, n int, reference contender) (*message, error) {
	m := &message{n: n, dst: make([]byte, n+64), src: make([]byte, n+64)}
	for i := range m.src {
		m.src[i] = byte(i*131 + i>>8)
	}
	if c.alg == "cbc(aes)" {
		m.n &^= 15 // whole blocks
	}
	for i := range m.ivs {
		m.ivs[i] = [16]byte{1, 4: byte(i), 15: 7} // ChaCha20's block counter is 1
	}
	if !c.decrypt || !c.aead() {
		return m, nil
	}
	sealer := c
	sealer.decrypt = false
	g, err := goPeer(sealer)
	if err != nil {
		return nil, err
	}
	m.turn = -1 // so that it is sealed under the IV of turn 0
	if err := g.run(m, 1); err != nil {
		return nil, err
	}
	m.src, m.dst = m.dst, m.src
	copy(m.src[n:], m.tag[:])
	return m, nil
}

// agree runs every contender once on the same message and compares the outputs, so that nobody is fast by being wrong.
func agree(c test, m *message, all []contender) error {
	var want []byte
	size := m.n
	if c.alg == "xts(aes)" {
		m.n &^= 15 // Go's has no ciphertext stealing
	}
	defer func() { m.n = size }()
	for i, x := range all {
		m.turn = 0
		clear(m.dst)
		if err := x.run(m, 1); err != nil {
			return fmt.Errorf("%s, %s, %d bytes: %w", x.name, c.name, m.n, err)
		}
		got := slices.Clone(m.dst[:m.n])
		if c.aead() && !c.decrypt {
			got = append(got, m.tag[:]...)
		}
		if i == 0 {
			want = got
		} else if c.alg == "xts(aes)" && x.name == "go" {
			continue // it takes a sector number, not an IV: another message
		} else if !bytes.Equal(got, want) {
			return fmt.Errorf("%s and %s disagree on %s, %d bytes", x.name, all[0].name, c.name, m.n)
		}
	}
	m.turn = 0
	return nil
}

// race times every contender on one message, windows in turn, and returns the median of each in ns a message.
func race(m *message, all []contender, rounds int) ([]float64, error) {
	per := make([]int, len(all))
	times := make([][]float64, len(all))
	for i, x := range all {
		n, err := fit(m, x)
		if err != nil {
			return nil, err
		}
		per[i] = n
	}
	for range rounds {
		for i, x := range all {
			start := time.Now()
			if err := x.run(m, per[i]); err != nil {
				return nil, err
			}
			times[i] = append(times[i], float64(time.Since(start).Nanoseconds())/float64(per[i]))
		}
	}
	ns := make([]float64, len(all))
	for i, t := range times {
		slices.Sort(t)
		ns[i] = (t[(len(t)-1)/2] + t[len(t)/2]) / 2
	}
	return ns, nil
}

// fit finds how many messages fill a window, warming up on the way.
func fit(m *message, x contender) (int, error) {
	for n := 1; ; n *= 2 {
		start := time.Now()
		if err := x.run(m, n); err != nil {
			return 0, err
		}
		if t := time.Since(start); t > window {
			return max(1, int(float64(n)*float64(window)/float64(t))), nil
		}
	}
}
