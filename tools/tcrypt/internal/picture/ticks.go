package picture

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// sizeTicks marks powers of 4, or of 16 where so many labels do not fit.
type sizeTicks struct{ most int } // labels

func (t sizeTicks) Ticks(low, high float64) []plot.Tick {
	from, to := int(math.Floor(math.Log2(low)/2)), int(math.Ceil(math.Log2(high)/2))
	step := 1
	for (to-from)/step >= t.most {
		step *= 2
	}
	var ticks []plot.Tick
	for e := from; e <= to; e++ {
		tick := plot.Tick{Value: math.Exp2(float64(2 * e))}
		if tick.Value < low*0.99 || tick.Value > high*1.01 {
			continue
		}
		if (e-2)%step == 0 { // 16 bytes have a label
			tick.Label = sizeLabel(int(tick.Value))
		}
		ticks = append(ticks, tick)
	}
	return ticks
}

// sizeLabel writes a size in bytes as people do.
func sizeLabel(n int) string {
	for _, u := range []struct {
		unit  int
		label string
	}{{1 << 20, " MiB"}, {1 << 10, " KiB"}} {
		if n >= u.unit && n%u.unit == 0 {
			return strconv.Itoa(n/u.unit) + u.label
		}
	}
	return strconv.Itoa(n)
}

// evenTicks marks multiples of 1, 2 or 5 times a power of ten, about five of them, from 0.
type evenTicks struct{}

func (evenTicks) Ticks(_, high float64) []plot.Tick {
	step := math.Pow(10, math.Floor(math.Log10(high/5)))
	for _, factor := range []float64{2, 2.5, 2} {
		if high/step > 8 {
			step *= factor
		}
	}
	var ticks []plot.Tick
	for i := 0; float64(i)*step <= high*1.001; i++ {
		value := float64(i) * step
		ticks = append(ticks, plot.Tick{Value: value, Label: short(value)})
	}
	return ticks
}

// logTicks marks 1, 2 and 5 times the powers of ten.
type logTicks struct{}

func (logTicks) Ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for power := math.Pow(10, math.Floor(math.Log10(low))); power <= high; power *= 10 {
		for _, factor := range []float64{1, 2, 5} {
			value := power * factor
			if value < low*0.999 || value > high*1.001 {
				continue
			}
			tick := plot.Tick{Value: value}
			if factor == 1 || high/low < 5000 {
				tick.Label = short(value)
			}
			ticks = append(ticks, tick)
		}
	}
	return ticks
}

// short writes a round number without zeros at its end, whatever rounding did to it.
func short(x float64) string { return strconv.FormatFloat(round3(x), 'f', -1, 64) }

func round3(x float64) float64 {
	r, _ := strconv.ParseFloat(fmt.Sprintf("%.3g", x), 64)
	return r
}
