#include "CChecksum.h"

/// For processors with AVX2 only.
cchecksum_value cchecksum_wide(const void *bytes, size_t count, uint64_t seed);
