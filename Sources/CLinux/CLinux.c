#define _GNU_SOURCE
#include <dirent.h>
#include <sched.h>
#include <stdio.h>

#include "CLinux.h"

int clinux_rename_anew(int folder, const char *name, int new_folder, const char *new_name) {
    return renameat2(folder, name, new_folder, new_name, RENAME_NOREPLACE);
}

int clinux_exchange(int folder, const char *name, int other_folder, const char *other_name) {
    return renameat2(folder, name, other_folder, other_name, RENAME_EXCHANGE);
}

ssize_t clinux_list(int folder, void *buffer, size_t size) { return getdents64(folder, buffer, size); }

int clinux_count_processors(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) ? -1 : CPU_COUNT(&set);
}
