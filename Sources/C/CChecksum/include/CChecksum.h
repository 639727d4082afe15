/// XXH3-128 (xxhash.com), compiled for several instruction sets: system libraries use the oldest one. All
/// versions give the same value.
#ifndef CCHECKSUM_H
#define CCHECKSUM_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t low, high;
} cchecksum_value;

cchecksum_value cchecksum_xxh3_128(const void *bytes, size_t count, uint64_t seed);

#endif
