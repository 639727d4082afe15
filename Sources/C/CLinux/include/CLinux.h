/// System calls of Linux that Swift's Glibc does not export. Like those they return -1 and set errno.
#ifndef CLINUX_H
#define CLINUX_H

#include <semaphore.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "Memory.h"

/// renameat2(2) with RENAME_NOREPLACE.
int clinux_rename_noreplace(int folder, const char *name, int new_folder, const char *new_name);

/// renameat2(2) with RENAME_EXCHANGE: each name gets the other's file.
int clinux_rename_exchange(int folder, const char *name, int other_folder, const char *other_name);

/// flistxattr(2), fgetxattr(2), fsetxattr(2), which creates or replaces, and fremovexattr(2).
ssize_t clinux_flistxattr(int file, char *names, size_t size);
ssize_t clinux_fgetxattr(int file, const char *name, void *value, size_t size);
int clinux_fsetxattr(int file, const char *name, const void *value, size_t size);
int clinux_fremovexattr(int file, const char *name);

/// getdents64(2).
ssize_t clinux_getdents(int folder, void *buffer, size_t size);

/// Processors the calling thread may run on (sched_getaffinity(2)); fewer than there are under taskset(1).
int clinux_affinity_count(void);

/// sendmsg(2) without SIGPIPE; EAGAIN instead of blocking. `descriptor`: is passed along (SCM_RIGHTS); -1: none.
ssize_t clinux_sendmsg(int socket, const struct iovec *parts, int count, int descriptor);

/// recvmsg(2). `waits`: 0: EAGAIN instead of blocking. `descriptor`: receives one that was passed along, else -1, and further ones are
/// closed; NULL refuses all.
ssize_t clinux_recvmsg(int socket, void *buffer, size_t size, int waits, int *descriptor);

/// posix_spawn(3) of a program with these words, an empty environment, default signals and a process group of its own. Its
/// descriptors are `socket`, as number 3, and /dev/null, as 0 to 2. Returns an errno, or 0.
int clinux_spawn(const char *program, char *const words[], int socket, pid_t *process);

/// posix_spawnp(3) of a program with these words and this process's environment, /dev/null as its input and a pipe as its output.
/// `output`: receives the end to read from, without blocking. Returns an errno, or 0.
int clinux_spawn_command(char *const words[], int *output, pid_t *process);

/// res_nquery(3) of class IN. `port`: of a server on 127.0.0.1 instead of the system's; 0: none. Returns the bytes of the
/// answer, or -1.
int clinux_res_nquery(const char *name, int type, int port, unsigned char *answer, int size);

/// sem_clockwait(3) for so long, by the monotonic clock. Goes on after a signal.
int clinux_sem_clockwait(sem_t *semaphore, int64_t nanoseconds);

/// eventfd(2) that never blocks.
int clinux_eventfd(void);

/// sync_file_range(2): begins to write a file's bytes to the disk, and returns at once.
void clinux_sync_file_range(int file);

/// memfd_create(2): a file without a name, which programs that are executed inherit.
int clinux_memfd_create(const char *label);

/// Lets the kernel end this process before all others when memory is short (oom_score_adj, proc(5)). Does nothing where that is
/// not permitted.
void clinux_prefer_for_oom_kill(void);

#endif
