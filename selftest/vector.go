package selftest

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kcrypto/registry"
)

// vector is one known answer, in the notation of bytesOf. For an AEAD out is ciphertext and tag. For a stream cipher
// the message begins offset bytes into the keystream.
type vector struct {
	source, key, iv, aad, in, out string
	offset                        uint64
}

// message is one input with its right answer, ready for use.
type message struct {
	kind   string // "test vector", "random message"
	index  int    // from 0
	source string // of a vector

	key, iv, aad []byte
	in, out      []byte // out is nil until it is known
	tag          int    // AEAD: bytes
	offset       uint64 // stream cipher: bytes
}

// name is what failures call the message.
func (m *message) name() string {
	if m.source != "" {
		return fmt.Sprintf("%s %d (%s)", m.kind, m.index, m.source)
	}
	s := fmt.Sprintf("%s %d (klen=%d ivlen=%d plen=%d", m.kind, m.index, len(m.key), len(m.iv), len(m.in))
	if m.tag > 0 {
		s += fmt.Sprintf(" alen=%d authsize=%d", len(m.aad), m.tag)
	}
	if m.offset > 0 {
		s += fmt.Sprintf(" offset=%d", m.offset)
	}
	return s + ")"
}

// messagesFor returns the known answers for a driver: ours, then those it brings. Left out is what the driver does
// not claim to do: tags and nonces of sizes that its description does not have.
func messagesFor(d *registry.Driver) []message {
	var ms []message
	for i, v := range known[d.Algorithm].vectors {
		m := message{
			kind: "test vector", index: i, source: v.source, offset: v.offset,
			key: bytesOf(v.key), iv: bytesOf(v.iv), aad: bytesOf(v.aad), in: bytesOf(v.in), out: bytesOf(v.out),
		}
		m.tag = len(m.out) - len(m.in)
		if m.fits(d) {
			ms = append(ms, m)
		}
	}
	for i, v := range d.Vectors {
		m := message{
			kind: "the driver's own vector", index: i, source: v.Source, tag: v.AuthSize,
			key: v.Key, iv: v.IV, aad: v.AAD, in: v.In, out: v.Out,
		}
		if d.Type == registry.TypeAEAD && m.tag == 0 {
			m.tag = defaultTag(d)
		}
		ms = append(ms, m)
	}
	return ms
}

// tooLong reports whether n bytes are more than d takes under a nonce of a size in bytes.
func tooLong(d *registry.Driver, nonce int, n uint64) bool {
	most := d.Longest(nonce)
	return most > 0 && n > most
}

// fits reports whether d claims to take the message: a foreign driver may claim less than the algorithm has.
func (m *message) fits(d *registry.Driver) bool {
	switch {
	case tooLong(d, len(m.iv), m.offset+uint64(len(m.in))):
		return false
	case d.Type != registry.TypeAEAD:
		return true
	case d.MaxAAD > 0 && uint64(len(m.aad)) > d.MaxAAD, d.AADSizes != nil && !slices.Contains(d.AADSizes, len(m.aad)):
		return false
	}
	return d.TakesNonce(len(m.iv)) && slices.Contains(d.AuthSizes, m.tag)
}

// defaultTag is the tag size in bytes that a driver's transforms begin with.
func defaultTag(d *registry.Driver) int {
	if len(d.AuthSizes) == 0 {
		return 0
	}
	return d.AuthSizes[len(d.AuthSizes)-1]
}

// bytesOf reads the notation of the vector tables. Pieces are separated by spaces: plain hex, a byte and how often it
// comes ("00*64"), or ascending bytes from one to another ("00..ff").
func bytesOf(s string) []byte {
	var b []byte
	for _, piece := range strings.Fields(s) {
		if one, count, ok := strings.Cut(piece, "*"); ok {
			n, err := strconv.Atoi(count)
			if err != nil {
				panic("selftest: malformed repetition in a vector: " + piece)
			}
			b = append(b, bytes.Repeat(unhex(one), n)...)
		} else if from, to, ok := strings.Cut(piece, ".."); ok {
			for c := int(unhex(from)[0]); c <= int(unhex(to)[0]); c++ {
				b = append(b, byte(c))
			}
		} else {
			b = append(b, unhex(piece)...)
		}
	}
	return b
}

func unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic("selftest: malformed hex in a vector: " + s)
	}
	return b
}
