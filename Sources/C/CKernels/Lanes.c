#include "Lanes.h"

#include <string.h>

#include "Clones.h"

#define EACH_LANE _Pragma("unroll") for (int i = 0; i < CKERNELS_LANES; i++)
#define INLINE static inline __attribute__((always_inline))
#define RARE static __attribute__((noinline))
#define IS_RARE(condition) __builtin_expect(condition, 0)
// A branch would be mispredicted at the end of each block.
#define IF_ELSE(condition, one, other) (__builtin_unpredictable(condition) ? (one) : (other))

#define MASK(condition) (0 - (uint64_t)(condition))

// As in `ScaledCoefficientsCode`.
#define UNKNOWN (127ull << 9)
#define IS_LAST 64

/// The number of coefficients of a block so far, times 256: 64 where the last one was the last code, 129 to 191 after
/// an end of block. From 192 on, or between, a step went too far or did not know the code, whose number is 255.
#define FULL (64ull << 8)
#define TOO_FAR (192ull << 8)
#define NOT_KNOWN (256ull << 8)
#define ENDED (191ull << 8)
#define DAMAGED (128ull << 8)

typedef struct {
    uint64_t position[CKERNELS_LANES];
    uint64_t sum[CKERNELS_LANES];
    int16_t *values[CKERNELS_LANES];
    /// Bits by lane.
    uint64_t damaged;
} state;

typedef struct {
    uint64_t position;
    uint64_t sum;
} place;

/// The next bits, 57 at least.
INLINE uint64_t peek(const uint8_t *bytes, uint64_t position) {
    uint64_t word;
    memcpy(&word, bytes + (position >> 3), sizeof word);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word << (position & 7);
}

/// `ScaledCoefficientsCode.find`.
RARE uint64_t find(uint64_t word, const int32_t *bounds, const uint8_t *values, int is_ac) {
    int32_t prefix = (int32_t)(word >> 48);
    int length = 1;
    while (length <= 16 && prefix >= bounds[2 * length]) length++;
    if (length > 16) return UNKNOWN;
    uint8_t value = values[(bounds[2 * length + 1] + (prefix >> (16 - length))) & 255];
    uint64_t run = value >> 4, size = value & 15, bits = size << 5 | ((uint64_t)length + size);
    if (!is_ac) return run == 0 ? bits : UNKNOWN;
    if (value == 0) return IS_LAST << 9 | bits;
    return size == 0 && run != 15 ? UNKNOWN : (run + 1) << 9 | bits;
}

INLINE uint64_t first(const ckernels_code *code, uint64_t word, int is_ac) {
    uint64_t entry = code->symbols[word >> (64 - (is_ac ? CKERNELS_AC_BITS : CKERNELS_DC_BITS))];
    return IS_RARE(entry == UNKNOWN) ? find(word, code->bounds, code->values, is_ac) : entry;
}

/// `ScaledCoefficientsReader.value`.
INLINE int16_t value(uint64_t word, uint64_t entry) {
    uint64_t size = entry >> 5 & 15, next = word << ((entry & 31) - size);
    uint64_t is_positive = (uint64_t)((int64_t)next >> 63), offset = (~0ull << size) + 1;
    return (int16_t)(((next >> 1) >> (63 - size)) + (offset & ~is_positive));
}

INLINE void read_dcs(state *own, const uint8_t *bytes, const ckernels_block *block) {
    EACH_LANE {
        uint64_t word = peek(bytes, own->position[i]), entry = first(&block->dc, word, 0);
        own->damaged |= (uint64_t)((entry & 31) == 0) << i;
        own->values[i][0] = value(word, entry);
        own->position[i] += entry & 31;
        own->sum[i] = 1 << 8;
    }
}

INLINE uint32_t kept(uint64_t word, uint64_t entry) {
    return (uint32_t)(uint16_t)value(word, entry) << 16 | (uint32_t)(entry >> 9 << 8 | (entry & 31));
}

RARE uint32_t find_kept(uint64_t word, const ckernels_code *code) { return kept(word, first(code, word, 1)); }

void ckernels_fill_kept(const ckernels_code *code, uint32_t *target) {
    for (uint64_t index = 0; index < 1 << CKERNELS_AC_BITS; index++) {
        uint64_t entry = code->symbols[index];
        int is_complete = entry != UNKNOWN && (entry & 31) <= CKERNELS_AC_BITS;
        target[index] = is_complete ? kept(index << (64 - CKERNELS_AC_BITS), entry) : 0;
    }
}

/// Reads a code, unless the limit is reached. Returns its bits.
INLINE uint64_t keep(uint64_t *word, const ckernels_block *block, uint64_t *k, int16_t *values) {
    uint32_t entry = block->ac.kept[*word >> (64 - CKERNELS_AC_BITS)];
    if (IS_RARE(entry == 0)) entry = find_kept(*word, &block->ac);
    uint64_t limit = block->limit, next = *k + (entry >> 8 & 255);
    // What is not kept goes to the place of the DC, which is written at the end.
    uint64_t index = block->places >> ((4 * next - 4) & 63) & 15 & MASK(next <= limit);
    values[index] = (int16_t)(entry >> 16);
    uint64_t is_open = MASK(*k < limit), bits = entry & 255 & is_open;
    *k += entry >> 8 & 255 & is_open;
    *word <<= bits;
    return bits;
}

INLINE void read_kept(state *own, const uint8_t *bytes, const ckernels_block *block) {
    uint64_t k[CKERNELS_LANES], more;
    int16_t dcs[CKERNELS_LANES];
    EACH_LANE {
        k[i] = 1;
        dcs[i] = own->values[i][0];
        if (block->count == 4) memset(own->values[i], 0, 4 * sizeof(int16_t));
        else memset(own->values[i], 0, 16 * sizeof(int16_t));
    }
    do {
        more = 0;
        EACH_LANE {
            uint64_t word = peek(bytes, own->position[i]);
            uint64_t bits = keep(&word, block, &k[i], own->values[i]);
            own->position[i] += bits;
            if (IS_RARE(bits > 57 - 31)) word = peek(bytes, own->position[i]);
            own->position[i] += keep(&word, block, &k[i], own->values[i]);
            more |= k[i] < block->limit;
        }
    } while (more);
    EACH_LANE {
        own->values[i][0] = dcs[i];
        own->sum[i] = IF_ELSE(k[i] < 64, k[i] << 8, ENDED);
        own->sum[i] = IF_ELSE(k[i] < 128, own->sum[i], DAMAGED);
    }
}

/// After a step too far: reads one code that the table of runs does not know, or all of the block from `from` on.
RARE place amend(const uint8_t *bytes, const ckernels_code *code, place at, place from) {
    int is_one = at.sum >= NOT_KNOWN;
    uint64_t k = is_one ? (at.sum >> 8) - 255 : from.sum >> 8, position = is_one ? at.position : from.position;
    do {
        uint64_t entry = first(code, peek(bytes, position), 1);
        if (entry == UNKNOWN) return (place){position, DAMAGED};
        position += entry & 31;
        k += entry >> 9;
        if (entry >> 9 == IS_LAST) return (place){position, ENDED};
    } while (k < 64 && !is_one);
    return (place){position, k <= 64 ? k << 8 : DAMAGED};
}

INLINE void pass_blocks(state *own, const uint8_t *bytes, const ckernels_block *block) {
    const uint16_t *runs = block->ac.runs;
    place from[CKERNELS_LANES];
    EACH_LANE from[i] = (place){own->position[i], own->sum[i]};
    uint64_t is_open, odd;
    do {
        is_open = 0;
        odd = 0;
        EACH_LANE {
            // Three entries have 54 bits at most. After an end of block they mean nothing.
            uint64_t word = peek(bytes, own->position[i]), before = own->sum[i];
            uint64_t entry = runs[word >> (64 - CKERNELS_AC_BITS)];
            word <<= entry & 63;
            uint64_t one = before + entry;
            entry = runs[word >> (64 - CKERNELS_AC_BITS)];
            word <<= entry & 63;
            uint64_t two = one + entry;
            uint64_t sum = two + runs[word >> (64 - CKERNELS_AC_BITS)];
            sum = IF_ELSE(two < FULL, sum, two);
            sum = IF_ELSE(one < FULL, sum, one);
            sum = IF_ELSE(before < FULL, sum, before);
            own->position[i] += sum & 255;
            own->sum[i] = sum & ~255ull;
            // Below zero: the highest bit is set.
            is_open |= sum - FULL;
            odd |= sum;
        }
        if (IS_RARE(odd >= TOO_FAR)) EACH_LANE {
            if (own->sum[i] < TOO_FAR) continue;
            place next = amend(bytes, &block->ac, (place){own->position[i], own->sum[i]}, from[i]);
            own->position[i] = next.position;
            own->sum[i] = next.sum;
            is_open |= next.sum - FULL;
        }
    } while (is_open >> 63);
    EACH_LANE {
        if (IS_RARE(own->sum[i] > FULL && own->sum[i] <= DAMAGED)) {
            place next = own->sum[i] == DAMAGED ? (place){own->position[i], DAMAGED}
                : amend(bytes, &block->ac, (place){own->position[i], own->sum[i]}, from[i]);
            own->position[i] = next.position;
            own->damaged |= (uint64_t)(next.sum == DAMAGED) << i;
        }
        own->values[i] += block->count;
    }
}

// Shifts by a variable number of bits are most of the work.
CLONED_FOR("bmi2")
void ckernels_read_lanes(
    const uint8_t *bytes, const ckernels_block *blocks, size_t blocks_count, ckernels_lane *lanes, size_t count) {
    state own = {.damaged = 0};
    EACH_LANE {
        own.position[i] = lanes[i].position;
        own.values[i] = lanes[i].values;
    }
    for (size_t unit = 0; unit < count; unit++) {
        for (const ckernels_block *block = blocks; block < blocks + blocks_count; block++) {
            read_dcs(&own, bytes, block);
            if (block->limit > 1) read_kept(&own, bytes, block);
            pass_blocks(&own, bytes, block);
        }
        EACH_LANE lanes[i].ends[unit] = (uint32_t)own.position[i];
    }
    EACH_LANE {
        lanes[i].position = own.position[i];
        lanes[i].values = own.values[i];
        lanes[i].is_damaged = own.damaged >> i & 1;
    }
}

size_t ckernels_unstuff(const uint8_t *from, size_t *count, uint8_t *to, size_t capacity) {
    const uint8_t *start = from, *end = from + *count;
    uint8_t *target = to;
    while (from < end && target < to + capacity) {
        size_t most = (size_t)(end - from), room = (size_t)(to + capacity - target);
        if (most > room) most = room;
        const uint8_t *found = memchr(from, 0xFF, most);
        size_t plain = found ? (size_t)(found - from) : most;
        memcpy(target, from, plain);
        target += plain;
        from += plain;
        if (!found) continue;
        if (end - from < 2 || from[1] != 0) break;
        *target++ = 0xFF;
        from += 2;
    }
    *count = (size_t)(from - start);
    return (size_t)(target - to);
}
