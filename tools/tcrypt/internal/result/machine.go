package result

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"kcrypto"
	"kcrypto/internal/cpu"
	"kcrypto/tools/tcrypt/internal/affinity"
	"kcrypto/tools/tcrypt/internal/text"
)

// ThisMachine describes the machine that this runs on.
func ThisMachine() Machine {
	kcrypto.Default() // so that its features are in effect
	f := cpu.InEffect()
	m := Machine{
		CPU: f.Brand, Vendor: f.Vendor, Family: f.Family, Model: f.Model, Stepping: f.Stepping,
		Usable:         runtime.NumCPU(),
		GOMAXPROCS:     runtime.GOMAXPROCS(0),
		Features:       f.List(),
		FeaturesOff:    map[string]string{},
		Virtualisation: virtualisation(f),
		Governor:       firstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
		Go:             runtime.Version(),
		Platform:       runtime.GOOS + "/" + runtime.GOARCH,
		Build:          buildSettings(),
		Commit:         Commit(),
		KCRYPTO:        os.Getenv("KCRYPTO"),
		GODEBUG:        os.Getenv("GODEBUG"),
	}
	if m.CPU == "" {
		m.CPU = "unknown CPU"
	}
	if known := affinity.CPUs(); known != nil {
		m.Usable = len(known) // runtime.NumCPU is what it was when the process began
	}
	m.CPUs = max(affinity.Count(firstLine("/sys/devices/system/cpu/online")), m.Usable)
	for _, name := range cpu.Names() {
		if why := f.Why(name); why != "" {
			m.FeaturesOff[name] = why
		}
	}
	return m
}

// virtualisation says what is known about a hypervisor under this system.
func virtualisation(f cpu.Features) string {
	if !f.Hypervisor {
		return ""
	}
	const dmi = "/sys/class/dmi/id"
	vendor, product := firstLine(filepath.Join(dmi, "sys_vendor")), firstLine(filepath.Join(dmi, "product_name"))
	if name := strings.TrimSpace(vendor + " " + product); name != "" {
		return "virtual machine: " + name
	}
	return "virtual machine"
}

// buildSettings returns those that change the code: GOAMD64 and the like, and tags.
func buildSettings() []string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	var list []string
	for _, s := range info.Settings {
		if s.Key == "-tags" || s.Key == "-race" || s.Key == "GO"+strings.ToUpper(runtime.GOARCH) {
			list = append(list, s.Key+"="+s.Value)
		}
	}
	return list
}

// firstLine returns the first line of a file, or "" if there is no such file.
func firstLine(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSpace(line)
}

// CPUText says how many CPUs there are, and how many of them are for this process.
func (m Machine) CPUText() string {
	s := text.Counted(m.CPUs, "logical CPU")
	if m.Usable < m.CPUs {
		s += fmt.Sprintf(", %d of them for this process", m.Usable)
	} else {
		s += ", all for this process"
	}
	if m.GOMAXPROCS < m.Usable {
		s += fmt.Sprintf(", GOMAXPROCS %d", m.GOMAXPROCS)
	}
	return s
}

// Headline is the machine in one line.
func (m Machine) Headline() string {
	parts := []string{m.CPU, m.Go + " " + m.Platform}
	if m.Virtualisation != "" {
		parts = append(parts, "virtual machine")
	}
	if m.KCRYPTO != "" {
		parts = append(parts, "KCRYPTO="+m.KCRYPTO)
	}
	if m.GODEBUG != "" {
		parts = append(parts, "GODEBUG="+m.GODEBUG)
	}
	return strings.Join(parts, ", ")
}

// Identity is the CPU's family, model and stepping in words.
func (m Machine) Identity() string {
	if m.Vendor == "" {
		return "not known to this build"
	}
	return fmt.Sprintf("%s family %d model %#x stepping %d", m.Vendor, m.Family, m.Model, m.Stepping)
}
