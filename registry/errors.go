package registry

import "errors"

// The errors of this module. Each is a class: what a call returns wraps one of them with a sentence that says
// what was wrong and what would be right. Test with errors.Is. The comment names the Linux errno of the same case.
var (
	ErrNotFound    = errors.New("not found")                     // ENOENT: no algorithm, driver, alias or template
	ErrExists      = errors.New("name already registered")       // EEXIST
	ErrSelfTest    = errors.New("self-test failed")              // ELIBBAD
	ErrUnavailable = errors.New("not available on this machine") // ENODEV: a CPU feature or platform support is missing
	ErrType        = errors.New("wrong type of transform")       // EINVAL: an AEAD asked as skcipher, or the reverse
	ErrBusy        = errors.New("driver in use")                 // EBUSY
	ErrKeySize     = errors.New("invalid key")                   // EINVAL: wrong length, or a weak key that was forbidden
	ErrNonceSize   = errors.New("invalid nonce size")            // EINVAL
	ErrAuthSize    = errors.New("invalid tag size")              // EINVAL
	ErrLength      = errors.New("invalid length")                // EINVAL: of a message or an output
	ErrNoKey       = errors.New("no key set")                    // ENOKEY
	ErrClosed      = errors.New("transform is closed")           //
	ErrAuth        = errors.New("message authentication failed") // EBADMSG
	ErrConfig      = errors.New("invalid configuration")         //
	ErrOverlap     = errors.New("invalid buffer overlap")        // output and input overlap, but not exactly
	ErrDriver      = errors.New("invalid driver")                // EINVAL: at registration, or in a call of a foreign one
)
