#include "wide.h"

#if defined(__x86_64__)

// Before the pragma, so that the pragma applies to xxhash's functions only.
#include <immintrin.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

// xxhash selects its loops at compile time. The header is compiled once more here, for AVX2.
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

#define XXH_INLINE_ALL
#define XXH_VECTOR XXH_AVX2
#include <xxhash.h>

cchecksum_value cchecksum_wide(const void *bytes, size_t count, uint64_t seed) {
    XXH128_hash_t hash = XXH3_128bits_withSeed(bytes, count, seed);
    return (cchecksum_value){hash.low64, hash.high64};
}

#pragma clang attribute pop

#endif
