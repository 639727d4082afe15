/// Two calls of Linux that Swift's Glibc does not show. As those they return -1 and set errno.
#ifndef CFILES_H
#define CFILES_H

#include <stddef.h>
#include <sys/types.h>

/// renameat2(2) with RENAME_NOREPLACE.
int cfiles_rename_anew(int folder, const char *name, int new_folder, const char *new_name);

/// getdents64(2).
ssize_t cfiles_list(int folder, void *buffer, size_t size);

#endif
