package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"time"

	"kcrypto"
)

// demo is one run of a tunnel: so many packets of so many bytes.
type demo struct {
	packets, size int
	algorithm     string
	deliver       func(counter uint64, text []byte) // gets what comes out
}

// counts is what became of the packets of a run.
type counts struct {
	driver                      string
	sent, repeated, changed     int
	delivered, replayed, forged int
	took                        time.Duration
}

// quiet is how long packets may be on their way after the last one was sent.
const quiet = 200 * time.Millisecond

// run sends the packets through a tunnel. It returns when they came out or are lost, or when ctx ends.
func (d *demo) run(ctx context.Context) (c counts, err error) {
	sealing, opening, err := newEnds(d.algorithm)
	if err != nil {
		return c, err
	}
	defer sealing.Close()
	defer opening.Close()
	from, to, err := sockets()
	if err != nil {
		return c, err
	}
	defer from.Close()
	defer to.Close()
	defer context.AfterFunc(ctx, func() { to.SetReadDeadline(time.Now()) })()

	s, r := &sender{tunnel: 1, aead: sealing}, &receiver{tunnel: 1, aead: opening}
	start := time.Now()
	last, ended := start, make(chan error)
	go func() {
		ended <- receive(to, func(datagrams [][]byte) {
			last = time.Now()
			r.open(datagrams, d.deliver)
		})
	}()
	err = d.send(ctx, from, s, &c)
	to.SetReadDeadline(time.Now().Add(quiet))
	err = errors.Join(err, <-ended)
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	c.driver, c.sent, c.took = sealing.Driver(), int(s.counter), last.Sub(start)
	c.delivered, c.replayed, c.forged = r.delivered, r.replayed, r.forged
	return c, err
}

// newEnds makes the transforms of both ends, with one random key.
func newEnds(algorithm string) (sealing, opening *kcrypto.AEAD, err error) {
	key := make([]byte, 32)
	defer clear(key)
	rand.Read(key)
	sealing, err = kcrypto.NewAEAD(algorithm, key)
	if err != nil {
		return nil, nil, err
	}
	if n, tag := sealing.NonceSize(), sealing.Overhead(); n != headerSize || tag != tagSize {
		err = fmt.Errorf("%s has nonces of %d bytes and tags of %d: want %d and %d", algorithm, n, tag, headerSize, tagSize)
	} else {
		opening, err = kcrypto.NewAEAD(algorithm, key)
	}
	if err != nil {
		sealing.Close()
	}
	return sealing, opening, err
}

// send seals packets and sends them, and what the attacker sends.
func (d *demo) send(ctx context.Context, conn *net.UDPConn, s *sender, c *counts) error {
	buffers := newBuffers(batchSize)
	for left := d.packets; left > 0 && ctx.Err() == nil; {
		n := min(left, batchSize)
		for i, b := range buffers[:n] {
			fill(b[headerSize:headerSize+d.size], s.counter+uint64(i))
		}
		packets, err := s.seal(buffers[:n], d.size)
		if err != nil {
			return err
		}
		for i := range packets {
			if err := c.attack(conn, packets[i].Dst, left-i); err != nil {
				return err
			}
		}
		left -= n
	}
	return nil
}

// fill makes up a packet.
func fill(text []byte, counter uint64) {
	for i := range text {
		text[i] = byte(counter) + byte(i)
	}
}

// attack sends a datagram: one in a hundred again, and before one in a hundred what the attacker made of it.
func (c *counts) attack(conn *net.UDPConn, datagram []byte, number int) error {
	times := 1
	switch number % 100 {
	case 33:
		c.repeated++
		times = 2
	case 66:
		c.changed++
		datagram[len(datagram)/2] ^= 1
		if _, err := conn.Write(datagram); err != nil {
			return err
		}
		datagram[len(datagram)/2] ^= 1
	}
	for range times {
		if _, err := conn.Write(datagram); err != nil {
			return err
		}
	}
	return nil
}
