/// The memory of the process: calls of the C library and of Linux that Swift's Glibc does not export.
#ifndef CMEMORY_H
#define CMEMORY_H

#include <stddef.h>

/// Keeps freed memory up to these sizes for the next use (mallopt(3)); does nothing if the C library has no such
/// setting.
void cmemory_keep_freed(size_t block, size_t total);

/// Limits the number of malloc arenas, which threads then share (mallopt(3)).
void cmemory_limit_stores(int count);

/// Bytes that the allocator holds, in use or free (mallinfo2(3)); 0 if the C library does not count them.
size_t cmemory_held(void);

/// Returns free memory to the kernel (malloc_trim(3)).
void cmemory_give_back(void);

/// Drops the pages of the program's own file that are never written. They are read again when they are used.
void cmemory_let_go_of_program(void);

#endif
