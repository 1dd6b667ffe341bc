// Luksread decrypts a LUKS1 volume with aes-xts-plain64, the kind that "qemu-img create -f luks" and older cryptsetups
// make, to a plain disk image:
//
//	luksread PASSPHRASEFILE VOLUME OUT
//
// The passphrase is all that is in PASSPHRASEFILE, without a line's end at its end. OUT appears only when it is whole.
// OUT may be "-", standard output. How long the passphrase takes to be tried is what the volume's header says; Ctrl-C
// ends that, too.
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"kcrypto"
	"kcrypto/examples/internal/job"
)

const piece = 1 << 20 // bytes in memory at a time: whole sectors

func main() { job.Main("luksread", run) }

func run(ctx context.Context, args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("%w: luksread PASSPHRASEFILE VOLUME OUT", job.ErrUsage)
	}
	passphrase, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	volume, out := args[1], args[2]
	disk, skip, err := open(ctx, volume, string(bytes.TrimSuffix(passphrase, []byte("\n"))))
	if err != nil {
		return fmt.Errorf("%s: %w", volume, err)
	}
	defer disk.Close()
	return decrypt(ctx, disk, volume, out, skip)
}

// open returns the volume's cipher, and how many bytes there are before its first sector.
func open(ctx context.Context, volume, passphrase string) (disk *kcrypto.Skcipher, skip int64, err error) {
	f, err := os.Open(volume)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	h, err := readHeader(f)
	if err != nil {
		return nil, 0, err
	}
	key, err := h.unlock(ctx, f, passphrase)
	if err != nil {
		return nil, 0, err
	}
	defer clear(key)
	disk, err = kcrypto.NewSkcipher("xts(aes)", key)
	return disk, int64(h.PayloadOffset) * sector, err
}

// decrypt writes what follows the first skip bytes of the volume, decrypted, to out.
func decrypt(ctx context.Context, disk *kcrypto.Skcipher, volume, out string, skip int64) (err error) {
	j, err := job.Start(ctx, volume, out)
	if err != nil {
		return err
	}
	defer j.Finish(&err)
	buf := make([]byte, piece)
	for last := false; skip > 0; {
		if last {
			return fmt.Errorf("%s ends before its first sector", volume)
		}
		n := 0
		if n, last, err = j.Next(buf[:min(skip, piece)]); err != nil {
			return err
		}
		skip -= int64(n)
	}
	for first := uint64(0); ; first += piece / sector {
		n, last, err := j.Next(buf)
		if err != nil {
			return err
		}
		if err := disk.DecryptSectors(buf[:n], buf[:n], sector, first); err != nil {
			return err
		}
		if err := j.Write(buf[:n]); err != nil || last {
			return err
		}
	}
}
