#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>

#include "CFiles.h"

int cfiles_rename_anew(int folder, const char *name, int new_folder, const char *new_name) {
    return renameat2(folder, name, new_folder, new_name, RENAME_NOREPLACE);
}

ssize_t cfiles_list(int folder, void *buffer, size_t size) { return getdents64(folder, buffer, size); }
