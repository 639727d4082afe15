#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CSandbox.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

int csandbox_is_complete(void) { return !SANITIZED; }

// MARK: Limits

/// A hard limit that is lower already stays: raising it needs privileges.
static int limit(int resource, rlim_t wanted) {
    struct rlimit now;
    if (getrlimit(resource, &now)) return -1;
    if (now.rlim_max < wanted) wanted = now.rlim_max;
    now = (struct rlimit){wanted, wanted};
    return setrlimit(resource, &now);
}

static int apply_limits(struct csandbox_limits limits) {
    if (!SANITIZED && limit(RLIMIT_AS, limits.memory)) return -1;
    if (limit(RLIMIT_NOFILE, limits.descriptors) || limit(RLIMIT_CPU, limits.seconds)) return -1;
    // No file grows, no process or thread begins, no core is dumped: it would hold photos.
    return limit(RLIMIT_FSIZE, 0) || limit(RLIMIT_NPROC, 0) || limit(RLIMIT_CORE, 0) ? -1 : 0;
}

// MARK: Landlock

// The numbers are the same on all architectures; headers older than the kernel lack the later rights.
#define LANDLOCK_CREATE_RULESET 444
#define LANDLOCK_RESTRICT_SELF 446

struct ruleset {
    uint64_t files;
    uint64_t network;
    uint64_t scope;
};

/// Every right that this version knows is handled, and no rule grants one.
static int apply_landlock(struct csandbox_report *report) {
    long version = syscall(LANDLOCK_CREATE_RULESET, NULL, 0, 1);
    if (version < 0) {
        // Not compiled in, or not switched on at boot. EPERM means that a filter hides it: that is no reason to go on.
        return errno == ENOSYS || errno == EOPNOTSUPP ? 0 : -1;
    }
    report->landlock = (int)version;
    int rights = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
    struct ruleset set = {(UINT64_C(1) << rights) - 1, version >= 4 ? 3 : 0, version >= 6 ? 3 : 0};
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    long rules = syscall(LANDLOCK_CREATE_RULESET, &set, size, 0);
    if (rules < 0) return -1;
    long result = syscall(LANDLOCK_RESTRICT_SELF, (int)rules, 0);
    int error = errno;
    close((int)rules);
    errno = error;
    return result ? -1 : 0;
}

// MARK: seccomp

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "The list of calls is not written for this architecture."
#endif

#define FIELD(name) (uint32_t) offsetof(struct seccomp_data, name)
// The lower half of an argument: both architectures are little-endian.
#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)
#define END(action) BPF_STMT(BPF_RET | BPF_K, action)
#define IS(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no)
#define ALLOW(call) IS(__NR_##call, 0, 1), END(SECCOMP_RET_ALLOW)

static int apply_seccomp(int socket) {
    struct sock_filter code[] = {
        LOAD(FIELD(arch)),
        IS(ARCHITECTURE, 1, 0),
        END(SECCOMP_RET_KILL_PROCESS),
        LOAD(FIELD(nr)),
        ALLOW(pread64),
        ALLOW(close),
        ALLOW(brk),
        ALLOW(munmap),
        ALLOW(mremap),
        ALLOW(madvise),
        ALLOW(futex),
        // Swift's mutexes name their owner.
        ALLOW(gettid),
        ALLOW(getrandom),
        // The qsort of glibc, which encodes WebP, asks once how much memory there is.
        ALLOW(sysinfo),
        ALLOW(clock_gettime),
        ALLOW(rt_sigreturn),
        ALLOW(exit),
        ALLOW(exit_group),
        // Waits for a message when none came within the time limit of recvmsg, and for room to send one.
#ifdef __NR_poll
        ALLOW(poll),
#else
        ALLOW(ppoll),
#endif
        // Messages on the one socket.
        IS(__NR_recvmsg, 1, 0),
        IS(__NR_sendmsg, 0, 4),
        LOAD(FIELD(args[0])),
        IS((uint32_t)socket, 0, 1),
        END(SECCOMP_RET_ALLOW),
        END(SECCOMP_RET_KILL_PROCESS),
        // Memory without a file, which is never executable.
        IS(__NR_mmap, 0, 6),
        LOAD(FIELD(args[2])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 3, 0),
        LOAD(FIELD(args[4])),
        IS(UINT32_MAX, 0, 1),
        END(SECCOMP_RET_ALLOW),
        END(SECCOMP_RET_KILL_PROCESS),
        END(SECCOMP_RET_KILL_PROCESS),
    };
    struct sock_fprog filter = {sizeof code / sizeof *code, code};
    return (int)syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
}

// MARK: All layers

static int failed(struct csandbox_report *report, const char *layer) {
    *report = (struct csandbox_report){layer, errno, report->landlock};
    return -1;
}

int csandbox_confine(int socket, struct csandbox_limits limits, struct csandbox_report *report) {
    *report = (struct csandbox_report){0};
    if (syscall(__NR_close_range, socket + 1, ~0U, 0)) return failed(report, "descriptors");
    if (apply_limits(limits)) return failed(report, "limits");
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return failed(report, "no-new-privileges");
    if (SANITIZED) return 0;
    if (apply_landlock(report)) return failed(report, "landlock");
    if (apply_seccomp(socket)) return failed(report, "seccomp");
    return 0;
}
