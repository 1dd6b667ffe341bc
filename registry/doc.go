// Package registry holds drivers, the implementations of algorithms, and finds the one that a name means. It is
// mechanism only: it knows no algorithm, and whoever makes a [Registry] says how a driver is tested.
//
// # What a name means
//
// Names live in one string space, which Register keeps unambiguous. They are looked up in this order:
//
//  1. a driver's name ("gcm-aes-vaes-avx2"): that driver, whatever its priority, or an error;
//  2. an algorithm's name ("gcm(aes)"): of its drivers that can run here and passed their self-test, the one that
//     the user prefers, else the one of highest priority, else, of equals, the one registered last;
//  3. an alias: the name that it stands for;
//  4. a composition "template(name,...)": the template over whatever the inner name means, by these same rules. Each
//     lookup resolves the inner name anew, so priorities and preferences apply to it. A driver of the composed name
//     itself, if there is one, goes first (1, 2).
//
// # Self-tests
//
// A driver is tested once, at its first use, and serves nobody before it passed; whoever comes meanwhile waits.
// A failed driver stays listed with the reason and is passed over, or is [ErrSelfTest] when asked for by its own
// name. A composition is tested under its own name, once for each driver that it is built over; the verdict is
// forgotten together with that driver.
//
// A self-test runs on the goroutine that needed it, with no lock held, and may itself use the registry. A lookup that
// meets a driver under test waits for the verdict, a minute at most ([Options].SelfTestWait). Then it goes on to the
// next driver of the algorithm, or is [ErrSelfTest] if it asked for this one. So a self-test that looks up what it
// tests gets an answer too, though a late one. A driver's Unavailable and a template's functions must not use the
// registry at all.
//
// # Drivers of other modules
//
// This module's drivers keep none of their arguments, so nonces, IVs, additional data and packets may lie on their
// callers' stacks. Before the objects of all other drivers, and of compositions with them, the registry puts one that
// hands on copies: their authors need not care, and pay an allocation or a few for each call.
//
// # Reference counts
//
// A driver found stays bound to its [Handle] until Release. SetPriority, Register and Unregister affect later
// lookups only, and Unregister refuses a driver in use, be it through a composition or by a running self-test.
//
// All methods may be called by many goroutines at once. Lookups of what is registered and tested take no lock.
//
// The rules are those of the Linux crypto API, with these differences: a driver in use cannot be unregistered (Linux
// leaks it), compositions are not kept as objects that outlive a change of priorities, and failed, pending and
// untested are told apart.
package registry
