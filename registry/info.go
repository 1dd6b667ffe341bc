package registry

import "slices"

// Info says what a driver is and how it stands. Sizes are in bytes. Its JSON names are those of /proc/crypto where
// that has the field.
type Info struct {
	Algorithm   string   `json:"algorithm"`
	Driver      string   `json:"driver"` // its name
	Impl        string   `json:"impl"`
	Module      string   `json:"module"`
	Priority    int      `json:"priority"` // the present one
	Refcount    int      `json:"refcount"` // live transforms and running self-tests, and 1; 0 once unregistered
	SelfTest    SelfTest `json:"selftest"`
	Reason      string   `json:"reason"` // why it failed or is unavailable, else ""
	Type        Type     `json:"type"`
	BlockSize   int      `json:"block_size"`
	IVSize      int      `json:"iv_size"`
	KeySizes    []int    `json:"key_sizes"`
	AuthSizes   []int    `json:"auth_sizes"`    // AEAD: tag sizes
	MaxAuthSize int      `json:"max_auth_size"` // AEAD: the longest tag, which is the default
	ChunkSize   int      `json:"chunk_size"`
	AnyNonce    bool     `json:"any_nonce"`   // AEAD: WithNonceSize may ask for any size from 1 byte
	NonceSizes  []int    `json:"nonce_sizes"` // AEAD: sizes that WithNonceSize may ask for; empty: IVSize, or any
	AADSizes    []int    `json:"aad_sizes"`   // AEAD: sizes of additional data; empty: any up to MaxAAD
	MaxAAD      uint64   `json:"max_aad"`     // AEAD: longest additional data; 0: no limit below 2^63
	MinSize     int      `json:"min_size"`    // shortest message, and shortest sector
	MaxSize     uint64   `json:"max_size"`    // longest message; 0: no limit below 2^63
	MultipleOf  int      `json:"multiple_of"` // message sizes are multiples of this; 0 and 1: any
	Needs       []string `json:"needs"`       // CPU features and levels
	Lacks       []string `json:"lacks"`       // those of them that are missing here

	Tuning map[string]string `json:"tuning"` // what is chosen for this machine, by the names of Driver.Tunings
}

// info describes a driver in s. The slices and the map are copies, and never nil, so that they are [] and {} in JSON.
func (r *Registry) info(s *snapshot, c ranked) Info {
	d := &c.Driver
	i := Info{
		Algorithm: d.Algorithm, Driver: d.Name, Impl: d.Impl, Module: d.Module,
		Priority: c.priority, Refcount: int(c.refs.Load()) + 1,
		Type: d.Type, BlockSize: d.BlockSize, IVSize: d.IVSize, ChunkSize: d.ChunkSize, AnyNonce: d.AnyNonce,
		MaxAAD: d.MaxAAD, MinSize: d.MinSize, MaxSize: d.MaxSize, MultipleOf: d.MultipleOf,
		KeySizes: append([]int{}, d.KeySizes...), AuthSizes: append([]int{}, d.AuthSizes...),
		AADSizes: append([]int{}, d.AADSizes...), NonceSizes: d.NonceSizes(),
		Needs: append([]string{}, d.Needs...), Lacks: append([]string{}, c.lacks...),
		Tuning: r.Config().tuned(d),
	}
	if len(d.AuthSizes) > 0 {
		i.MaxAuthSize = slices.Max(d.AuthSizes)
	}
	i.SelfTest, i.Reason = r.standing(s, c.node)
	return i
}

// standing says how a driver stands, testing nothing.
func (r *Registry) standing(s *snapshot, n *node) (result SelfTest, reason string) {
	if n.inner != nil {
		switch result, reason = r.standing(s, n.inner); result {
		case Unavailable:
			return Unavailable, reason
		case Failed:
			return Failed, n.inner.Name + ": " + reason
		}
	}
	if why := n.out(); why != "" {
		return Unavailable, why
	}
	if in := s.failing[n.Name]; in != nil {
		return Failed, in.verdict.reason
	}
	if v := n.verdict.Load(); v != nil {
		return v.result, v.reason
	}
	switch {
	case r.options.SelfTest == nil:
		return Passed, ""
	case n.underTest():
		return Pending, ""
	}
	return Untested, ""
}
