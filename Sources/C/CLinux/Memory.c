#define _GNU_SOURCE
#include "Memory.h"

#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __GLIBC__

void clinux_keep_freed(size_t block, size_t total) {
    mallopt(M_MMAP_THRESHOLD, (int)block);
    mallopt(M_TRIM_THRESHOLD, (int)total);
}

void clinux_limit_arenas(int count) { mallopt(M_ARENA_MAX, count); }

void clinux_malloc_trim(void) { malloc_trim(0); }

size_t clinux_malloc_held(void) {
    struct mallinfo2 memory = mallinfo2();
    return memory.arena + memory.hblkhd;
}

#else

void clinux_keep_freed(size_t block, size_t total) {
    (void)block;
    (void)total;
}

void clinux_limit_arenas(int count) { (void)count; }

void clinux_malloc_trim(void) {}

size_t clinux_malloc_held(void) { return 0; }

#endif

// Segments with relocations are flagged as writable, and are skipped: their pages would be lost.
static int let_go(struct dl_phdr_info *object, size_t size, void *unused) {
    (void)size;
    (void)unused;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
        uintptr_t start = (object->dlpi_addr + segment->p_vaddr) / page * page;
        uintptr_t end = object->dlpi_addr + segment->p_vaddr + segment->p_memsz;
        madvise((void *)start, end - start, MADV_DONTNEED);
    }
    // The first one is the program; libraries are left alone.
    return 1;
}

void clinux_drop_program_pages(void) { dl_iterate_phdr(let_go, NULL); }
