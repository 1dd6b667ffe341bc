// Luksread decrypts a LUKS1 or LUKS2 volume to a plain disk image:
//
//	luksread [-costly] PASSPHRASEFILE VOLUME OUT
//
// The volume is a file or a device that begins with its header, encrypted with aes-xts-plain64, aes-cbc-essiv:sha256 or
// aes-cbc-plain64: what cryptsetup and "qemu-img create -f luks" make. Sectors may have 512 to 4096 bytes.
//
// The passphrase is all that is in PASSPHRASEFILE, without a line's end at its end. OUT appears only when it is whole.
// OUT may be "-", standard output. How long the passphrase takes to be tried, and how much memory, is what the volume's
// header says; Ctrl-C ends that, too. More than 1 GiB, or minutes, are refused without -costly.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"kcrypto"
	"kcrypto/examples/internal/job"
)

const piece = 1 << 20 // bytes in memory at a time: whole sectors

func main() { job.Main("luksread", run) }

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("luksread", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	costly := flags.Bool("costly", false, "")
	if flags.Parse(args) != nil || flags.NArg() != 3 {
		return fmt.Errorf("%w: luksread [-costly] PASSPHRASEFILE VOLUME OUT", job.ErrUsage)
	}
	passphrase, err := os.ReadFile(flags.Arg(0))
	if err != nil {
		return err
	}
	defer clear(passphrase)
	volume, out := flags.Arg(1), flags.Arg(2)
	d, err := open(ctx, volume, bytes.TrimSuffix(passphrase, []byte("\n")), limit{*costly})
	if err != nil {
		return fmt.Errorf("%s: %w", volume, err)
	}
	defer clear(d.key)
	return d.decrypt(ctx, volume, out)
}

// open finds a volume's key.
func open(ctx context.Context, volume string, passphrase []byte, l limit) (*disk, error) {
	f, err := os.Open(volume)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return openVolume(ctx, f, passphrase, l, func(s string) { fmt.Fprintf(os.Stderr, "luksread: %s: %s\n", volume, s) })
}

// openVolume goes by the beginning of the volume. A LUKS2 volume has another header if that is damaged.
func openVolume(
	ctx context.Context, r io.ReaderAt, passphrase []byte, l limit, warn func(string),
) (*disk, error) {
	begin := make([]byte, 8)
	if _, err := r.ReadAt(begin, 0); err != nil {
		return nil, fmt.Errorf("this is no LUKS volume: it ends in its header (%w)", err)
	}
	switch version := int(begin[6])<<8 | int(begin[7]); {
	case string(begin[:6]) == magicFirst && version == 1:
		return openLUKS1(ctx, r, passphrase, l)
	case string(begin[:6]) == magicFirst && version == 2 || hasSecondHeader(r):
		return openLUKS2(ctx, r, passphrase, l, warn)
	case string(begin[:6]) == magicFirst:
		return nil, fmt.Errorf("LUKS version %d: this program reads versions 1 and 2", version)
	}
	return nil, errors.New("this is no LUKS volume: it does not begin like one")
}

// hasSecondHeader reports whether there is the second copy of a LUKS2 header, whole.
func hasSecondHeader(r io.ReaderAt) bool {
	for at := int64(sizeLeast); at <= sizeMost; at *= 2 {
		if _, _, err := readCopy(r, at); err == nil {
			return true
		}
	}
	return false
}

// decrypt writes the disk, decrypted, to out.
func (d *disk) decrypt(ctx context.Context, volume, out string) (err error) {
	c, err := kcrypto.NewSkcipher(d.mode.algorithm, d.key)
	if err != nil {
		return err
	}
	defer c.Close()
	j, err := job.Start(ctx, volume, out)
	if err != nil {
		return err
	}
	defer j.Finish(&err)
	buf := make([]byte, piece)
	if err := d.skip(j, volume, buf); err != nil {
		return err
	}
	for at, last := int64(0), false; !last && at != d.size; {
		b := buf
		if d.size >= 0 {
			b = buf[:min(d.size-at, piece)]
		}
		n, end, err := j.Next(b)
		switch {
		case err != nil:
			return err
		case n%d.sector != 0 || d.size >= 0 && n < len(b):
			return fmt.Errorf("%s ends within its data: %d bytes after %d", volume, n, at)
		}
		if err := c.DecryptSectorsIV(b[:n], b[:n], d.sector, d.ivs(at)); err != nil {
			return err
		}
		if err := j.Write(b[:n]); err != nil {
			return err
		}
		at, last = at+int64(n), end
	}
	return nil
}

// skip passes over what is before the first sector.
func (d *disk) skip(j *job.Job, volume string, buf []byte) error {
	last := false
	for left := d.offset; left > 0; {
		if last {
			return fmt.Errorf("%s ends before its first sector", volume)
		}
		n, end, err := j.Next(buf[:min(left, piece)])
		if err != nil {
			return err
		}
		left, last = left-int64(n), end
	}
	return nil
}
