package main

import (
	"errors"
	"net"
	"os"
)

// sockets returns two sockets of this machine, the first of which sends to the second.
func sockets() (from, to *net.UDPConn, err error) {
	to, err = net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, nil, err
	}
	to.SetReadBuffer(4 << 20) // a request: the system may grant less, and packets are lost a little earlier
	from, err = net.DialUDP("udp4", nil, to.LocalAddr().(*net.UDPAddr))
	if err != nil {
		to.Close()
		return nil, nil, err
	}
	return from, to, nil
}

// receive reads datagrams and gives them to open, as many at once as have arrived, until the socket's deadline. What
// open gets is valid until it returns.
//
// One goroutine reads while the other one opens. So a batch grows by itself where opening is what takes long, and a
// single packet never waits for others.
func receive(conn *net.UDPConn, open func(datagrams [][]byte)) (err error) {
	free, arrived := make(chan []byte, 4*batchSize), make(chan []byte, 4*batchSize)
	for _, b := range newBuffers(cap(free)) {
		free <- b
	}
	go func() {
		defer close(arrived)
		for b := range free {
			var n int
			if n, err = conn.Read(b); err != nil {
				return
			}
			arrived <- b[:n]
		}
	}()
	batch := make([][]byte, 0, batchSize)
	for first := range arrived {
		batch = gather(append(batch[:0], first), arrived)
		open(batch)
		for _, b := range batch {
			free <- b[:bufferSize]
		}
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil
	}
	return err
}

// gather appends to a batch what is there already.
func gather(batch [][]byte, arrived <-chan []byte) [][]byte {
	for len(batch) < cap(batch) {
		select {
		case d, ok := <-arrived:
			if !ok {
				return batch
			}
			batch = append(batch, d)
		default:
			return batch
		}
	}
	return batch
}
