/// Inner loops compiled for several instruction sets; the processor's best one is selected when the program starts.
/// Every version does the same additions and multiplications in the same order, so all give the same bits.
#ifndef CKERNELS_H
#define CKERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "Lanes.h"

/// Weighted sum of rows of bytes, column by column: line[i] = sum over k of weights[k] * top[k * stride + i].
/// `stride`: bytes a row; `count`: values, a multiple of 4.
void ckernels_sum_rows(
    const uint8_t *top, size_t stride, const float *weights, size_t taps, float *line, size_t count);

/// The same for pixels R, G, B, A with straight alpha: colours are multiplied by alpha / 255.
void ckernels_sum_straight_rows(
    const uint8_t *top, size_t stride, const float *weights, size_t taps, float *line, size_t count);

#endif
