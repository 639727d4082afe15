#include "CKernels.h"

#include <math.h>

#include "Clones.h"

// A fused multiply-add rounds once instead of twice, which would make the bits depend on the processor.
#pragma STDC FP_CONTRACT OFF

/// Also for what is not a number.
static inline float within(float value, float most) { return value > 0 ? (value < most ? value : most) : 0; }

/// The value at a position of 0 ... `entries` - 1 in a table, between two entries in proportion.
static inline float interpolated(const float *table, size_t entries, float position) {
    size_t index = (size_t)position;
    if (index > entries - 2) index = entries - 2;
    return table[index] + (table[index + 1] - table[index]) * (position - (float)index);
}

CLONED_FOR("avx2")
void ckernels_convert_colors(
    float *pixels, size_t count, const float *curves, size_t entries, const float *matrix, const float *encoding,
    size_t encoded) {
    float scale = (float)(entries - 1) / 255, last = (float)(entries - 1), reach = (float)(encoded - 1);
    for (float *pixel = pixels; pixel < pixels + count * 4; pixel += 4) {
        float alpha = pixel[3], linear[3];
        // What is around the circle.
        if (alpha == 0 && pixel[0] == 0 && pixel[1] == 0 && pixel[2] == 0) continue;
        float factor = alpha > 0.01f && alpha < 254.998f ? 255 / alpha * scale : scale;
        for (int c = 0; c < 3; c++)
            linear[c] = interpolated(curves + c * entries, entries, within(pixel[c] * factor, last));
        for (int c = 0; c < 3; c++) {
            const float *row = matrix + c * 3;
            float light = within(row[0] * linear[0] + row[1] * linear[1] + row[2] * linear[2], 1);
            pixel[c] = interpolated(encoding, encoded, sqrtf(light) * reach) * alpha;
        }
    }
}
