// Filecrypt encrypts and decrypts files of any size with gcm(aes).
//
//	filecrypt keygen  KEYFILE          make a key
//	filecrypt encrypt KEYFILE IN OUT   encrypt IN to OUT
//	filecrypt decrypt KEYFILE IN OUT   decrypt IN to OUT
//
// A file that was changed, cut, or put together from pieces of others is refused, and OUT appears only when all of it
// is there and authentic. Memory use does not depend on the file's size. Keeping the key safe is up to you.
//
// IN and OUT may be "-", standard input and standard output. What decrypt writes there is authentic, but more may be
// missing: only the exit status 0 says that it is all.
package main

import (
	"context"
	"fmt"

	"kcrypto/examples/internal/job"
)

const usage = `%w:
  filecrypt keygen  KEYFILE          make a key
  filecrypt encrypt KEYFILE IN OUT   encrypt IN to OUT
  filecrypt decrypt KEYFILE IN OUT   decrypt IN to OUT (- is standard input or output)`

func main() { job.Main("filecrypt", run) }

func run(ctx context.Context, args []string) error {
	switch {
	case len(args) == 2 && args[0] == "keygen":
		return job.MakeKey(args[1], keySize)
	case len(args) == 4 && args[0] == "encrypt":
		return crypt(ctx, args[1:], encrypt)
	case len(args) == 4 && args[0] == "decrypt":
		return crypt(ctx, args[1:], decrypt)
	}
	return fmt.Errorf(usage, job.ErrUsage)
}

// crypt runs f with the key and the files that names name.
func crypt(ctx context.Context, names []string, f func(j *job.Job, key []byte) error) (err error) {
	key, err := job.ReadKey(names[0], keySize)
	if err != nil {
		return err
	}
	j, err := job.Start(ctx, names[1], names[2])
	if err != nil {
		return err
	}
	defer j.Finish(&err)
	return f(j, key)
}
