/// The process's memory: calls of the C library and of Linux that Swift's Glibc does not show.
#ifndef CMEMORY_H
#define CMEMORY_H

#include <stddef.h>

/// Freed memory up to these bytes is kept for the next use (mallopt(3)); as it is where the C library has no such setting.
void cmemory_keep_freed(size_t block, size_t total);

/// Threads share so many stores of memory.
void cmemory_limit_stores(int count);

/// Gives what is free back to the kernel (malloc_trim(3)).
void cmemory_give_back(void);

/// Lets go of the pages of the program's own file that nobody ever writes to. They are read again when they are used.
void cmemory_let_go_of_program(void);

#endif
