package kcrypto_test

import (
	"context"
	"crypto/cipher"
	"errors"
	"fmt"
	"log"
	"math"
	"os"
	"strings"

	"kcrypto"
	"kcrypto/registry"
)

// The best driver of an algorithm, without a key at first. Which one that is depends on the machine; here it is asked
// for by name, so that the example prints the same everywhere.
func ExampleAllocAEAD() {
	aead, err := kcrypto.AllocAEAD("gcm-aes-generic") // "gcm(aes)" for the best one
	if err != nil {
		log.Fatal(err)
	}
	defer aead.Close() // wipes the key
	if err := aead.SetKey([]byte("0123456789abcdef")); err != nil {
		log.Fatal(err)
	}
	var _ cipher.AEAD = aead
	fmt.Println(aead.Driver(), aead.NonceSize(), aead.Overhead())
	// Output: gcm-aes-generic 12 16
}

func ExampleNewAEAD() {
	key := make([]byte, 32) // from a key exchange, a key file, ...
	aead, err := kcrypto.NewAEAD("gcm(aes)", key)
	if err != nil {
		log.Fatal(err)
	}
	defer aead.Close()
	nonce := make([]byte, aead.NonceSize()) // never twice with one key
	ciphertext := aead.Seal(nil, nonce, []byte("attack at dawn"), []byte("header"))

	_, err = aead.Open(nil, nonce, ciphertext, []byte("Header"))
	fmt.Println(err, errors.Is(err, registry.ErrAuth))
	plaintext, err := aead.Open(nil, nonce, ciphertext, []byte("header"))
	fmt.Printf("%s %v\n", plaintext, err)
	// Output:
	// kcrypto: message authentication failed true
	// attack at dawn <nil>
}

// A packet is sealed in place: header, text and the tag's memory are in one buffer. Nothing is allocated.
func ExampleAEAD_Seal() {
	aead, err := kcrypto.NewAEAD("chacha20poly1305", make([]byte, 32))
	if err != nil {
		log.Fatal(err)
	}
	defer aead.Close()
	var nonce [12]byte
	packet := make([]byte, 0, 1500)
	packet = append(packet, "HEAD"...)
	packet = append(packet, "text of the packet"...)
	header, text := packet[:4], packet[4:]

	sealed := aead.Seal(header, nonce[:], text, header) // over the text, behind the header
	fmt.Println(len(packet), len(sealed), &sealed[0] == &packet[0])

	text, err = aead.Open(sealed[4:4], nonce[:], sealed[4:], sealed[:4]) // and back, in place
	fmt.Printf("%s %v\n", text, err)
	// Output:
	// 22 38 true
	// text of the packet <nil>
}

// A message comes in pieces of any size, and its ciphertext goes out as it does.
func ExampleAEAD_Sealer() {
	aead, err := kcrypto.NewAEAD("gcm(aes)", make([]byte, 16))
	if err != nil {
		log.Fatal(err)
	}
	defer aead.Close()
	nonce := make([]byte, aead.NonceSize())
	s, err := aead.Sealer(nonce, []byte("header"))
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	var sealed []byte
	for _, piece := range []string{"attack ", "at ", "dawn"} {
		sealed = s.Seal(sealed, []byte(piece))
	}
	sealed = s.Final(sealed)

	text, err := aead.Open(nil, nonce, sealed, []byte("header"))
	fmt.Printf("%s %v\n", text, err)
	// Output:
	// attack at dawn <nil>
}

// A packet's header and payload lie apart, and so does the tag. They are sealed in place.
func ExampleAEAD_SealParts() {
	aead, err := kcrypto.NewAEAD("gcm(aes)", make([]byte, 16))
	if err != nil {
		log.Fatal(err)
	}
	defer aead.Close()
	nonce, tag := make([]byte, aead.NonceSize()), make([]byte, aead.Overhead())
	header, payload := []byte("to: you"), []byte("attack at dawn")
	err = aead.SealParts([][]byte{header, payload, tag}, nonce, [][]byte{header, payload}, nil)
	if err != nil {
		log.Fatal(err)
	}

	err = aead.OpenParts([][]byte{header, payload}, nonce, [][]byte{header, payload, tag}, nil)
	fmt.Printf("%s, %s, %v\n", header, payload, err)
	// Output:
	// to: you, attack at dawn, <nil>
}

// Packets that arrive together are opened in one call, in place. The second one was changed on its way.
func ExampleAEAD_OpenBatch() {
	aead, err := kcrypto.NewAEAD("gcm(aes)", make([]byte, 16))
	if err != nil {
		log.Fatal(err)
	}
	defer aead.Close()
	packets := make([]kcrypto.Packet, 3)
	for i := range packets {
		nonce := make([]byte, aead.NonceSize())
		nonce[0] = byte(i) // never twice with one key
		packets[i] = kcrypto.Packet{Nonce: nonce, Src: fmt.Appendf(nil, "packet %d", i), AAD: []byte("header")}
	}
	aead.SealBatch(packets)

	for i := range packets {
		p := &packets[i]
		p.Src, p.Dst = p.Dst, p.Dst[:0]
	}
	packets[1].Src[3] ^= 1
	fmt.Println(aead.OpenBatch(packets), "failed")
	for i := range packets {
		fmt.Printf("%s %v\n", packets[i].Dst, packets[i].Err)
	}
	// Output:
	// 1 failed
	// packet 0 <nil>
	//  kcrypto: message authentication failed
	// packet 2 <nil>
}

// A stream can be read from anywhere, as a database does with a page in an encrypted file.
func ExampleSkcipher_Stream() {
	ctr, err := kcrypto.NewSkcipher("ctr(aes)", make([]byte, 16))
	if err != nil {
		log.Fatal(err)
	}
	defer ctr.Close()
	iv := make([]byte, ctr.IVSize())
	text := []byte("a long text, of which the middle is wanted")
	sealed := make([]byte, len(text))
	if err := ctr.Encrypt(sealed, text, iv); err != nil {
		log.Fatal(err)
	}

	stream, err := ctr.Stream(iv)
	if err != nil {
		log.Fatal(err)
	}
	defer stream.Close()
	if err := stream.Seek(26); err != nil {
		log.Fatal(err)
	}
	middle := make([]byte, 6)
	stream.XORKeyStream(middle, sealed[26:32])
	fmt.Printf("%s\n", middle)
	// Output: middle
}

// The same without a Stream, and without an allocation.
func ExampleSkcipher_XORKeyStreamAt() {
	ctr, err := kcrypto.NewSkcipher("chacha20", make([]byte, 32))
	if err != nil {
		log.Fatal(err)
	}
	defer ctr.Close()
	iv := make([]byte, ctr.IVSize())
	sealed := make([]byte, 1000)
	copy(sealed[500:], "here")
	if err := ctr.Encrypt(sealed, sealed, iv); err != nil {
		log.Fatal(err)
	}
	part := make([]byte, 4)
	if err := ctr.XORKeyStreamAt(part, sealed[500:504], iv, 500); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", part)
	// Output: here
}

// Sectors 1000 to 1007 of a disk, in one call.
func ExampleSkcipher_EncryptSectors() {
	disk, err := kcrypto.NewSkcipher("xts(aes)",
		[]byte(strings.Repeat("first half", 4)[:32]+strings.Repeat("2nd half", 4)),
		kcrypto.WithForbidWeakKeys())
	if err != nil {
		log.Fatal(err)
	}
	defer disk.Close()
	buf := make([]byte, 8*4096)
	copy(buf[3*4096:], "sector 1003")
	if err := disk.EncryptSectors(buf, buf, 4096, 1000); err != nil {
		log.Fatal(err)
	}
	one := make([]byte, 4096)
	if err := disk.DecryptSectors(one, buf[3*4096:4*4096], 4096, 1003); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", one[:11])
	// Output: sector 1003
}

// Why this driver? The registry here has a setting, so that the answer is the same everywhere.
func ExampleExplain() {
	r, err := kcrypto.NewRegistry("prefer.xts(aes)=xts-aes-generic")
	if err != nil {
		log.Fatal(err)
	}
	e, err := r.Explain("xts(aes)") // kcrypto.Explain for the default registry
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(e.Winner)
	fmt.Println(e.Why)
	// Output:
	// xts-aes-generic
	// xts-aes-generic is preferred for xts(aes) by configuration
}

// One implementation or an error, never another one.
func ExampleWithImpl() {
	aead, err := kcrypto.AllocAEAD("gcm(aes)", kcrypto.WithImpl("generic"))
	if err != nil {
		log.Fatal(err)
	}
	defer aead.Close()
	fmt.Println(aead.Driver())
	_, err = kcrypto.AllocAEAD("gcm(aes)", kcrypto.WithImpl("vacuum-tubes"))
	fmt.Println(errors.Is(err, registry.ErrNotFound))
	// Output:
	// gcm-aes-generic
	// true
}

func ExampleConfigure() {
	// At the start of a program, before anything is allocated. With strict, a program stops instead of using another
	// driver than it was tested with.
	if err := kcrypto.Configure("strict=on,chunk=32768"); err != nil {
		log.Fatal(err)
	}
}

func ExampleSelfTest() {
	// At the start of a program, so that a failure is found now and not at the first message.
	if err := kcrypto.SelfTest(context.Background(), "gcm(aes)"); err != nil {
		log.Fatal(err)
	}
	fmt.Println("ok")
	// Output: ok
}

// A driver of one's own, here for a board with an imaginary AES engine. Before it serves, it is self-tested as all
// others are, with this module's vectors.
func Example_foreignDriver() {
	r, err := kcrypto.NewRegistry("") // kcrypto.Default() to register for the whole program
	if err != nil {
		log.Fatal(err)
	}
	err = r.Register([]registry.Driver{{
		Algorithm: "ctr(aes)", Name: "ctr-aes-engine", Impl: "engine", Module: "example.org/engine", Priority: 900,
		Type: registry.TypeSkcipher, BlockSize: 1, IVSize: 16, ChunkSize: 16, KeySizes: []int{16, 24, 32},
		NewSkcipher: func(registry.Config) registry.Skcipher { return new(engine) },
	}})
	if err != nil {
		log.Fatal(err)
	}
	ctr, err := kcrypto.AllocSkcipher("ctr(aes)", kcrypto.WithRegistry(r))
	if err != nil {
		log.Fatal(err)
	}
	defer ctr.Close()
	fmt.Println(ctr.Driver(), ctr.Info().SelfTest)
	// Output: ctr-aes-engine passed
}

// engine is a registry.StreamCipher over crypto/cipher.
type engine struct{ block cipher.Block }

func (e *engine) SetKey(key []byte) (err error) {
	e.block, err = newAES(key)
	return err
}

func (e *engine) Encrypt(dst, src, iv []byte) { e.XORBlocks(dst, src, iv, 0) }
func (e *engine) Decrypt(dst, src, iv []byte) { e.XORBlocks(dst, src, iv, 0) }
func (e *engine) Wipe()                       { e.block = nil }
func (e *engine) Blocks([]byte) uint64        { return math.MaxUint64 }

func (e *engine) Bind(iv []byte) (registry.StreamCipher, []byte) { return &engine{e.block}, iv }

// XORBlocks adds the block number to the big-endian counter in iv.
func (e *engine) XORBlocks(dst, src, iv []byte, block uint64) {
	counter := append([]byte{}, iv...)
	for i := 15; block > 0 && i >= 0; i-- {
		block += uint64(counter[i])
		counter[i], block = byte(block), block>>8
	}
	cipher.NewCTR(e.block, counter).XORKeyStream(dst, src)
}

// The drivers on this machine, best first, as tcrypt list shows them.
func ExampleDrivers() {
	for _, d := range kcrypto.Drivers("chacha20", "xts(aes)") {
		if d.Impl == "generic" {
			fmt.Fprintln(os.Stdout, d.Algorithm, d.Driver, d.Priority, d.KeySizes)
		}
	}
	// Output:
	// xts(aes) xts-aes-generic 100 [32 48 64]
	// chacha20 chacha20-generic 100 [32]
}

// The second MiB of a LUKS2 volume with sectors of 4096 bytes, whose numbers count units of 512 bytes.
func ExampleSkcipher_DecryptSectorsIV() {
	volume, err := kcrypto.NewSkcipher("xts(aes)", []byte(strings.Repeat("the volume's key", 4)))
	if err != nil {
		log.Fatal(err)
	}
	defer volume.Close()
	const at = 1 << 20
	iv := kcrypto.SectorIV{First: at / 512, Step: 4096 / 512}
	buf := make([]byte, 1<<20)
	copy(buf[5*4096:], "sector 261")
	if err := volume.EncryptSectorsIV(buf, buf, 4096, iv); err != nil {
		log.Fatal(err)
	}
	one := buf[5*4096:][:4096]
	if err := volume.DecryptSectorsIV(one, one, 4096, kcrypto.SectorIV{First: 261 * 8}); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", one[:10])
	// Output: sector 261
}
