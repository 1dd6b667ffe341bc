package kcrypto_test

import (
	"bytes"
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"

	"kcrypto"
	"kcrypto/registry"
)

// sectorAlgorithms are those that have sectors.
var sectorAlgorithms = []string{"xts(aes)", "cbc(aes)", "essiv(cbc(aes),sha256)"}

func hasSectors(algorithm string) bool { return slices.Contains(sectorAlgorithms, algorithm) }

// eachSectorDriver runs f for every driver of every algorithm that has sectors.
func eachSectorDriver(t *testing.T, f func(t *testing.T, d registry.Info, m skModel)) {
	t.Helper()
	for _, algorithm := range sectorAlgorithms {
		m := skModelOf(t, algorithm)
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) { f(t, d, m) })
	}
}

// sectorIVs has numberings of count sectors, in every form, up to the last number and beyond 32 and 64 bits.
func sectorIVs(rng *random, count int) []kcrypto.SectorIV {
	steps, n := []uint64{0, 1, 2, 8, rng.Uint64() >> 40}, uint64(max(count, 1))-1
	step := steps[rng.IntN(len(steps))]
	way := n * max(step, 1) // from the first to the last
	last := math.MaxUint64 - way
	return []kcrypto.SectorIV{
		{First: rng.Uint64() >> 1, Step: step}, {First: last, Step: step}, {First: 1<<32 - 1 - way/2, Step: step},
		{Form: kcrypto.IVPlain, First: rng.Uint64N(1 << 31), Step: step},
		{Form: kcrypto.IVPlain, First: 1<<32 - 1 - way/2, Step: step}, {Form: kcrypto.IVPlain, First: last, Step: step},
		{Form: kcrypto.IVPlain64BE, First: rng.Uint64() >> 1, Step: step},
		{Form: kcrypto.IVPlain64BE, First: last, Step: step},
		{Form: kcrypto.IVPlain128, First: last + way/2, High: rng.Uint64() >> 1, Step: step},
		{Form: kcrypto.IVPlain128, First: last, High: math.MaxUint64, Step: step},
	}
}

// sectorIV is the IV of sector i, by the definitions of the forms.
func sectorIV(s kcrypto.SectorIV, i int) []byte {
	big64 := func(v uint64) *big.Int { return new(big.Int).SetUint64(v) }
	n := new(big.Int).Mul(big64(max(s.Step, 1)), big64(uint64(i)))
	n.Add(n, big64(s.First)).Add(n, new(big.Int).Lsh(big64(s.High), 64))
	iv := n.FillBytes(make([]byte, 16))
	switch s.Form {
	case kcrypto.IVPlain64BE:
		return iv
	case kcrypto.IVPlain:
		clear(iv[:12])
	}
	slices.Reverse(iv)
	return iv
}

// sectorSizes are with and without ciphertext stealing, where the algorithm has any.
func sectorSizes(m skModel) (sizes []int) {
	for _, n := range []int{
		16, 17, 31, 32, 100, 112, 512, 520, 528, 529, 543, 640, 785, 896, 1000, 1008, 4096, 4104, 5120,
	} {
		if m.fits(n) {
			sizes = append(sizes, n)
		}
	}
	return sizes
}

// TestSectors compares calls on many sectors with one call a sector, in chunks of the usual size and in small ones.
func TestSectors(t *testing.T) {
	eachSectorDriver(t, func(t *testing.T, d registry.Info, m skModel) {
		rng := newRandom(t.Name())
		for _, keySize := range m.keySizes {
			key := rng.bytes(keySize)
			for _, s := range []*kcrypto.Skcipher{
				newSkcipher(t, d, key), newSkcipher(t, d, key, inForm(t, d, "chunk=1024")),
			} {
				for _, size := range sectorSizes(m) {
					for _, count := range []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 65} {
						if size*count < 40_000 && (size == 16 || !testing.Short() || rng.IntN(4) == 0) {
							compareSectors(t, s, rng, size, count)
						}
					}
				}
			}
		}
	})
}

// compareSectors compares a call for count sectors of size bytes, numbered in a way that is drawn, with single calls.
func compareSectors(t *testing.T, s *kcrypto.Skcipher, rng *random, size, count int) {
	t.Helper()
	ivs := sectorIVs(rng, count)
	iv := ivs[rng.IntN(len(ivs))]
	src := rng.bytes(size * count)
	want := make([]byte, len(src))
	for i := range count {
		if err := s.Encrypt(want[i*size:], src[i*size:(i+1)*size], sectorIV(iv, i)); err != nil {
			t.Fatal(err)
		}
	}
	encrypt, decrypt := s.EncryptSectorsIV, s.DecryptSectorsIV
	if iv == (kcrypto.SectorIV{First: iv.First}) {
		encrypt = func(dst, src []byte, size int, iv kcrypto.SectorIV) error {
			return s.EncryptSectors(dst, src, size, iv.First)
		}
		decrypt = func(dst, src []byte, size int, iv kcrypto.SectorIV) error {
			return s.DecryptSectors(dst, src, size, iv.First)
		}
	}
	var f canaryBuffer
	got := f.prepare(len(src), 0)
	err := encrypt(got, src, size, iv)
	if what := difference(got, want) + f.writtenOutside(len(got)); err != nil || what != "" {
		t.Fatalf("%d sectors of %d bytes, %+v: %s (%v)", count, size, iv, what, err)
	}
	err = decrypt(got, got, size, iv) // in place
	if what := difference(got, src) + f.writtenOutside(len(got)); err != nil || what != "" {
		t.Fatalf("%d sectors of %d bytes, %+v, back: %s (%v)", count, size, iv, what, err)
	}
}

// TestSectorsByModel: a call on sectors gives what other code than ours makes of them.
func TestSectorsByModel(t *testing.T) {
	eachSectorDriver(t, func(t *testing.T, d registry.Info, m skModel) {
		rng := newRandom(t.Name())
		key := rng.bytes(m.keySizes[len(m.keySizes)-1])
		s := newSkcipher(t, d, key)
		const size, count = 512, 35
		for _, iv := range sectorIVs(rng, count) {
			src, got := rng.bytes(size*count), make([]byte, size*count)
			var want []byte
			for i := range count {
				want = append(want, m.encrypt(key, sectorIV(iv, i), src[i*size:][:size])...)
			}
			if err := s.EncryptSectorsIV(got, src, size, iv); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%+v: %s (%v)", iv, difference(got, want), err)
			}
			if err := s.DecryptSectorsIV(got, got, size, iv); err != nil || !bytes.Equal(got, src) {
				t.Errorf("%+v, back: %s (%v)", iv, difference(got, src), err)
			}
		}
	})
}

func TestSectorsRefused(t *testing.T) {
	const most = math.MaxUint64
	numbered := func(first uint64) kcrypto.SectorIV { return kcrypto.SectorIV{First: first} }
	eachSectorDriver(t, func(t *testing.T, d registry.Info, m skModel) {
		s := newSkcipher(t, d, newRandom(t.Name()).bytes(m.keySizes[0]))
		src := make([]byte, 4096)
		type refusal struct {
			what      string
			dst, size int
			iv        kcrypto.SectorIV
			class     error
		}
		cases := []refusal{
			{"a length that is no multiple", 4096, 1008, numbered(0), registry.ErrLength},
			{"a sector size of 0", 4096, 0, numbered(0), registry.ErrLength},
			{"a negative sector size", 4096, -512, numbered(0), registry.ErrLength},
			{"a sector size under a block", 4096, 8, numbered(0), registry.ErrLength},
			{"a sector number past 2^64", 4096, 512, numbered(most - 6), registry.ErrLength},
			{"a short output", 4095, 512, numbered(0), registry.ErrLength},
			{"a step past 2^64", 4096, 2048, kcrypto.SectorIV{First: most - 7, Step: 8}, registry.ErrLength},
			{"a number past 2^128", 4096, 2048, kcrypto.SectorIV{
				Form: kcrypto.IVPlain128, First: most, High: most}, registry.ErrLength},
			{"an upper half in plain64", 4096, 512, kcrypto.SectorIV{High: 1}, registry.ErrConfig},
			{"a form that there is not", 4096, 512, kcrypto.SectorIV{Form: 17}, registry.ErrConfig},
		}
		if d.Algorithm == "xts(aes)" {
			cases = append(cases,
				refusal{"a sector size over 2^20 blocks", 4096, 1<<24 + 16, numbered(0), registry.ErrLength})
		}
		if m.multiple > 1 {
			cases = append(cases,
				refusal{"sectors that are no whole blocks", 4096, 1024 + m.multiple/2, numbered(0), registry.ErrLength})
		}
		for _, c := range cases {
			var f canaryBuffer
			dst := f.prepare(c.dst, 0)
			if c.iv == numbered(c.iv.First) {
				wantError(t, c.what, s.EncryptSectors(dst, src, c.size, c.iv.First), c.class)
				wantError(t, c.what, s.DecryptSectors(dst, src, c.size, c.iv.First), c.class)
			}
			wantError(t, c.what, s.EncryptSectorsIV(dst, src, c.size, c.iv), c.class)
			wantError(t, c.what, s.DecryptSectorsIV(dst, src, c.size, c.iv), c.class)
			if what := f.writtenOutside(0); what != "" {
				t.Errorf("%s: %s", c.what, what)
			}
		}
		if err := s.EncryptSectors(src, src, 512, most-7); err != nil {
			t.Errorf("the last 8 sectors there are: %v", err)
		}
		last := kcrypto.SectorIV{Form: kcrypto.IVPlain128, First: most - 7, High: most}
		if err := s.EncryptSectorsIV(src, src, 512, last); err != nil {
			t.Errorf("the last 8 sectors there are in 128 bits: %v", err)
		}
	})
}

// TestLargeSectors: EncryptSectors counts sectors, and dm-crypt units of 512 bytes. The second sector of 4096 bytes is
// what each makes of it; dm-crypt's is that of a volume of cryptsetup's, and number 8.
func TestLargeSectors(t *testing.T) {
	key := make([]byte, 64)
	for i := range key {
		key[i] = byte(i)
	}
	eachDriver(t, "xts(aes)", func(t *testing.T, d registry.Info) {
		s, disk := newSkcipher(t, d, key), make([]byte, 2*4096)
		if err := s.EncryptSectors(disk, make([]byte, 2*4096), 4096, 0); err != nil {
			t.Fatal(err)
		}
		if got, want := disk[4096:][:16], unhex("0c22ed7e2168a8500b30154c2ec00d26"); !bytes.Equal(got, want) {
			t.Errorf("the second sector: %s", difference(got, want))
		}
		dmCrypt := kcrypto.SectorIV{Step: 8}
		if err := s.EncryptSectorsIV(disk, make([]byte, 2*4096), 4096, dmCrypt); err != nil {
			t.Fatal(err)
		}
		if got, want := disk[4096:][:16], unhex("32557c9efcea00dfdf521bbc053d1a7b"); !bytes.Equal(got, want) {
			t.Errorf("the second sector under dm-crypt: %s", difference(got, want))
		}
		if err := s.DecryptSectorsIV(disk, disk, 4096, dmCrypt); err != nil || !bytes.Equal(disk, make([]byte, 2*4096)) {
			t.Errorf("back: %s (%v)", difference(disk, make([]byte, 2*4096)), err)
		}
	})
}

// foreignUnits is a driver of another module, which has one message a call.
type foreignUnits struct {
	*keeper
	model skModel
	key   []byte
}

func (f *foreignUnits) SetKey(key []byte) error {
	f.key = bytes.Clone(key)
	return nil
}

func (f *foreignUnits) Wipe() { clear(f.key) }

func (f *foreignUnits) Encrypt(dst, src, iv []byte) {
	f.keep(dst, src, iv)
	copy(dst, f.model.crypt(f.key, iv, src, false))
}

func (f *foreignUnits) Decrypt(dst, src, iv []byte) {
	f.keep(dst, src, iv)
	copy(dst, f.model.crypt(f.key, iv, src, true))
}

// foreignSectors is one that has sectors with numbers in a row.
type foreignSectors struct{ foreignUnits }

func (f *foreignSectors) EncryptSectors(dst, src []byte, size int, first uint64) {
	f.sectors(f.Encrypt, dst, src, size, first)
}

func (f *foreignSectors) DecryptSectors(dst, src []byte, size int, first uint64) {
	f.sectors(f.Decrypt, dst, src, size, first)
}

func (f *foreignSectors) sectors(crypt func(dst, src, iv []byte), dst, src []byte, size int, first uint64) {
	for i := range len(src) / size {
		crypt(dst[i*size:][:size], src[i*size:][:size], sectorIV(kcrypto.SectorIV{First: first}, i))
	}
}

// TestSectorsOfForeignDrivers: one that has no sectors gets a call for each, one that has them also for numbers that
// are not in a row; neither sees the stack.
func TestSectorsOfForeignDrivers(t *testing.T) {
	for _, algorithm := range sectorAlgorithms {
		m, k := skModelOf(t, algorithm), new(keeper)
		for name, build := range map[string]func(registry.Config) registry.Skcipher{
			"units":   func(registry.Config) registry.Skcipher { return &foreignUnits{keeper: k, model: m} },
			"sectors": func(registry.Config) registry.Skcipher { return &foreignSectors{foreignUnits{keeper: k, model: m}} },
		} {
			r := newRegistry(t, "")
			d := registry.Driver{
				Algorithm: algorithm, Name: name + "-acme", Impl: "acme", Module: "acme", Priority: 9000,
				Type: registry.TypeSkcipher, BlockSize: 16, IVSize: 16, ChunkSize: 16, KeySizes: m.keySizes,
				MinSize: m.min, MultipleOf: m.multiple, NewSkcipher: build,
			}
			if algorithm == "xts(aes)" {
				d.MaxSize = 1 << 24
			}
			if err := r.Register([]registry.Driver{d}); err != nil {
				t.Fatal(err)
			}
			names := []string{d.Name}
			if algorithm == "cbc(aes)" {
				names = append(names, "essiv("+d.Name+",sha256)")
			}
			for _, name := range names {
				foreignSectorCalls(t, r, k, name)
			}
		}
	}
}

func foreignSectorCalls(t *testing.T, r *registry.Registry, k *keeper, name string) {
	t.Helper()
	rng := newRandom(t.Name() + name)
	s := must(kcrypto.AllocSkcipher(name, kcrypto.WithRegistry(r)))
	defer s.Close()
	if err := s.SetKey(rng.bytes(s.Info().KeySizes[0])); err != nil {
		t.Fatal(err)
	}
	k.watch(t, name, func() {
		for _, count := range []int{1, 3, 40} {
			compareSectors(t, s, rng, 32, count)
		}
	})
	k.watch(t, name+": a batch", func() {
		requests, want := make([]kcrypto.Request, 40), make([][]byte, 40)
		for i := range requests {
			src, iv := rng.bytes(48), rng.bytes(16)
			requests[i], want[i] = kcrypto.Request{Dst: make([]byte, 48), Src: src, IV: iv}, make([]byte, 48)
			if err := s.Encrypt(want[i], src, iv); err != nil {
				t.Fatal(err)
			}
		}
		if failed := s.EncryptBatch(requests); failed > 0 {
			t.Fatalf("%s: %d requests of a batch failed: %v", name, failed, requests[0].Err)
		}
		for i := range requests {
			if !bytes.Equal(requests[i].Dst, want[i]) {
				t.Errorf("%s: request %d: %s", name, i, difference(requests[i].Dst, want[i]))
			}
		}
	})
}

// TestSectorsInARowOnly: a stream cipher of another module that has sectors is not asked for others: its IV may be a
// counter.
func TestSectorsInARowOnly(t *testing.T) {
	r := registry.New()
	err := r.Register([]registry.Driver{{
		Algorithm: "s", Name: "s-gc", Type: registry.TypeSkcipher, BlockSize: 1, ChunkSize: 16, IVSize: 16,
		KeySizes: []int{16}, NewSkcipher: func(registry.Config) registry.Skcipher { return newGCDriver() },
	}})
	if err != nil {
		t.Fatal(err)
	}
	s, buf := must(kcrypto.NewSkcipher("s", make([]byte, 16), kcrypto.WithRegistry(r))), make([]byte, 64)
	defer s.Close()
	for _, c := range []struct {
		iv    kcrypto.SectorIV
		class error
	}{
		{kcrypto.SectorIV{First: 9, Step: 1}, nil}, {kcrypto.SectorIV{Form: kcrypto.IVPlain, First: 9}, nil},
		{kcrypto.SectorIV{Step: 8}, registry.ErrType}, {kcrypto.SectorIV{Form: kcrypto.IVPlain64BE}, registry.ErrType},
	} {
		if err := s.EncryptSectorsIV(buf, buf, 16, c.iv); !errors.Is(err, c.class) {
			t.Errorf("%+v: %v, want %v", c.iv, err, c.class)
		}
	}
}
