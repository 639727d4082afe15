/// Inner loops compiled for several instruction sets; the processor's best one is selected when the program starts.
/// Every version does the same additions and multiplications in the same order, so all give the same bits.
#ifndef CKERNELS_H
#define CKERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "Lanes.h"
#include "Samples.h"

/// Weighted sum of rows of bytes, column by column: line[i] = sum over k of weights[k] * top[k * stride + i].
/// `stride`: bytes a row; `count`: values, a multiple of 4.
void ckernels_sum_rows(
    const uint8_t *top, size_t stride, const float *weights, size_t taps, float *line, size_t count);

typedef struct {
    const float *weights;
    size_t taps;
} ckernels_weights;

/// The least `count` of `ckernels_sum_two_rows`.
#define CKERNELS_PAIRED 32

/// Two such sums at once, in less time: the other one is of rows from `top` + `lag` * `stride` on. `lag`: at most `one.taps`,
/// which is at most `lag` + `other.taps`.
void ckernels_sum_two_rows(
    const uint8_t *top, size_t stride, ckernels_weights one, ckernels_weights other, size_t lag, float *line, float *next,
    size_t count);

/// Weighted sums of pixels of four values: pixels[i] = sum over k of weights[i * taps + k] * line[first[i] + k], of even and of odd
/// k by themselves. `weights`: each of them four times; `taps`: an even number.
void ckernels_sum_pixels(
    const float *line, const intptr_t *first, const float *weights, size_t taps, float *pixels, size_t count);

/// The same for pixels R, G, B, A with straight alpha: colours are multiplied by alpha / 255.
void ckernels_sum_straight_rows(
    const uint8_t *top, size_t stride, const float *weights, size_t taps, float *line, size_t count);

/// Converts the colours of `count` pixels of four floats, 0...255 and multiplied by alpha, in place. `curves`: three tables of
/// `entries` values, 2 at least, from colours to light; `matrix`: three rows, from their light to that of the target;
/// `encoding`: `encoded` values, from the square root of light to colours in 0...1. Between entries, values are in proportion.
void ckernels_convert_colors(
    float *pixels, size_t count, const float *curves, size_t entries, const float *matrix, const float *encoding,
    size_t encoded);

/// Pixels of four floats, 0...255 and slightly beyond, as bytes: `Compositor` without a background. Stops before a pair with a
/// pixel that is not opaque, or overshoots; returns the number of pixels that were stored.
size_t ckernels_opaque_pixels(const float *pixels, size_t count, uint8_t *target);

/// None, Sub, Up, Average, Paeth (PNG third edition 9.2).
#define CKERNELS_FILTERS 5
/// The cost of a residual is its size as a signed byte, at most this. The sum then grows more slowly than the size, like
/// the bits of a Huffman code.
#define CKERNELS_MOST_COST 31

/// Filters `count` bytes of a row of RGBA pixels. `residuals`: one row for each filter but None, `stride` bytes apart.
/// `costs`: one sum for each filter. 4 bytes before both rows are read, and 31 behind; 31 behind the residuals are written.
void ckernels_filter_row(
    const uint8_t *row, const uint8_t *above, size_t count, uint8_t *residuals, size_t stride, uint32_t *costs);

#define CKERNELS_UNFILTERED_ROWS 4

/// Undoes the filters of four rows in place, all at once. `row`: the first one's filter byte, 0...4, and its filtered bytes;
/// the others follow, `stride` bytes apart, and the row above, unfiltered, comes before. `width`: pixels of `step` bytes,
/// 1...4; what a row has behind them stays as it is. 3 bytes behind the last of them are read, and written as they were.
void ckernels_unfilter_rows(uint8_t *row, size_t stride, size_t width, size_t step);

#endif
