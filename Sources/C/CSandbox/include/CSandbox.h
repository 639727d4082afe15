/// Confines the calling process for good: afterwards it computes on memory, reads descriptors that it was given, and
/// talks on one socket. For processes with one thread.
#ifndef CSANDBOX_H
#define CSANDBOX_H

#include <stddef.h>
#include <stdint.h>

/// What a confined process may use.
struct csandbox_limits {
    /// Bytes of address space.
    uint64_t memory;
    /// Descriptors.
    uint32_t descriptors;
    /// Seconds of processor time in its whole life.
    uint32_t seconds;
};

/// What `csandbox_confine` did.
struct csandbox_report {
    /// The layer that could not be applied; NULL: all are.
    const char *layer;
    /// The errno of that layer.
    int error;
    /// The version of Landlock; 0: the kernel does not offer it.
    int landlock;
};

/// Applies every layer, in this order: descriptors (all above `socket` are closed), limits, no-new-privileges, landlock
/// (no path at all), seccomp (an allow-list; any other call ends the process with SIGSYS). `socket`: the only descriptor
/// on which messages may be sent and received.
///
/// Returns 0, or -1 if a layer that the kernel offers could not be applied: then the process must not touch foreign
/// bytes. In a build with a sanitizer, address space and calls stay unlimited, since its runtime needs both.
int csandbox_confine(int socket, struct csandbox_limits limits, struct csandbox_report *report);

/// Whether this build limits address space and calls: it has no sanitizer.
int csandbox_is_complete(void);

#endif
