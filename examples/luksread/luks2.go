package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"

	"kcrypto/examples/internal/job"
)

// The format is that of "LUKS2 On-Disk Format Specification", version 1.1.1, by M. Broz. There are two copies of the
// header: 4096 bytes with big-endian numbers, and then JSON up to the header's size.

const (
	binarySize = 4096 // bytes of a header before the JSON
	sizeLeast  = 16 << 10
	sizeMost   = 4 << 20 // bytes of a header; in between are powers of two
	maxSlots   = 32
	areasEnd   = 2*sizeMost + 128<<20 // of the slots' areas, in bytes
)

// header2 begins each copy of the header of a LUKS2 volume.
type header2 struct {
	Magic     [6]byte
	Version   uint16
	Size      uint64 // bytes, with the JSON
	Sequence  uint64 // the copy with the higher one is newer
	Label     [48]byte
	Algorithm [32]byte // of the checksum
	Salt      [64]byte
	UUID      [40]byte
	Subsystem [48]byte
	Offset    uint64 // of this copy, in bytes
	_         [184]byte
	Checksum  [64]byte // of the header's Size bytes, with zeros here
}

const (
	magicFirst  = "LUKS\xba\xbe" // LUKS1 has it, too
	magicSecond = "SKUL\xba\xbe"
	checksumAt  = 448 // bytes before Checksum
)

// decimal is a number that JSON has as text.
type decimal uint64

func (d *decimal) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 10, 63)
	*d = decimal(n)
	return err
}

// metadata is the JSON, as far as this program needs it.
type metadata struct {
	Slots    map[string]slot2   `json:"keyslots"`
	Segments map[string]segment `json:"segments"`
	Digests  map[string]digest  `json:"digests"`
	Config   struct {
		Requirements struct {
			Mandatory []string `json:"mandatory"`
		} `json:"requirements"`
	} `json:"config"`
}

// A slot2 holds the volume's key under one passphrase.
type slot2 struct {
	Type    string `json:"type"`
	KeySize int    `json:"key_size"`
	AF      struct {
		Type    string `json:"type"`
		Stripes int64  `json:"stripes"`
		Hash    string `json:"hash"`
	} `json:"af"`
	Area struct {
		Type       string  `json:"type"`
		Offset     decimal `json:"offset"`
		Size       decimal `json:"size"`
		Encryption string  `json:"encryption"`
		KeySize    int     `json:"key_size"`
	} `json:"area"`
	KDF kdf `json:"kdf"`
}

// kdf says how a passphrase becomes a slot's key.
type kdf struct {
	Type       string `json:"type"`
	Salt       []byte `json:"salt"`
	Hash       string `json:"hash"`       // PBKDF2
	Iterations int64  `json:"iterations"` // PBKDF2
	Time       int64  `json:"time"`       // Argon2: passes
	Memory     int64  `json:"memory"`     // Argon2: KiB
	CPUs       int64  `json:"cpus"`       // Argon2
}

// A segment is a part of the volume.
type segment struct {
	Type       string          `json:"type"`
	Offset     decimal         `json:"offset"`
	Size       string          `json:"size"` // bytes, or "dynamic"
	Tweak      decimal         `json:"iv_tweak"`
	Encryption string          `json:"encryption"`
	Sector     int             `json:"sector_size"`
	Integrity  json.RawMessage `json:"integrity"`
}

// A digest tells whether a key is that of its segments.
type digest struct {
	Type       string   `json:"type"`
	Slots      []string `json:"keyslots"`
	Segments   []string `json:"segments"`
	Hash       string   `json:"hash"`
	Iterations int64    `json:"iterations"`
	Salt       []byte   `json:"salt"`
	Digest     []byte   `json:"digest"`
}

// openLUKS2 returns the disk of a volume of version 2. warn gets a sentence on a copy of the header that is damaged.
func openLUKS2(
	ctx context.Context, r io.ReaderAt, passphrase []byte, l limit, warn func(string),
) (*disk, error) {
	text, err := readJSON(r, warn)
	if err != nil {
		return nil, err
	}
	md := new(metadata)
	if err := json.Unmarshal(text, md); err != nil {
		return nil, fmt.Errorf("the header's JSON: %w", err)
	}
	d, g, err := md.disk()
	if err != nil {
		return nil, err
	}
	if d.key, err = md.unlock(ctx, r, g, passphrase, l); err != nil {
		return nil, err
	}
	if d.mode, err = modeOf(md.Segments["0"].Encryption, len(d.key)); err != nil {
		clear(d.key)
		return nil, err
	}
	return d, nil
}

// readJSON returns the JSON of the newer one of the copies of the header that are whole.
func readJSON(r io.ReaderAt, warn func(string)) ([]byte, error) {
	first, text, err := readCopy(r, 0)
	if err == nil {
		second, other, err := readCopy(r, int64(first.Size))
		switch {
		case err != nil:
			warn(fmt.Sprintf("the second copy of the header is damaged (%v), the first one is used", err))
		case second.Sequence > first.Sequence:
			text = other
		}
		return text, nil
	}
	for at := int64(sizeLeast); at <= sizeMost; at *= 2 {
		if _, text, other := readCopy(r, at); other == nil {
			warn(fmt.Sprintf("the first copy of the header is damaged (%v), the second one is used", err))
			return text, nil
		}
	}
	return nil, fmt.Errorf("both copies of the header are damaged: %w", err)
}

// readCopy reads and checks the copy of the header at byte at.
func readCopy(r io.ReaderAt, at int64) (*header2, []byte, error) {
	h, b, magic := new(header2), make([]byte, binarySize), magicSecond
	if at == 0 {
		magic = magicFirst
	}
	if _, err := r.ReadAt(b, at); err != nil {
		return nil, nil, fmt.Errorf("the file ends in it (%w)", err)
	}
	if _, err := binary.Decode(b, binary.BigEndian, h); err != nil {
		return nil, nil, err
	}
	switch {
	case string(h.Magic[:]) != magic || h.Version != 2:
		return nil, nil, fmt.Errorf("it begins with %q, version %d", h.Magic, h.Version)
	case h.Size < sizeLeast || h.Size > sizeMost || h.Size&(h.Size-1) != 0:
		return nil, nil, fmt.Errorf("it has %d bytes: want %d to %d, a power of two", h.Size, sizeLeast, sizeMost)
	case h.Offset != uint64(at) || at > 0 && h.Size != uint64(at):
		return nil, nil, fmt.Errorf("it is at byte %d and says %d", at, h.Offset)
	case text(h.Algorithm[:]) != "sha256":
		return nil, nil, fmt.Errorf("its checksum is by %q: this program knows sha256", text(h.Algorithm[:]))
	}
	whole := make([]byte, h.Size)
	if _, err := r.ReadAt(whole, at); err != nil {
		return nil, nil, fmt.Errorf("the file ends in it (%w)", err)
	}
	clear(whole[checksumAt:][:len(h.Checksum)])
	if sum := sha256.Sum256(whole); !bytes.Equal(sum[:], h.Checksum[:len(sum)]) {
		return nil, nil, errors.New("its checksum is wrong")
	}
	return h, []byte(text(whole[binarySize:])), nil
}

// disk returns the volume's only segment, and the digest of its key.
func (md *metadata) disk() (*disk, digest, error) {
	s, ok := md.Segments["0"]
	switch {
	case len(md.Config.Requirements.Mandatory) > 0:
		return nil, digest{}, fmt.Errorf("it needs %q, which this program does not know: a re-encryption that has "+
			"begun must be ended by cryptsetup", md.Config.Requirements.Mandatory)
	case !ok || len(md.Segments) != 1 || s.Type != "crypt":
		return nil, digest{}, fmt.Errorf("it has %d segments: this program reads those with one, encrypted, number 0",
			len(md.Segments))
	case s.Integrity != nil:
		return nil, digest{}, errors.New("it has tags of integrity, which this program does not know")
	case s.Sector < 512 || s.Sector > 4096 || s.Sector&(s.Sector-1) != 0:
		return nil, digest{}, fmt.Errorf("sectors of %d bytes: want 512, 1024, 2048 or 4096", s.Sector)
	case uint64(s.Offset) < 2*sizeLeast:
		return nil, digest{}, fmt.Errorf("the first sector is at byte %d, in the header: this program reads volumes "+
			"that begin with their header, none whose header is kept apart", s.Offset)
	}
	size := int64(-1)
	if s.Size != "dynamic" {
		var n decimal
		if err := n.UnmarshalText([]byte(s.Size)); err != nil || uint64(n) > math.MaxInt64-uint64(s.Offset) ||
			n%decimal(s.Sector) != 0 {
			return nil, digest{}, fmt.Errorf("the segment has %q bytes: want a number of sectors of %d, or \"dynamic\"",
				s.Size, s.Sector)
		}
		size = int64(n)
	}
	if _, err := modeOf(s.Encryption, anyKey(s.Encryption)); err != nil {
		return nil, digest{}, err
	}
	for _, g := range md.Digests {
		if slices.Contains(g.Segments, "0") {
			return &disk{offset: int64(s.Offset), size: size, sector: s.Sector, tweak: uint64(s.Tweak)}, g, nil
		}
	}
	return nil, digest{}, errors.New("no digest is the segment's")
}

// anyKey is the size of a key that a mode takes, if there is that mode.
func anyKey(name string) int {
	if m, ok := modes[name]; ok {
		return m.keys[0]
	}
	return 0
}

// unlock returns the key that the digest is of, from the first slot that the passphrase opens.
func (md *metadata) unlock(
	ctx context.Context, r io.ReaderAt, g digest, passphrase []byte, l limit,
) ([]byte, error) {
	if len(md.Slots) > maxSlots {
		return nil, fmt.Errorf("%d key slots: want at most %d", len(md.Slots), maxSlots)
	}
	var failed error
	for _, name := range slices.Sorted(maps.Keys(md.Slots)) {
		if !slices.Contains(g.Slots, name) {
			continue
		}
		s := md.Slots[name]
		key, err := s.try(ctx, r, g, passphrase, l)
		switch {
		case errors.Is(err, job.ErrInterrupted):
			return nil, err
		case err != nil:
			failed = fmt.Errorf("key slot %s: %w", name, err)
		case key != nil:
			return key, nil
		}
	}
	return nil, noSlot(failed)
}

// try returns the volume's key from one slot, or nil if the passphrase does not open that.
func (s *slot2) try(ctx context.Context, r io.ReaderAt, g digest, passphrase []byte, l limit) ([]byte, error) {
	m, hash, err := s.check()
	if err != nil {
		return nil, err
	}
	slotKey, err := s.KDF.derive(ctx, passphrase, s.Area.KeySize, l)
	if err != nil {
		return nil, err
	}
	defer clear(slotKey)
	key, err := material(r, int64(s.Area.Offset), m, slotKey, s.KeySize, s.AF.Stripes, hash)
	if err != nil {
		return nil, err
	}
	ok, err := g.of(ctx, key, l)
	if !ok {
		clear(key)
		key = nil
	}
	return key, err
}

// check returns what the slot's area is encrypted with, and the hash of its stripes.
func (s *slot2) check() (m mode, hash hashFunc, err error) {
	switch {
	case s.Type != "luks2" || s.AF.Type != "luks1" || s.Area.Type != "raw":
		return m, nil, fmt.Errorf("it is of type %q, %q, %q: this program knows luks2, luks1, raw",
			s.Type, s.AF.Type, s.Area.Type)
	case s.KeySize < 16 || s.KeySize > 64:
		return m, nil, fmt.Errorf("it holds a key of %d bytes: want 16 to 64", s.KeySize)
	case s.AF.Stripes < 1 || s.AF.Stripes > maxStripes:
		return m, nil, fmt.Errorf("%d stripes: want 1 to %d", s.AF.Stripes, maxStripes)
	case s.Area.Offset > areasEnd || s.Area.Size > areasEnd-s.Area.Offset:
		return m, nil, fmt.Errorf("its area is %d bytes at byte %d: want its end at %d or before",
			s.Area.Size, s.Area.Offset, areasEnd)
	case uint64(s.KeySize)*uint64(s.AF.Stripes) > uint64(s.Area.Size):
		return m, nil, fmt.Errorf("%d stripes of %d bytes are more than its area, of %d bytes",
			s.AF.Stripes, s.KeySize, s.Area.Size)
	}
	if m, err = modeOf(s.Area.Encryption, s.Area.KeySize); err != nil {
		return m, nil, err
	}
	hash, err = hashOf(s.AF.Hash)
	return m, hash, err
}

// derive returns the slot's key.
func (k *kdf) derive(ctx context.Context, passphrase []byte, size int, l limit) ([]byte, error) {
	switch k.Type {
	case "argon2i", "argon2id":
		return l.deriveArgon2(ctx, k, passphrase, size)
	case "pbkdf2":
		hash, err := hashOf(k.Hash)
		if err != nil {
			return nil, err
		}
		return l.deriveKey(ctx, hash, passphrase, k.Salt, k.Iterations, size)
	}
	return nil, fmt.Errorf("its key is derived by %q: this program knows argon2i, argon2id and pbkdf2", k.Type)
}

// of reports whether the digest is that of key.
func (g *digest) of(ctx context.Context, key []byte, l limit) (bool, error) {
	hash, err := hashOf(g.Hash)
	if err != nil {
		return false, err
	}
	if g.Type != "pbkdf2" || len(g.Digest) < 16 || len(g.Digest) > 64 {
		return false, fmt.Errorf("the digest is %d bytes of %q: want 16 to 64 of pbkdf2", len(g.Digest), g.Type)
	}
	got, err := l.deriveKey(ctx, hash, key, g.Salt, g.Iterations, len(g.Digest))
	return err == nil && subtle.ConstantTimeCompare(got, g.Digest) == 1, err
}
