// Tunnel sends packets through a sealed UDP tunnel between two sockets of this machine, in batches, and counts what
// comes out.
//
//	tunnel [PACKETS [BYTES [ALGORITHM]]]   default: tunnel 20000 1420 'gcm(aes)'
//
// An attacker is on the way: he sends one packet in a hundred a second time, and before one in a hundred that packet
// changed. Neither gets out of the tunnel. Packets are lost where the receiver's socket has no room left, as UDP's are.
// The program ends after ten seconds at the latest. It uses 127.0.0.1 only.
//
// Both ends get a random key here. In a real tunnel it comes from a handshake, each direction has one of its own, and a
// new handshake makes new ones long before maxPackets.
package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"kcrypto/examples/internal/job"
)

const usage = `%w:
  tunnel [PACKETS [BYTES [ALGORITHM]]]   1 to 1000000 packets of 0 to %d bytes, by an AEAD with 12-byte nonces`

// limit is how long the program may take.
const limit = 10 * time.Second

func main() { job.Main("tunnel", run) }

func run(ctx context.Context, args []string) error {
	d, err := parse(args)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("not done after %v: send fewer packets", limit))
	defer cancel()
	c, err := d.run(ctx)
	if errors.Is(err, context.Canceled) {
		err = job.ErrInterrupted
	}
	if c.sent == 0 {
		return err
	}
	fmt.Printf("sent       %d packets of %d bytes, sealed by %s; %d of them twice; %d more that were changed\n",
		c.sent, d.size, c.driver, c.repeated, c.changed)
	fmt.Printf("delivered  %d; refused %d as replayed, %d as forged; %d lost on the way\n",
		c.delivered, c.replayed, c.forged, c.sent-c.delivered)
	fmt.Printf("took       %.2f s, %.0f MB/s\n", c.took.Seconds(), float64(c.delivered*d.size)/1e6/c.took.Seconds())
	return err
}

func parse(args []string) (d demo, err error) {
	d = demo{packets: 20000, size: 1420, algorithm: "gcm(aes)", deliver: func(uint64, []byte) {}}
	for i, n := range []*int{&d.packets, &d.size} {
		if len(args) > i && err == nil {
			*n, err = strconv.Atoi(args[i])
		}
	}
	if len(args) > 2 {
		d.algorithm = args[2]
	}
	if err != nil || len(args) > 3 || d.packets < 1 || d.packets > 1e6 || d.size < 0 || d.size > maxText {
		return d, fmt.Errorf(usage, job.ErrUsage, maxText)
	}
	return d, nil
}
