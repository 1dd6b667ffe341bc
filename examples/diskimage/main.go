// Diskimage encrypts and decrypts disk images with xts(aes), sector by sector, as dm-crypt's aes-xts-plain64 does:
// the tweak of a sector is its number, from 0, counted in sectors of the size given. (dm-crypt counts in 512 bytes,
// whatever its sector size, unless it has iv_large_sectors. luksread does, too.)
//
//	diskimage keygen  KEYFILE                         make a key
//	diskimage encrypt [-sector BYTES] KEYFILE IN OUT  encrypt IN to OUT
//	diskimage decrypt [-sector BYTES] KEYFILE IN OUT  decrypt IN to OUT
//	diskimage read    [-sector BYTES] KEYFILE IMAGE OFFSET LENGTH
//	diskimage write   [-sector BYTES] KEYFILE IMAGE OFFSET
//
// read decrypts some bytes of an encrypted image to standard output, and write encrypts standard input into the image,
// which stays as long as it is. Neither touches the rest.
//
// An image stays as long as it was, so it has no place for a tag: XTS hides what a disk holds and does not notice
// changes. An image that was tampered with, or another key, decrypts to garbage without an error; where that matters
// use filecrypt. OUT appears only when it is whole. Memory use does not depend on the image's size. Keeping the key
// safe is up to you. IN and OUT may be "-", standard input and standard output.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"kcrypto"
	"kcrypto/examples/internal/job"
)

const usage = `%w:
  diskimage keygen  KEYFILE                         make a key
  diskimage encrypt [-sector BYTES] KEYFILE IN OUT  encrypt IN to OUT (sectors of 4096 bytes, or of 512)
  diskimage decrypt [-sector BYTES] KEYFILE IN OUT  decrypt IN to OUT
  diskimage read    [-sector BYTES] KEYFILE IMAGE OFFSET LENGTH  decrypt a part to standard output
  diskimage write   [-sector BYTES] KEYFILE IMAGE OFFSET         encrypt standard input into a part`

const (
	keySize = 64      // two AES-256 keys
	piece   = 1 << 20 // bytes in memory at a time: whole sectors
)

func main() { job.Main("diskimage", run) }

func run(ctx context.Context, args []string) error {
	wrong := fmt.Errorf(usage, job.ErrUsage)
	if len(args) == 2 && args[0] == "keygen" {
		return job.MakeKey(args[1], keySize)
	}
	operands := map[string]int{"encrypt": 3, "decrypt": 3, "read": 4, "write": 3}
	if len(args) == 0 || operands[args[0]] == 0 {
		return wrong
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	sector := flags.Int("sector", 4096, "")
	if flags.Parse(args[1:]) != nil || flags.NArg() != operands[args[0]] || *sector != 512 && *sector != 4096 {
		return wrong
	}
	switch args[0] {
	case "read":
		return readPart(os.Stdout, flags.Args(), *sector)
	case "write":
		return writePart(os.Stdin, flags.Args(), *sector)
	}
	return crypt(ctx, flags.Args(), *sector, args[0] == "encrypt")
}

// open returns the cipher with the key in a file.
func open(keyFile string) (*kcrypto.Skcipher, error) {
	key, err := job.ReadKey(keyFile, keySize)
	if err != nil {
		return nil, err
	}
	return kcrypto.NewSkcipher("xts(aes)", key, kcrypto.WithForbidWeakKeys())
}

// crypt handles the image names[1] to names[2] with the key in names[0].
func crypt(ctx context.Context, names []string, sector int, encrypt bool) (err error) {
	disk, err := open(names[0])
	if err != nil {
		return err
	}
	defer disk.Close()
	j, err := job.Start(ctx, names[1], names[2])
	if err != nil {
		return err
	}
	defer j.Finish(&err)
	f := disk.DecryptSectors
	if encrypt {
		f = disk.EncryptSectors
	}
	return sectors(j, sector, f)
}

// sectors sends the image through f.
func sectors(j *job.Job, size int, f func(dst, src []byte, size int, first uint64) error) error {
	buf := make([]byte, piece)
	for first := uint64(0); ; first += uint64(piece / size) {
		n, last, err := j.Next(buf)
		if err != nil {
			return err
		}
		if n%size != 0 {
			return fmt.Errorf("the image has %d bytes after its last sector of %d: it was cut, or has sectors of another size",
				n%size, size)
		}
		if err := f(buf[:n], buf[:n], size, first); err != nil {
			return err
		}
		if err := j.Write(buf[:n]); err != nil || last {
			return err
		}
	}
}
