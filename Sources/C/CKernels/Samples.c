#include "Samples.h"

#include <string.h>

#include "Clones.h"

#define INLINE static inline __attribute__((always_inline))

/// Bits behind the point of the constants, and those that the first of two passes leaves (`CONST_BITS`, `PASS1_BITS`).
#define CONST_BITS 13
#define PASS_BITS 2

/// A constant with `CONST_BITS` bits behind the point.
#define FIXED(value) ((int32_t)((value) * (1 << CONST_BITS) + 0.5))
#define DESCALED(value, bits) (((value) + (1 << ((bits) - 1))) >> (bits))

/// Dequantised coefficients of 8 bits are within 1024, and what rounding adds. Up to this, sums fit into 32 bits, and what
/// is kept between the passes fits into 16, as libjpeg's SIMD forms have it.
#define MOST_BITS 11

/// Notes a dequantised coefficient that is out of range, and takes it into the range.
INLINE int32_t noted(int32_t value, uint32_t *wild) {
    int32_t kept = (int32_t)((uint32_t)value << (31 - MOST_BITS)) >> (31 - MOST_BITS);
    *wild |= (uint32_t)(value ^ kept);
    return kept;
}

INLINE int32_t within(int32_t value, int32_t least, int32_t most) {
    value = value < least ? least : value;
    return value > most ? most : value;
}

INLINE uint8_t sample(int32_t value) { return (uint8_t)within(value + 128, 0, 255); }

// MARK: - One point

INLINE uint32_t samples_1(const int16_t *values, size_t count, size_t step, int32_t quantizer, uint8_t *samples) {
    uint32_t wild = 0;
    for (size_t i = 0; i < count; i++)
        samples[i] = sample(DESCALED(noted(values[i * step] * quantizer, &wild), 3));
    return wild;
}

// MARK: - Two points

/// One pass of an inverse DCT of two points: the first or upper sample, with `sign` -1 the second one.
#define TRANSFORMED_2(even, odd, sign, bits) DESCALED((even) * (1 << (CONST_BITS + 2)) + (sign) * (odd), bits)
#define FIRST_BITS_2 (CONST_BITS - PASS_BITS + 2)
#define LAST_BITS_2 (CONST_BITS + PASS_BITS + 3 + 2)

INLINE uint32_t samples_2(
    const int16_t *values, size_t count, const uint16_t *quantizers, uint8_t *restrict first,
    uint8_t *restrict second) {
    const int32_t weight = FIXED(3.624509785);
    const int32_t scales[4] = {quantizers[0], quantizers[1], quantizers[8], quantizers[9]};
    uint32_t wild = 0;
    for (size_t i = 0; i < count; i++) {
        const int16_t *block = values + 4 * i;
        int32_t a = noted(block[0] * scales[0], &wild), b = noted(block[1] * scales[1], &wild);
        int32_t c = noted(block[2] * scales[2], &wild) * weight, d = noted(block[3] * scales[3], &wild) * weight;
        int32_t even = TRANSFORMED_2(a, c, 1, FIRST_BITS_2), odd = TRANSFORMED_2(b, d, 1, FIRST_BITS_2) * weight;
        first[2 * i] = sample(TRANSFORMED_2(even, odd, 1, LAST_BITS_2));
        first[2 * i + 1] = sample(TRANSFORMED_2(even, odd, -1, LAST_BITS_2));
        even = TRANSFORMED_2(a, c, -1, FIRST_BITS_2);
        odd = TRANSFORMED_2(b, d, -1, FIRST_BITS_2) * weight;
        second[2 * i] = sample(TRANSFORMED_2(even, odd, 1, LAST_BITS_2));
        second[2 * i + 1] = sample(TRANSFORMED_2(even, odd, -1, LAST_BITS_2));
    }
    return wild;
}

/// What coefficients 1, 3, 5 and 7 of a column or row add.
INLINE int32_t odd_of_8(int32_t one, int32_t three, int32_t five, int32_t seven) {
    return one * FIXED(3.624509785) - three * FIXED(1.272758580) + five * FIXED(0.850430095)
        - seven * FIXED(0.720959822);
}

/// Two samples a side of blocks that have all 64 coefficients, of which 25 take part.
INLINE uint32_t samples_2_of_8(
    const int16_t *values, size_t count, const uint16_t *quantizers, uint8_t *samples, size_t stride) {
    static const size_t taken[5] = {0, 1, 3, 5, 7};
    uint32_t wild = 0;
    for (size_t i = 0; i < count; i++) {
        const int16_t *block = values + 64 * i;
        int32_t columns[2][5];
        for (size_t x = 0; x < 5; x++) {
            int32_t rows[5];
            for (size_t y = 0; y < 5; y++) {
                size_t index = taken[y] * 8 + taken[x];
                rows[y] = noted(block[index] * quantizers[index], &wild);
            }
            int32_t odd = odd_of_8(rows[1], rows[2], rows[3], rows[4]);
            columns[0][x] = TRANSFORMED_2(rows[0], odd, 1, FIRST_BITS_2);
            columns[1][x] = TRANSFORMED_2(rows[0], odd, -1, FIRST_BITS_2);
        }
        for (size_t y = 0; y < 2; y++) {
            const int32_t *own = columns[y];
            int32_t odd = odd_of_8(own[1], own[2], own[3], own[4]);
            samples[y * stride + 2 * i] = sample(TRANSFORMED_2(own[0], odd, 1, LAST_BITS_2));
            samples[y * stride + 2 * i + 1] = sample(TRANSFORMED_2(own[0], odd, -1, LAST_BITS_2));
        }
    }
    return wild;
}

// MARK: - Four points

typedef int16_t four_shorts __attribute__((vector_size(8)));
typedef uint8_t four_bytes __attribute__((vector_size(4)));
typedef int32_t four __attribute__((vector_size(16)));

#define LANES(one, other, ...) __builtin_shufflevector(one, other, __VA_ARGS__)

INLINE void transpose(four *rows) {
    four a = LANES(rows[0], rows[1], 0, 4, 1, 5), b = LANES(rows[2], rows[3], 0, 4, 1, 5);
    four c = LANES(rows[0], rows[1], 2, 6, 3, 7), d = LANES(rows[2], rows[3], 2, 6, 3, 7);
    rows[0] = LANES(a, b, 0, 1, 4, 5);
    rows[1] = LANES(a, b, 2, 3, 6, 7);
    rows[2] = LANES(c, d, 0, 1, 4, 5);
    rows[3] = LANES(c, d, 2, 3, 6, 7);
}

/// One pass over four columns at once, with `bits` less behind the point.
INLINE void transform_4(four *rows, int bits) {
    four even = rows[0] * (1 << (CONST_BITS + 1)), two = rows[2] * FIXED(1.847759065);
    four outer = rows[1] * FIXED(2.562915447) + rows[3] * FIXED(0.899976223);
    four inner = rows[1] * FIXED(1.061594337) - rows[3] * FIXED(2.172734803);
    rows[0] = DESCALED(even + two + outer, bits);
    rows[1] = DESCALED(even - two + inner, bits);
    rows[2] = DESCALED(even - two - inner, bits);
    rows[3] = DESCALED(even + two - outer, bits);
}

INLINE uint32_t samples_4(
    const int16_t *values, size_t count, const uint16_t *quantizers, uint8_t *samples, size_t stride) {
    four wild = {0}, scales[4];
    for (size_t y = 0; y < 4; y++)
        for (size_t x = 0; x < 4; x++) scales[y][x] = quantizers[y * 8 + x];
    for (size_t i = 0; i < count; i++) {
        four rows[4];
        for (size_t y = 0; y < 4; y++) {
            four_shorts row;
            memcpy(&row, values + i * 16 + y * 4, sizeof row);
            four scaled = __builtin_convertvector(row, four) * scales[y];
            rows[y] = (scaled << (31 - MOST_BITS)) >> (31 - MOST_BITS);
            wild |= scaled ^ rows[y];
        }
        transform_4(rows, CONST_BITS - PASS_BITS + 1);
        transpose(rows);
        transform_4(rows, CONST_BITS + PASS_BITS + 3 + 1);
        transpose(rows);
        for (size_t y = 0; y < 4; y++) {
            // `sample` of each.
            four row = rows[y] + 128;
            row &= row > 0;
            four is_within = row < 255;
            four_bytes bytes = __builtin_convertvector((row & is_within) | (255 & ~is_within), four_bytes);
            memcpy(samples + y * stride + 4 * i, &bytes, sizeof bytes);
        }
    }
    return (uint32_t)(wild[0] | wild[1] | wild[2] | wild[3]);
}

CLONED_FOR("avx2")
int ckernels_samples(const ckernels_blocks *blocks, uint8_t *samples, size_t stride) {
    const int16_t *values = blocks->values;
    const uint16_t *quantizers = blocks->quantizers;
    const size_t count = blocks->count, side = blocks->side;
    // One loop for each constant size.
    if (blocks->size == 1)
        return side == 1 ? !samples_1(values, count, 1, quantizers[0], samples)
            : !samples_1(values, count, side * side, quantizers[0], samples);
    if (blocks->size == 2 && side == 2) return !samples_2(values, count, quantizers, samples, samples + stride);
    if (blocks->size == 2 && side == 8) return !samples_2_of_8(values, count, quantizers, samples, stride);
    if (blocks->size == 4 && side == 4) return !samples_4(values, count, quantizers, samples, stride);
    return 0;
}

// MARK: - Colours

/// Sixteen bits behind the point (`SCALEBITS`).
#define COLOR(value) ((int32_t)((value) * 65536 + 0.5))

CLONED_FOR("avx2")
void ckernels_rgba_row(
    const uint8_t *luminance, const uint8_t *cb, const uint8_t *cr, uint8_t *pixels, size_t count) {
    for (size_t i = 0; cb == NULL && i < count; i++) {
        pixels[4 * i] = pixels[4 * i + 1] = pixels[4 * i + 2] = luminance[i];
        pixels[4 * i + 3] = 255;
    }
    for (size_t i = 0; cb != NULL && i < count; i++) {
        int32_t y = luminance[i], b = cb[i] - 128, r = cr[i] - 128;
        pixels[4 * i] = (uint8_t)within(y + DESCALED(COLOR(1.40200) * r, 16), 0, 255);
        pixels[4 * i + 1] = (uint8_t)within(y + DESCALED(-COLOR(0.34414) * b - COLOR(0.71414) * r, 16), 0, 255);
        pixels[4 * i + 2] = (uint8_t)within(y + DESCALED(COLOR(1.77200) * b, 16), 0, 255);
        pixels[4 * i + 3] = 255;
    }
}
