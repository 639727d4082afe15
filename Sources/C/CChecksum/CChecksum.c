#define XXH_INLINE_ALL
#include <xxhash.h>

#include "CChecksum.h"
#include "wide.h"

cchecksum_value cchecksum_xxh3_128(const void *bytes, size_t count, uint64_t seed) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) return cchecksum_wide(bytes, count, seed);
#endif
    XXH128_hash_t hash = XXH3_128bits_withSeed(bytes, count, seed);
    return (cchecksum_value){hash.low64, hash.high64};
}
