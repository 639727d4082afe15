#include <string.h>

#include "CKernels.h"
#include "Clones.h"

typedef uint8_t bytes __attribute__((vector_size(32)));
typedef uint16_t words __attribute__((vector_size(32)));
typedef uint32_t sums __attribute__((vector_size(32)));

#define EACH_FILTER _Pragma("unroll") for (int i = 0; i < CKERNELS_FILTERS; i++)
#define LESSER(one, other) __builtin_elementwise_min(one, other)
#define GREATER(one, other) __builtin_elementwise_max(one, other)
#define AS(type, vector) ((type)(vector))
// Macros, since a function cannot pass such a vector where the processor may lack the registers.
#define LOAD(address) ({ bytes loaded; memcpy(&loaded, (address), sizeof loaded); loaded; })
#define DISTANCE(one, other) (GREATER(one, other) - LESSER(one, other))
/// All bits where a byte of one is at most that of the other: processors compare bytes for equality, or with a sign.
#define AT_MOST(one, other) AS(bytes, LESSER(one, other) == (one))
#define SELECT(mask, one, other) (((mask) & (one)) | (~(mask) & (other)))

/// The mean rounded down, without the ninth bit of the sum. There is no shift of bytes; the mask drops the bit that
/// crosses from one to the other.
#define MEAN(one, other) (((one) & (other)) + (AS(bytes, AS(words, (one) ^ (other)) >> 1) & 0x7F))

/// The distance to up-left is the sum of the others if both have the same direction, so it never wins and 255 stands for
/// it; else it is their difference. All values fit in bytes.
#define PAETH(left, up, corner) ({ \
    bytes to_left = DISTANCE(up, corner), to_up = DISTANCE(left, corner), apart = DISTANCE(to_left, to_up); \
    bytes to_corner = apart | ~(AT_MOST(up, corner) ^ AT_MOST(left, corner)); \
    bytes best = SELECT(AT_MOST(to_up, to_corner), up, corner); \
    SELECT(AT_MOST(to_left, to_up) & AT_MOST(to_left, to_corner), left, best); })

/// The size of a residual as a signed byte, at most `CKERNELS_MOST_COST`.
#define COST(residual) LESSER(LESSER(residual, (bytes){} - (residual)), (bytes){} + CKERNELS_MOST_COST)

/// Each four neighbouring bytes added.
#define FOURS(each) ({ \
    words pairs = (AS(words, each) & 0xFF) + (AS(words, each) >> 8); \
    (AS(sums, pairs) & 0xFFFF) + (AS(sums, pairs) >> 16); })

CLONED_FOR("avx2")
void ckernels_filter_row(
    const uint8_t *row, const uint8_t *above, size_t count, uint8_t *residuals, size_t stride, uint32_t *costs) {
    sums totals[CKERNELS_FILTERS] = {};
    size_t at = 0;
    while (at < count) {
        // Byte sums of eight vectors cannot overflow.
        size_t stop = at + 8 * sizeof(bytes);
        if (stop > count) stop = count;
        bytes parts[CKERNELS_FILTERS] = {};
        for (; at < stop; at += sizeof(bytes)) {
            bytes here = LOAD(row + at), left = LOAD(row + at - 4);
            bytes up = LOAD(above + at), corner = LOAD(above + at - 4);
            bytes filtered[CKERNELS_FILTERS] = {
                here, here - left, here - up, here - MEAN(left, up), here - PAETH(left, up, corner)};
            EACH_FILTER {
                if (i > 0) memcpy(residuals + (i - 1) * stride + at, &filtered[i], sizeof(bytes));
                parts[i] += COST(filtered[i]);
            }
        }
        EACH_FILTER totals[i] += FOURS(parts[i]);
    }
    EACH_FILTER {
        costs[i] = 0;
        for (size_t lane = 0; lane < sizeof(sums) / sizeof(uint32_t); lane++) costs[i] += totals[i][lane];
    }
}
