#include "CKernels.h"

#include <string.h>

#include "Clones.h"

// A fused multiply-add rounds once instead of twice, which would make the bits depend on the processor.
#pragma STDC FP_CONTRACT OFF

#define FOR_SEVERAL_PROCESSORS CLONED_FOR("avx2")

typedef uint8_t bytes8 __attribute__((vector_size(8)));
typedef float floats8 __attribute__((vector_size(32)));
typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef float floats16 __attribute__((vector_size(64)));
typedef uint8_t bytes4 __attribute__((vector_size(4)));
typedef float floats4 __attribute__((vector_size(16)));

#define LOAD(type, address) ({ type loaded; memcpy(&loaded, (address), sizeof loaded); loaded; })
#define FLOATS8(address) __builtin_convertvector(LOAD(bytes8, address), floats8)
#define FLOATS16(address) __builtin_convertvector(LOAD(bytes16, address), floats16)
#define FLOATS4(address) __builtin_convertvector(LOAD(bytes4, address), floats4)

// 32 values at a time.
#define ADD(sums, values, weight) (sums[0] += (values)[0] * (weight), sums[1] += (values)[1] * (weight))
#define STORE(sums, address) (memcpy((address), &sums[0], sizeof(floats16)), memcpy((address) + 16, &sums[1], sizeof(floats16)))

FOR_SEVERAL_PROCESSORS
void ckernels_sum_rows(
    const uint8_t *top, size_t stride, const float *weights, size_t taps, float *line, size_t count) {
    size_t x = 0;
    for (; x + 32 <= count; x += 32) {
        floats16 sums[2] = {};
        const uint8_t *row = top + x;
        for (size_t k = 0; k < taps; k++, row += stride) {
            floats16 values[2] = {FLOATS16(row), FLOATS16(row + 16)};
            ADD(sums, values, weights[k]);
        }
        STORE(sums, line + x);
    }
    for (; x < count; x += 4) {
        floats4 a = {0};
        const uint8_t *row = top + x;
        for (size_t k = 0; k < taps; k++, row += stride) a += FLOATS4(row) * weights[k];
        memcpy(line + x, &a, sizeof a);
    }
}

FOR_SEVERAL_PROCESSORS
void ckernels_sum_two_rows(
    const uint8_t *top, size_t stride, ckernels_weights one, ckernels_weights other, size_t lag, float *line, float *next,
    size_t count) {
    for (size_t x = 0; x < count; x += CKERNELS_PAIRED) {
        // The last values are summed again with some of those before.
        if (x + CKERNELS_PAIRED > count) x = count - CKERNELS_PAIRED;
        floats16 sums[2] = {}, others[2] = {};
        const uint8_t *row = top + x;
        size_t k = 0;
        for (; k < lag; k++, row += stride) {
            floats16 values[2] = {FLOATS16(row), FLOATS16(row + 16)};
            ADD(sums, values, one.weights[k]);
        }
        for (; k < one.taps; k++, row += stride) {
            floats16 values[2] = {FLOATS16(row), FLOATS16(row + 16)};
            ADD(sums, values, one.weights[k]);
            ADD(others, values, other.weights[k - lag]);
        }
        for (; k < lag + other.taps; k++, row += stride) {
            floats16 values[2] = {FLOATS16(row), FLOATS16(row + 16)};
            ADD(others, values, other.weights[k - lag]);
        }
        STORE(sums, line + x);
        STORE(others, next + x);
    }
}

FOR_SEVERAL_PROCESSORS
void ckernels_sum_pixels(
    const float *line, const intptr_t *first, const float *weights, size_t taps, float *pixels, size_t count) {
    for (size_t i = 0; i < count; i++, weights += 4 * taps) {
        const float *from = line + 4 * first[i];
        floats8 sums = {0};
        for (size_t k = 0; k < 4 * taps; k += 8) sums += LOAD(floats8, from + k) * LOAD(floats8, weights + k);
        floats4 pixel = __builtin_shufflevector(sums, sums, 0, 1, 2, 3) + __builtin_shufflevector(sums, sums, 4, 5, 6, 7);
        memcpy(pixels + 4 * i, &pixel, sizeof pixel);
    }
}

/// Two pixels times their alphas; alpha itself times 255.
#define MULTIPLIED8(address) ({ \
    floats8 pixels = FLOATS8(address); \
    floats8 factors = __builtin_shufflevector(pixels, pixels, 3, 3, 3, 3, 7, 7, 7, 7); \
    floats8 opaque = __builtin_shufflevector(pixels, (floats8){255}, 0, 1, 2, 8, 4, 5, 6, 8); \
    opaque * factors; })

FOR_SEVERAL_PROCESSORS
void ckernels_sum_straight_rows(
    const uint8_t *top, size_t stride, const float *weights, size_t taps, float *line, size_t count) {
    size_t x = 0;
    for (; x + 16 <= count; x += 16) {
        floats8 a = {0}, b = {0};
        const uint8_t *row = top + x;
        for (size_t k = 0; k < taps; k++, row += stride) {
            float weight = weights[k] * (1.0f / 255);
            a += MULTIPLIED8(row) * weight;
            b += MULTIPLIED8(row + 8) * weight;
        }
        memcpy(line + x, &a, sizeof a);
        memcpy(line + x + 8, &b, sizeof b);
    }
    for (; x < count; x += 4) {
        floats4 a = {0};
        const uint8_t *row = top + x;
        for (size_t k = 0; k < taps; k++, row += stride) {
            floats4 pixel = FLOATS4(row), opaque = pixel;
            opaque[3] = 255;
            a += opaque * pixel[3] * (weights[k] * (1.0f / 255));
        }
        memcpy(line + x, &a, sizeof a);
    }
}
