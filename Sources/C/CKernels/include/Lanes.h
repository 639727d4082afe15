/// Four readers of Huffman codes in one loop. A step of one waits for its own last step, but not for those of the
/// others.
#ifndef CKERNELS_LANES_H
#define CKERNELS_LANES_H

#include <stddef.h>
#include <stdint.h>

#define CKERNELS_LANES 4
/// Index bits of the tables of `ckernels_code`.
#define CKERNELS_DC_BITS 9
#define CKERNELS_AC_BITS 12
/// An upper bound of the bytes of a block: 64 codes of 31 bits.
#define CKERNELS_BLOCK_BYTES 248

/// The tables of `ScaledCoefficientsCode`, which describes them.
typedef struct {
    const uint16_t *symbols;
    const uint16_t *runs;
    const int32_t *bounds;
    const uint8_t *values;
    /// Of ckernels_fill_kept; unused where only the DC is kept.
    const uint32_t *kept;
} ckernels_code;

/// A block of an MCU.
typedef struct {
    ckernels_code dc;
    ckernels_code ac;
    /// Zigzag positions that are kept: 1, 5 or 15.
    uint64_t limit;
    /// The index of each of them, four bits each.
    uint64_t places;
    /// Values that are kept: 1, 4 or 16.
    size_t count;
} ckernels_block;

typedef struct {
    /// The next bit, from the beginning of the bytes on.
    uint64_t position;
    /// For each block `count` values: the difference of the DC, and the coefficients that are kept.
    int16_t *values;
    /// The position behind each MCU.
    uint32_t *ends;
    /// A code was unknown, or a block had too many coefficients. What came since then means nothing.
    int is_damaged;
} ckernels_lane;

/// Reads `count` MCUs of all four lanes. `bytes`: without stuffed zeros. Behind the position of each lane,
/// CKERNELS_BLOCK_BYTES for each block can be read, and 16 more.
void ckernels_read_lanes(
    const uint8_t *bytes, const ckernels_block *blocks, size_t blocks_count, ckernels_lane *lanes, size_t count);

/// The codes of an AC table that are complete in the index, with their values: bits to pass in bits 0...7, coefficients
/// in 8...15, the value above. 0: not complete. `kept`: 1 << CKERNELS_AC_BITS entries.
void ckernels_fill_kept(const ckernels_code *code, uint32_t *kept);

/// Copies entropy-coded data without their stuffed zeros, up to a marker, the end or `capacity`. `count`: bytes of
/// `from`, and then those that were read. Returns the bytes that were written.
size_t ckernels_unstuff(const uint8_t *from, size_t *count, uint8_t *to, size_t capacity);

#endif
