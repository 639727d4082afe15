#include "CKernels.h"

#include <string.h>

#include "Clones.h"

// A fused multiply-add rounds once instead of twice, which would make the bits depend on the processor.
#pragma STDC FP_CONTRACT OFF

#define FOR_SEVERAL_PROCESSORS CLONED_FOR("avx2")

typedef uint8_t bytes8 __attribute__((vector_size(8)));
typedef float floats8 __attribute__((vector_size(32)));
typedef uint8_t bytes4 __attribute__((vector_size(4)));
typedef float floats4 __attribute__((vector_size(16)));

#define LOAD(type, address) ({ type loaded; memcpy(&loaded, (address), sizeof loaded); loaded; })
#define FLOATS8(address) __builtin_convertvector(LOAD(bytes8, address), floats8)
#define FLOATS4(address) __builtin_convertvector(LOAD(bytes4, address), floats4)

FOR_SEVERAL_PROCESSORS
void ckernels_sum_rows(
    const uint8_t *top, size_t stride, const float *weights, size_t taps, float *line, size_t count) {
    size_t x = 0;
    for (; x + 32 <= count; x += 32) {
        floats8 a = {0}, b = {0}, c = {0}, d = {0};
        const uint8_t *row = top + x;
        for (size_t k = 0; k < taps; k++, row += stride) {
            float weight = weights[k];
            a += FLOATS8(row) * weight;
            b += FLOATS8(row + 8) * weight;
            c += FLOATS8(row + 16) * weight;
            d += FLOATS8(row + 24) * weight;
        }
        memcpy(line + x, &a, sizeof a);
        memcpy(line + x + 8, &b, sizeof b);
        memcpy(line + x + 16, &c, sizeof c);
        memcpy(line + x + 24, &d, sizeof d);
    }
    for (; x < count; x += 4) {
        floats4 a = {0};
        const uint8_t *row = top + x;
        for (size_t k = 0; k < taps; k++, row += stride) a += FLOATS4(row) * weights[k];
        memcpy(line + x, &a, sizeof a);
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
