package main

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// A fileName is a flag that takes the name of a file to write, "" for none.
type fileName string

func (f *fileName) String() string { return string(*f) }
func (f *fileName) Type() string   { return "file" }

// Set refuses what other programs take for their standard output: that has the results in it.
func (f *fileName) Set(s string) error {
	if s == "" || s == "-" {
		return errors.New("want the name of a file; standard output has the results of -o")
	}
	*f = fileName(s)
	return nil
}

// A fileFlag is a flag and the file that it was given.
type fileFlag struct {
	flag string
	name fileName
}

// canWrite tries whether the files can be written, and leaves them as they are. None may be another one of them, or the
// one that stdout goes to: one of the two would be lost.
func canWrite(stdout io.Writer, flags ...fileFlag) error {
	taken := map[string]os.FileInfo{}
	if f, ok := stdout.(*os.File); ok {
		if info, err := f.Stat(); err == nil {
			taken["standard output"] = info
		}
	}
	for _, f := range flags {
		if f.name == "" {
			continue
		}
		_, missing := os.Stat(string(f.name))
		file, err := os.OpenFile(string(f.name), os.O_WRONLY|os.O_CREATE, 0o666)
		if err != nil {
			return usagef("%s %s: %w", f.flag, f.name, err)
		}
		if missing != nil {
			defer os.Remove(string(f.name))
		}
		defer file.Close()
		info, err := file.Stat()
		if err != nil {
			return usagef("%s %s: %w", f.flag, f.name, err)
		}
		for other, is := range taken {
			if info.Mode().IsRegular() && os.SameFile(info, is) {
				return usagef("%s %s: %s goes to the same file; want two files", f.flag, f.name, other)
			}
		}
		taken[f.flag] = info
	}
	return nil
}

// writeFile writes what write writes, if the file has a name.
func writeFile(name fileName, write func(io.Writer) error) error {
	if name == "" {
		return nil
	}
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	return os.WriteFile(string(name), b.Bytes(), 0o666)
}
