package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// cheap keeps key derivation short.
const cheap = " --pbkdf-force-iterations 4 --pbkdf-memory 32 --pbkdf-parallel 1"

// cryptsetup gets room for the header and as much for moving the data: the data begin at byte offset then.
const offset = 16 << 20

// cryptsetup runs cryptsetup on a file, which needs no device mapper for what is done here.
func cryptsetup(t *testing.T, dir, options string, files ...string) {
	t.Helper()
	args := append(strings.Fields(options), "--batch-mode", "--key-file", passphraseFile(t, dir, passphrase))
	args = append(args, files...)
	if out, err := exec.Command(tool(t, "cryptsetup", "cryptsetup-bin"), args...).CombinedOutput(); err != nil {
		t.Fatalf("cryptsetup %s: %v: %s", options, err, out)
	}
}

// luks2Volume makes a volume of plain with cryptsetup.
func luks2Volume(t *testing.T, dir string, plain []byte, options string) (volume string) {
	t.Helper()
	volume = filepath.Join(dir, "volume")
	if err := os.WriteFile(volume, append(bytes.Clone(plain), make([]byte, 2*offset)...), 0o600); err != nil {
		t.Fatal(err)
	}
	cryptsetup(t, dir, "reencrypt --encrypt --type luks2 --reduce-device-size 32M "+options, volume)
	if err := os.Truncate(volume, int64(offset+len(plain))); err != nil { // the room that moving took
		t.Fatal(err)
	}
	return volume
}

func TestReadsCryptsetup(t *testing.T) {
	for i, options := range []string{
		"--sector-size 4096 --pbkdf argon2id" + cheap,
		"--sector-size 512 --pbkdf pbkdf2 --pbkdf-force-iterations 1000 --cipher aes-cbc-essiv:sha256 --key-size 256",
		"--sector-size 512 --pbkdf argon2id --key-size 256" + cheap,
		"--sector-size 4096 --pbkdf argon2i --cipher aes-cbc-essiv:sha256 --key-size 128" + cheap,
		"--sector-size 4096 --pbkdf argon2id --cipher aes-cbc-plain64 --key-size 192" + cheap,
		"--sector-size 512 --pbkdf pbkdf2 --pbkdf-force-iterations 1000 --hash sha512 --cipher aes-cbc-plain64",
		"--sector-size 1024 --pbkdf argon2id --hash sha1" + cheap,
		"--sector-size 2048 --pbkdf argon2id --pbkdf-force-iterations 5 --pbkdf-memory 1000 --pbkdf-parallel 4",
		"--sector-size 4096 --pbkdf argon2id --cipher aes-xts-plain" + cheap,
	} {
		if i > 1 && testing.Short() {
			break
		}
		t.Run(options, func(t *testing.T) {
			dir, plain := t.TempDir(), noise(3*piece+4096)
			read(t, dir, luks2Volume(t, dir, plain, options), plain)
		})
	}
}

// TestReadsOtherSlots: a passphrase in another slot than the first one, and both after cryptsetup has made the volume
// one of LUKS1.
func TestReadsOtherSlots(t *testing.T) {
	dir, want := t.TempDir(), noise(piece)
	volume := luks2Volume(t, dir, want, "--pbkdf pbkdf2 --pbkdf-force-iterations 1000 "+
		"--cipher aes-cbc-essiv:sha256 --key-size 256")
	other := filepath.Join(dir, "other")
	if err := os.WriteFile(other, []byte("battery staple"), 0o600); err != nil {
		t.Fatal(err)
	}
	cryptsetup(t, dir, "luksAddKey --pbkdf pbkdf2 --pbkdf-force-iterations 1000", volume, other)
	both := func(version byte) {
		t.Helper()
		for i, file := range []string{passphraseFile(t, dir, passphrase), other} {
			out := filepath.Join(t.TempDir(), "out")
			if err := run(t.Context(), []string{file, volume, out}); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(out)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("version %d, passphrase %d: %d bytes, not the %d that went in (%v)", version, i, len(got), len(want), err)
			}
		}
		header, err := os.ReadFile(volume)
		if err != nil || header[7] != version {
			t.Fatalf("the volume is of version %d, want %d (%v)", header[7], version, err)
		}
	}
	both(2)
	cryptsetup(t, dir, "convert --type luks1", volume)
	both(1)
}

// madeVolume is a LUKS2 volume of two sectors of 4096 bytes, which is then changed.
type madeVolume struct {
	whole, plain []byte
	size         int // bytes of a copy of the header
}

func newMadeVolume(t *testing.T) *madeVolume {
	dir, plain := t.TempDir(), noise(2*4096)
	whole, err := os.ReadFile(luks2Volume(t, dir, plain, "--sector-size 4096 --pbkdf argon2id"+cheap))
	if err != nil {
		t.Fatal(err)
	}
	return &madeVolume{whole, plain, int(binary.BigEndian.Uint64(whole[8:]))}
}

// with returns the volume with another JSON in both copies, whose checksums are right.
func (v *madeVolume) with(t *testing.T, change func(md map[string]any)) []byte {
	t.Helper()
	var md map[string]any
	if err := json.Unmarshal([]byte(text(v.whole[binarySize:v.size])), &md); err != nil {
		t.Fatal(err)
	}
	change(md)
	b, err := json.Marshal(md)
	if err != nil {
		t.Fatal(err)
	}
	return v.withText(string(b))
}

func (v *madeVolume) withText(text string) []byte {
	volume := bytes.Clone(v.whole)
	for at := 0; at <= v.size; at += v.size {
		header := volume[at:][:v.size]
		clear(header[binarySize:])
		copy(header[binarySize:], text)
		sum(header)
	}
	return volume
}

// sum sets a header's checksum.
func sum(header []byte) {
	clear(header[checksumAt:][:64])
	s := sha256.Sum256(header)
	copy(header[checksumAt:], s[:])
}

// at is what a path of keys leads to.
func at(md map[string]any, path ...string) map[string]any {
	for _, key := range path {
		md = md[key].(map[string]any)
	}
	return md
}

func TestRefusesLUKS2(t *testing.T) {
	v := newMadeVolume(t)
	set := func(value any, path ...string) []byte {
		return v.with(t, func(md map[string]any) { at(md, path[:len(path)-1]...)[path[len(path)-1]] = value })
	}
	inBoth := func(change func(header []byte)) []byte {
		b := bytes.Clone(v.whole)
		change(b[:v.size])
		change(b[v.size:][:v.size])
		return b
	}
	slot, area, kdf := []string{"keyslots", "0"}, []string{"keyslots", "0", "area"}, []string{"keyslots", "0", "kdf"}
	in := func(path []string, name string) []string { return append(path[:len(path):len(path)], name) }
	for _, r := range []refusal{
		{"wrong passphrase", "battery staple", "no key slot opens", v.whole},
		{"cut header", passphrase, "both copies of the header are damaged", v.whole[:binarySize]},
		{"cut before the second copy", passphrase, "key slot 0: EOF", v.whole[:v.size]},
		{"cut key slot", passphrase, "key slot 0", v.whole[:2*v.size+1000]},
		{"cut before the first sector", passphrase, "ends before its first sector", v.whole[:offset-1]},
		{"cut in a sector", passphrase, "ends within its data", v.whole[:len(v.whole)-512]},
		{"two flipped bits", passphrase, "checksum is wrong", inBoth(func(h []byte) { h[binarySize+9] ^= 1 })},
		{"another checksum", passphrase, `"sha3"`, inBoth(func(h []byte) { copy(h[72:], "sha3\x00\x00\x00") })},
		{"a huge header", passphrase, "want 16384 to 4194304", inBoth(func(h []byte) { h[8] = 0x7f })},
		{"copies that lie elsewhere", passphrase, "says 1", inBoth(func(h []byte) { h[263]++; sum(h) })},
		{"no JSON", passphrase, "JSON", v.withText("")},
		{"deep JSON", passphrase, "JSON", v.withText(strings.Repeat("[", v.size-binarySize-1))},
		{"a negative offset", passphrase, "JSON", set("-1", "segments", "0", "offset")},
		{"an offset beyond all", passphrase, "JSON", set("9223372036854775808", "segments", "0", "offset")},
		{"the first sector in the header", passphrase, "in the header", set("4096", "segments", "0", "offset")},
		{"far sectors", passphrase, "ends before", set("9223372036854771712", "segments", "0", "offset")},
		{"more sectors", passphrase, "ends within its data", set("1048576", "segments", "0", "size")},
		{"a size of no sectors", passphrase, "number of sectors", set("4097", "segments", "0", "size")},
		{"a size beyond all", passphrase, "number of sectors", set("9223372036854771712", "segments", "0", "size")},
		{"sectors of 0 bytes", passphrase, "sectors of 0", set(0, "segments", "0", "sector_size")},
		{"sectors of 520 bytes", passphrase, "sectors of 520", set(520, "segments", "0", "sector_size")},
		{"another mode", passphrase, `"aes-xts-random"`, set("aes-xts-random", "segments", "0", "encryption")},
		{"a mode for other keys", passphrase, "a key of 64 bytes",
			set("aes-cbc-plain64", "segments", "0", "encryption")},
		{"tags", passphrase, "integrity", set(map[string]any{"type": "hmac(sha256)"}, "segments", "0", "integrity")},
		{"a plain segment", passphrase, "1 segments", set("linear", "segments", "0", "type")},
		{"no segment", passphrase, "0 segments", set(map[string]any{}, "segments")},
		{"a re-encryption", passphrase, "must be ended by cryptsetup",
			set(map[string]any{"mandatory": []string{"online-reencrypt-v2"}}, "config", "requirements")},
		{"no digest", passphrase, "no digest", set(map[string]any{}, "digests")},
		{"a digest of nothing", passphrase, "the digest is 0 bytes", set("", "digests", "0", "digest")},
		{"another digest", passphrase, "no key slot opens", set("AAAAAAAAAAAAAAAAAAAAAA==", "digests", "0", "digest")},
		{"hours for the digest", passphrase, "with -costly", set(math.MaxInt32, "digests", "0", "iterations")},
		{"no slot", passphrase, "no key slot opens", set(map[string]any{}, "keyslots")},
		{"a slot of another type", passphrase, `"reencrypt"`, set("reencrypt", in(slot, "type")...)},
		{"a key of 1 GiB", passphrase, "a key of 1073741824 bytes", set(1<<30, in(slot, "key_size")...)},
		{"no stripes", passphrase, "0 stripes", set(0, "keyslots", "0", "af", "stripes")},
		{"many stripes", passphrase, "2000000000 stripes", set(2_000_000_000, "keyslots", "0", "af", "stripes")},
		{"a small area", passphrase, "more than its area", set("65536", in(area, "size")...)},
		{"an area beyond the end", passphrase, "key slot 0: EOF", set("100000000", in(area, "offset")...)},
		{"an area beyond all", passphrase, "want its end at", set("9223372036854771712", in(area, "offset")...)},
		{"an area of all", passphrase, "want its end at", set("9223372036854775807", in(area, "size")...)},
		{"an area in another mode", passphrase, `"aes-ecb"`, set("aes-ecb", in(area, "encryption")...)},
		{"an area under a short key", passphrase, "a key of 1 bytes", set(1, in(area, "key_size")...)},
		{"another derivation", passphrase, `"scrypt"`, set("scrypt", in(kdf, "type")...)},
		{"2 GiB of memory", passphrase, "with -costly", set(2<<20, in(kdf, "memory")...)},
		{"5 GiB of memory", passphrase, "8 KiB a thread to 4194304 KiB", set(5<<20, in(kdf, "memory")...)},
		{"no memory", passphrase, "8 KiB a thread", set(0, in(kdf, "memory")...)},
		{"no passes", passphrase, "0 passes", set(0, in(kdf, "time")...)},
		{"many passes", passphrase, "with -costly", set(101, in(kdf, "time")...)},
		{"no threads", passphrase, "by 0 threads", set(0, in(kdf, "cpus")...)},
		{"256 threads", passphrase, "by 256 threads", set(256, in(kdf, "cpus")...)},
		{"33 slots", passphrase, "33 key slots", v.with(t, func(md map[string]any) {
			for i := range 32 {
				at(md, "keyslots")["x"+string(rune('a'+i))] = at(md, "keyslots", "0")
			}
		})},
	} {
		t.Run(r.name, r.check)
	}
}

// TestSecondHeader: each copy of the header is enough, and the newer one counts.
func TestSecondHeader(t *testing.T) {
	v := newMadeVolume(t)
	open := func(what string, volume []byte, warnings ...string) {
		t.Helper()
		var said []string
		d, err := openVolume(t.Context(), bytes.NewReader(volume), []byte(passphrase), limit{},
			func(s string) { said = append(said, s) })
		if err != nil || d.sector != 4096 || d.offset != offset || len(d.key) != 64 {
			t.Errorf("%s: %+v, %v", what, d, err)
		}
		if len(said) != len(warnings) || len(said) > 0 && !strings.Contains(said[0], warnings[0]) {
			t.Errorf("%s: said %q, want %q", what, said, warnings)
		}
	}
	open("whole", v.whole)
	for _, flip := range []int{0, 7, 9, 100, checksumAt, binarySize + 5, v.size - 1} {
		b := bytes.Clone(v.whole)
		b[flip] ^= 0x40
		open("the first copy", b, "the first copy of the header is damaged")
		b = bytes.Clone(v.whole)
		b[v.size+flip] ^= 0x40
		open("the second copy", b, "the second copy of the header is damaged")
	}
	// A program that ended between writing one and the other: the slots of the older one are gone.
	for copy := range 2 {
		old := v.with(t, func(md map[string]any) { md["keyslots"] = map[string]any{} })
		header := old[copy*v.size:][:v.size]
		sequence := binary.BigEndian.Uint64(header[16:])
		copyJSON(header, v.whole[:v.size])
		binary.BigEndian.PutUint64(header[16:], sequence+1)
		sum(header)
		open("the newer one", old)
	}
}

// copyJSON gives a header the JSON of another.
func copyJSON(header, other []byte) { copy(header[binarySize:], other[binarySize:]) }

// TestTweak: a segment's numbers may begin elsewhere, and count units.
func TestTweak(t *testing.T) {
	v := newMadeVolume(t)
	tweaked := v.with(t, func(md map[string]any) {
		at(md, "segments", "0")["iv_tweak"] = "8"
		at(md, "segments", "0")["size"] = "4096"
	})
	copy(tweaked[offset:], tweaked[offset+4096:][:4096]) // the second sector, which has the number 8
	path := filepath.Join(t.TempDir(), "volume")
	if err := os.WriteFile(path, tweaked, 0o600); err != nil {
		t.Fatal(err)
	}
	read(t, t.TempDir(), path, v.plain[4096:])
}

// TestHostileJSON changes bytes of the header's JSON: what opens is the volume, and all else is an error of one line.
func TestHostileJSON(t *testing.T) {
	v := newMadeVolume(t)
	whole := text(v.whole[binarySize:v.size])
	rng, count, opened := rand.New(rand.NewChaCha8([32]byte{2})), 300, 0
	if testing.Short() {
		count = 100
	}
	for range count {
		b := []byte(whole)
		for range 1 + rng.IntN(3) {
			b[rng.IntN(len(b))] = `{}[],:"0179-. aAz\`[rng.IntN(18)]
		}
		d, err := openVolume(t.Context(), bytes.NewReader(v.withText(string(b))), []byte(passphrase), limit{},
			func(s string) { t.Errorf("%s: said %q", b, s) })
		switch {
		case err == nil && (d.mode.algorithm != "xts(aes)" || len(d.key) != 64):
			t.Errorf("%s: opened as %+v", b, d)
		case err == nil:
			opened++
		case strings.Contains(err.Error(), "\n"):
			t.Errorf("%s: an error of many lines: %v", b, err)
		}
	}
	if opened == 0 || opened == count {
		t.Errorf("%d of %d volumes were opened", opened, count)
	}
}
