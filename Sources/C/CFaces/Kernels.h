// The two kinds of layers of the network, computed by one kind of processor.

#ifndef CFACES_KERNELS_H
#define CFACES_KERNELS_H

#include "CFaces.h"

/// A row of a 1x1 convolution. `row`: readable up to 8 columns.
typedef void pointwise_function(
    const int16_t *row, int columns, int inputs, int outputs, const cfaces_convolution *by, int is_rectified,
    int16_t *target);

/// A row of a 3x3 convolution of each channel. `rows`: the row above, the row itself and the one below, each with a column of
/// zeros before and behind it. They are readable, and the target is writable, for 32 values more.
typedef void depthwise_function(
    const int16_t *const rows[3], int columns, int channels, const cfaces_convolution *by, int is_rectified,
    int16_t *target);

typedef struct {
    pointwise_function *pointwise;
    depthwise_function *depthwise;
} kernel_functions;

/// `kernel`: one that `cfaces_has_kernel`.
kernel_functions cfaces_functions_of(cfaces_kernel kernel);

#endif
