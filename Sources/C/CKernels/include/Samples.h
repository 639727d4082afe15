/// The last steps of a JPEG that is decoded at 1/4 or 1/8: inverse DCTs of 1, 2 and 4 points, and colours.
///
/// Bit for bit what libjpeg-turbo 2.1 computes (`jidctred.c`, `jdcolor.c` and their SIMD forms).
#ifndef CKERNELS_SAMPLES_H
#define CKERNELS_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

/// One row of blocks of a component.
typedef struct {
    /// For each block `side` x `side` coefficients before dequantisation, from the DC on, row by row.
    const int16_t *values;
    /// The number of blocks.
    size_t count;
    /// 1, 2, 4 or 8.
    size_t side;
    /// 64 values row by row.
    const uint16_t *quantizers;
    /// Samples a side of a block that are made: 1, 2 or 4, at most `side`.
    size_t size;
} ckernels_blocks;

/// Makes the samples of all blocks: `size` rows of count x size bytes, `stride` bytes apart. Returns 0 if a dequantised
/// coefficient is one that no picture of 8 bits has, where libjpeg's forms differ: the samples mean nothing then.
int ckernels_samples(const ckernels_blocks *blocks, uint8_t *samples, size_t stride);

/// `count` pixels of R, G, B, 255 from luminance, `cb` and `cr`; from luminance alone where those are NULL.
void ckernels_rgba_row(
    const uint8_t *luminance, const uint8_t *cb, const uint8_t *cr, uint8_t *pixels, size_t count);

#endif
