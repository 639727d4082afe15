/// The memory of the process: calls of the C library and of Linux that Swift's Glibc does not export.
#ifndef CLINUX_MEMORY_H
#define CLINUX_MEMORY_H

#include <stddef.h>

/// Keeps freed memory up to these sizes for the next use (mallopt(3)); does nothing if the C library has no such
/// setting.
void clinux_keep_freed(size_t block, size_t total);

/// Limits the number of malloc arenas, which threads then share (mallopt(3)).
void clinux_limit_arenas(int count);

/// Bytes that the allocator holds, in use or free (mallinfo2(3)); 0 if the C library does not count them.
size_t clinux_malloc_held(void);

/// Returns free memory to the kernel (malloc_trim(3)).
void clinux_malloc_trim(void);

/// Drops the pages of the program's own file that are never written. They are read again when they are used.
void clinux_drop_program_pages(void);

#endif
