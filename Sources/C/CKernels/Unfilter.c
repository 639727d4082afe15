#include <string.h>

#include "CKernels.h"
#include "Clones.h"

// Every pixel waits for the one to its left, so one row keeps most of a processor idle. Four rows go through the picture
// together, each `LAG` pixels behind the one above it: a pixel of four bytes each, as 16-bit lanes of one vector.
#define ROWS CKERNELS_UNFILTERED_ROWS
#define LAG 2

typedef int16_t lanes __attribute__((vector_size(32)));
typedef uint64_t pixels __attribute__((vector_size(32)));
typedef uint8_t wide __attribute__((vector_size(32)));
typedef uint8_t narrow __attribute__((vector_size(16)));
typedef uint16_t words __attribute__((vector_size(32)));
typedef uint32_t places __attribute__((vector_size(16)));

#define LESSER(one, other) __builtin_elementwise_min(one, other)
#define GREATER(one, other) __builtin_elementwise_max(one, other)
#define AS(type, vector) ((type)(vector))

/// Which neighbours a row's filter reads, as all bits or none: those of the mean apart from those of the others, of which only
/// Paeth's own reads the corner. Of the four bytes at a pixel, those of the next one are masked too: nothing is added to them,
/// so that a pixel may be stored as four bytes.
struct masks {
    lanes left, above, corner, mean;
};

/// What the filters read: the pixels to the left; those above and above to the left; and those of the last two steps.
struct state {
    lanes left, above, before;
};

static uint32_t load(const uint8_t *bytes) {
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static struct masks masks_of(const uint8_t *row, size_t stride, size_t step) {
    struct masks masks = {};
    for (size_t each = 0; each < ROWS; each++) {
        const uint8_t filter = row[each * stride];
        for (size_t byte = 0; byte < step; byte++) {
            const size_t lane = 4 * each + byte;
            masks.left[lane] = -(filter == 1 || filter == 4);
            masks.above[lane] = -(filter == 2 || filter == 4);
            masks.corner[lane] = -(filter == 4);
            masks.mean[lane] = -(filter == 3);
        }
    }
    return masks;
}

/// One step: the pixel `at - LAG * each` of the rows from `first` to before `end`, whose others are left alone.
/// Without a neighbour, Paeth's filter is the one of the other neighbour, or none (PNG third edition 9.4): all filters but the
/// mean are Paeth's of masked neighbours. Its value is found without its distances: the left or upper one beyond which
/// 3 * corner - left - above lies is the nearest to left + above - corner, and between the two it is the corner.
static inline __attribute__((always_inline)) void advance(
    struct state *state, const struct masks *masks, uint8_t *const *rows, size_t stride, size_t step, size_t at, size_t first,
    size_t end) {
    places filtered = {};
    for (size_t each = first; each < end; each++) filtered[each] = load(rows[each] + (at - LAG * each) * step);
    const uint64_t top = first == 0 ? load(rows[0] - stride + at * step) : 0;
    const places raised = {(uint32_t)top};
    const pixels widened = AS(pixels, __builtin_convertvector(AS(narrow, raised), words));
    const lanes above = AS(lanes, __builtin_shufflevector(AS(pixels, state->before), widened, 4, 0, 1, 2));
    const lanes beyond = (state->above & masks->corner) * 3 - (above & masks->above);
    const lanes up = above & masks->above, left = state->left & masks->left;
    const lanes low = LESSER(left, up), high = GREATER(left, up), threshold = beyond - left;
    const lanes is_low = AS(lanes, high <= threshold), is_high = AS(lanes, threshold <= low);
    const lanes paeth = (is_low & low) | (is_high & high) | (state->above & masks->corner & ~(is_low | is_high));
    const lanes mean = AS(lanes, AS(words, (state->left & masks->mean) + (above & masks->mean)) >> 1);
    // Sums modulo 256: added as bytes, the upper halves of the lanes stay 0 without a mask.
    const wide residual = AS(wide, __builtin_convertvector(AS(narrow, filtered), words));
    lanes sum = AS(lanes, residual + AS(wide, mean) + AS(wide, paeth));
    const narrow packed = __builtin_convertvector(AS(words, sum), narrow);
    for (size_t each = first; each < end; each++) {
        const uint32_t pixel = AS(places, packed)[each];
        memcpy(rows[each] + (at - LAG * each) * step, &pixel, sizeof pixel);
    }
    // A row has no pixel to the left of its first one.
    for (size_t each = 0; each < ROWS; each++) {
        if (each < first || each >= end) ((pixels *)&sum)[0][each] = 0;
    }
    state->above = above;
    state->before = state->left;
    state->left = sum;
}

/// `step`: a constant at each call, so that each size of pixels is compiled by itself.
static inline __attribute__((always_inline)) void walk(uint8_t *row, size_t stride, size_t width, size_t step) {
    const struct masks masks = masks_of(row, stride, step);
    uint8_t *rows[ROWS];
    for (size_t each = 0; each < ROWS; each++) rows[each] = row + each * stride + 1;
    struct state state = {};
    // The last row begins when the first one is `lag` pixels ahead.
    const size_t lag = LAG * (ROWS - 1);
    size_t at = 0;
    while (at < width + lag) {
        for (; at >= lag && at < width; at++) advance(&state, &masks, rows, stride, step, at, 0, ROWS);
        const size_t first = at < width ? 0 : (at - width) / LAG + 1, end = at < lag ? at / LAG + 1 : ROWS;
        advance(&state, &masks, rows, stride, step, at++, first, end);
    }
}

CLONED_FOR("avx2")
void ckernels_unfilter_rows(uint8_t *row, size_t stride, size_t width, size_t step) {
    switch (step) {
    case 4: walk(row, stride, width, 4); break;
    case 3: walk(row, stride, width, 3); break;
    case 2: walk(row, stride, width, 2); break;
    default: walk(row, stride, width, 1);
    }
}
