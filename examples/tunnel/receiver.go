package main

import "kcrypto"

// receiver is the end of the tunnel that opens. It is for one goroutine.
type receiver struct {
	tunnel uint32
	aead   *kcrypto.AEAD
	window window

	packets  []kcrypto.Packet // these two are kept from call to call, so that none allocates
	counters []uint64         // of packets

	delivered, replayed, forged int
	foreign                     int // no packets of this tunnel
}

// open opens datagrams that arrived together, in place. It hands on the texts of those that are authentic and new, in
// the order in which they came.
func (r *receiver) open(datagrams [][]byte, deliver func(counter uint64, text []byte)) {
	r.packets, r.counters = r.packets[:0], r.counters[:0]
	for _, d := range datagrams {
		tunnel, counter, ok := header(d)
		switch {
		case !ok || tunnel != r.tunnel || counter >= maxPackets:
			r.foreign++
		case !r.window.fresh(counter):
			r.replayed++ // not worth opening
		default:
			r.counters = append(r.counters, counter)
			r.packets = append(r.packets,
				kcrypto.Packet{Dst: d[headerSize:headerSize], Nonce: d[:headerSize], Src: d[headerSize:]})
		}
	}
	r.aead.OpenBatch(r.packets)
	for i := range r.packets {
		// Only an authentic packet may move the window: a forged counter would make it refuse the packets to come. And
		// only here is the second of two equal packets of one batch found.
		switch p := &r.packets[i]; {
		case p.Err != nil:
			r.forged++
		case !r.window.accept(r.counters[i]):
			r.replayed++
		default:
			r.delivered++
			deliver(r.counters[i], p.Dst)
		}
	}
}
