package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"kcrypto"
	"kcrypto/examples/internal/job"
)

// readPart writes names[3] bytes of the image names[1], from byte names[2] on, to out.
func readPart(out io.Writer, names []string, sector int) error {
	at, err := number(names[2])
	if err != nil {
		return err
	}
	n, err := number(names[3])
	if err != nil {
		return err
	}
	return withDisk(names, os.O_RDONLY, sector, func(d *kcrypto.Disk) error {
		if at > d.Size() || n > d.Size()-at {
			return fmt.Errorf("%s has %d bytes, and none at %d and %d more", names[1], d.Size(), at, n)
		}
		_, err := io.CopyBuffer(struct{ io.Writer }{out}, io.NewSectionReader(d, at, n), make([]byte, piece))
		return err
	})
}

// writePart writes what in has to the image names[1], from byte names[2] on. If that is more than the image has space
// for, what fits is written.
func writePart(in io.Reader, names []string, sector int) error {
	at, err := number(names[2])
	if err != nil {
		return err
	}
	return withDisk(names, os.O_RDWR, sector, func(d *kcrypto.Disk) error {
		space := d.Size() - at
		if space < 0 {
			return fmt.Errorf("%s has %d bytes, and none at %d", names[1], d.Size(), at)
		}
		to := io.NewOffsetWriter(d, at)
		_, err := io.CopyBuffer(struct{ io.Writer }{to}, io.LimitReader(in, space), make([]byte, piece))
		if err != nil {
			return err
		}
		if n, _ := io.ReadFull(in, make([]byte, 1)); n > 0 {
			return fmt.Errorf("the input does not fit: %d bytes of it were written, up to the end of %s", space, names[1])
		}
		return nil
	})
}

// withDisk opens the image names[1], encrypted under the key in names[0].
func withDisk(names []string, mode, sector int, use func(d *kcrypto.Disk) error) (err error) {
	c, err := open(names[0])
	if err != nil {
		return err
	}
	defer c.Close()
	f, err := os.OpenFile(names[1], mode, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	d, err := c.Disk(f, size, sector, kcrypto.SectorIV{})
	if err != nil {
		return err
	}
	return use(d)
}

// number reads an offset or a length.
func number(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%w: %q is no number of bytes", job.ErrUsage, s)
	}
	return n, nil
}
