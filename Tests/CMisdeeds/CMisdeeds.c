#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CMisdeeds.h"

static int result(long value) { return value < 0 ? errno : 0; }

static int run_shell(void) {
    char *arguments[] = {"sh", NULL};
    return result(execve("/bin/sh", arguments, NULL));
}

static int fork_process(void) {
    pid_t child = fork();
    if (child == 0) _exit(0);
    return result(child);
}

/// Without end, as far as the limits let it; then touching what is not there.
static int allocate(void) {
    for (size_t size = 1 << 20;; size += 1 << 20) {
        // Volatile: a compiler may leave out an allocation that is used for nothing.
        char *volatile part = malloc(size);
        if (!part) abort();
        memset(part, 1, size);
    }
}

static int loop(void) {
    for (volatile int turn = 0;; turn = !turn) {
    }
}

static int segfault(void) {
    *(volatile int *)8 = 1;
    return 0;
}

static int map_executable(void) {
    return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? errno : 0;
}

static int overflow_stack(int depth) {
    volatile char room[4096];
    room[0] = (char)depth;
    return depth < 0 ? room[0] : overflow_stack(depth + 1) + room[0];
}

int cmisdeeds_do(const char *name) {
    if (!strcmp(name, "nothing")) return 0;
    if (!strcmp(name, "read-passwd")) return result(open("/etc/passwd", O_RDONLY));
    // One that the worker for initials has mapped.
    if (!strcmp(name, "read-font")) return result(open("/usr/share/fonts/truetype/noto/NotoSans-Bold.ttf", O_RDONLY));
    if (!strcmp(name, "write-file")) return result(open("/tmp/tondo-misdeed", O_WRONLY | O_CREAT, 0600));
    if (!strcmp(name, "write-output")) return result(write(1, "x", 1));
    if (!strcmp(name, "open-socket")) return result(socket(AF_INET, SOCK_STREAM, 0));
    if (!strcmp(name, "send-elsewhere")) return result(send(1, "x", 1, 0));
    if (!strcmp(name, "execute")) return run_shell();
    if (!strcmp(name, "fork")) return fork_process();
    if (!strcmp(name, "kill-parent")) return result(kill(getppid(), 0));
    if (!strcmp(name, "trace-parent")) return result(ptrace(PTRACE_ATTACH, getppid(), 0, 0));
    if (!strcmp(name, "map-executable")) return map_executable();
    if (!strcmp(name, "allocate")) return allocate();
    if (!strcmp(name, "loop")) return loop();
    if (!strcmp(name, "segfault")) return segfault();
    if (!strcmp(name, "overflow-stack")) return overflow_stack(0);
    if (!strcmp(name, "abort")) abort();
    return -1;
}

int cmisdeeds_refuse(int call) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof code / sizeof *code, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return -1;
    return (int)syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
}
