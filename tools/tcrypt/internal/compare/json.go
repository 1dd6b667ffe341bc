package compare

import (
	"encoding/json"

	"kcrypto/tools/tcrypt/internal/result"
)

// tableJSON is the JSON form of a Table: what its cells have in common is in it, and who is faster.
type tableJSON struct {
	result.Conditions
	A         string     `json:"a"`
	B         string     `json:"b"`
	Rows      []rowJSON  `json:"rows"`
	Crossings []Crossing `json:"crossovers"`
}

type rowJSON struct {
	Size   int             `json:"size"`
	ANS    float64         `json:"a_ns"`
	BNS    float64         `json:"b_ns"`
	Ratio  result.Estimate `json:"ratio"`
	Faster string          `json:"faster"` // "A", "B", or "" if that is not certain

	Samples int `json:"samples"` // of the one that has fewer
	Wanted  int `json:"samples_wanted,omitempty"`
}

// MarshalJSON makes an object of t.
func (t Table) MarshalJSON() ([]byte, error) {
	out := tableJSON{Conditions: t.Conditions, A: t.A, B: t.B, Rows: []rowJSON{},
		Crossings: append([]Crossing{}, t.Crossings...)}
	for i := range t.Rows {
		r := &t.Rows[i]
		out.Rows = append(out.Rows, rowJSON{r.Size, r.ANS, r.BNS, r.Ratio, r.Faster(), r.Samples, r.Wanted})
	}
	return json.Marshal(out)
}
