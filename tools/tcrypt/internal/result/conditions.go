package result

import "fmt"

// Conditions are what all cells of one series have in common: what is measured, but for who does it and at which
// message sizes. An option of tcrypt speed that changes what is measured is a field here; the forms of output get its
// words from the methods below. Sizes are in bytes, but for the key's.
type Conditions struct {
	Algorithm string `json:"algorithm"`
	KeyBits   int    `json:"key_bits"`
	Direction string `json:"direction"`              // Encrypt or Decrypt
	AAD       int    `json:"aad_bytes"`              // additional data of an AEAD
	Tag       int    `json:"tag_bytes"`              // of an AEAD
	Sector    int    `json:"sector_bytes,omitempty"` // each message is a run of such sectors, in one call; 0: it is one
	Batch     int    `json:"batch,omitempty"`        // messages of that size in each call; 0: one, by the call for one
	Threads   int    `json:"threads"`                // that do the same at the same time, each with messages of its own
}

// The directions.
const (
	Encrypt = "encrypt"
	Decrypt = "decrypt"
)

// Direction is Decrypt or Encrypt.
func Direction(decrypt bool) string {
	if decrypt {
		return Decrypt
	}
	return Encrypt
}

// usualTag is the tag of every AEAD here if nobody asks for another.
const usualTag = 16

// Title says for people what is measured.
func (c *Conditions) Title() string {
	s := fmt.Sprintf("%s, %d-bit key, %sion", c.Algorithm, c.KeyBits, c.Direction)
	if c.AAD > 0 {
		s += fmt.Sprintf(", %d bytes of additional data", c.AAD)
	}
	if c.Tag > 0 && c.Tag != usualTag {
		s += fmt.Sprintf(", %d-byte tag", c.Tag)
	}
	if c.Sector > 0 {
		s += fmt.Sprintf(", calls for sectors of %d bytes", c.Sector)
	}
	if c.Batch > 0 {
		s += fmt.Sprintf(", batches of %d", c.Batch)
	}
	if c.Threads > 1 {
		s += fmt.Sprintf(", %d threads at once", c.Threads)
	}
	return s
}

// KernelTitle says it as a heading of the kernel's tcrypt, which says the direction itself.
func (c *Conditions) KernelTitle() string {
	s := c.Algorithm
	if c.Sector > 0 {
		s += fmt.Sprintf(" in sectors of %d bytes", c.Sector)
	}
	if c.Batch > 0 {
		s += fmt.Sprintf(" in batches of %d", c.Batch)
	}
	if c.Threads > 1 {
		s += fmt.Sprintf(" on %d threads", c.Threads)
	}
	return s
}

// BenchName is c's name in a benchmark's output, without "Benchmark":
// Seal/alg=gcm(aes)/key=256/size=16384/driver=gcm-aes-aesni/aad=16/tag=16. It says everything by which a series and a
// cell in it differ from others.
func (c *Cell) BenchName() string {
	s := fmt.Sprintf("%s/alg=%s/key=%d/size=%d/driver=%s", c.Operation(), c.Algorithm, c.KeyBits, c.Size, c.Driver)
	if c.Tag > 0 {
		s += fmt.Sprintf("/aad=%d/tag=%d", c.AAD, c.Tag)
	}
	if c.Sector > 0 {
		s += fmt.Sprintf("/sector=%d", c.Sector)
	}
	if c.Batch > 0 {
		s += fmt.Sprintf("/batch=%d", c.Batch)
	}
	return fmt.Sprintf("%s/threads=%d", s, c.Threads)
}

// Operation is the method of kcrypto's transforms that is measured: "Seal", "EncryptSectors", "OpenBatch".
func (c *Conditions) Operation() string {
	name := "Encrypt"
	switch aead, decrypt := c.Tag > 0, c.Direction == Decrypt; {
	case aead && decrypt:
		name = "Open"
	case aead:
		name = "Seal"
	case decrypt:
		name = "Decrypt"
	}
	switch {
	case c.Batch > 0:
		return name + "Batch"
	case c.Sector > 0:
		return name + "Sectors"
	}
	return name
}
