#pragma once
#include <stddef.h>
#include <stdint.h>

/// What libjpeg's entropy decoder reads of a JPEG.
typedef struct {
    /// 0 after an error.
    int components;
    /// Blocks of each component, without the padding of MCUs.
    int columns[4], rows[4];
    /// rows x columns blocks of 64 coefficients, row by row each. `reference_free` frees them.
    int16_t *values[4];
} reference_coefficients;

/// Reads all coefficients of a file of a small picture.
reference_coefficients reference_read(const uint8_t *bytes, size_t count);

void reference_free(reference_coefficients *read);

/// Whether zlib unpacks this stream, without keeping what comes out.
int reference_inflates(const uint8_t *bytes, size_t count);
