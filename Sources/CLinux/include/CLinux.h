/// System calls of Linux that Swift's Glibc does not export. Like those they return -1 and set errno.
#ifndef CLINUX_H
#define CLINUX_H

#include <stddef.h>
#include <sys/types.h>

/// renameat2(2) with RENAME_NOREPLACE.
int clinux_rename_anew(int folder, const char *name, int new_folder, const char *new_name);

/// renameat2(2) with RENAME_EXCHANGE: each name gets the other's file.
int clinux_exchange(int folder, const char *name, int other_folder, const char *other_name);

/// getdents64(2).
ssize_t clinux_list(int folder, void *buffer, size_t size);

/// Processors the calling thread may run on (sched_getaffinity(2)); fewer than there are under taskset(1).
int clinux_count_processors(void);

#endif
