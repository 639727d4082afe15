#include <string.h>

#include "CKernels.h"
#include "Clones.h"

typedef float floats __attribute__((vector_size(32)));
typedef uint32_t words __attribute__((vector_size(32)));
typedef uint8_t bytes8 __attribute__((vector_size(8)));

#define LESSER(one, other) __builtin_elementwise_min(one, other)
#define GREATER(one, other) __builtin_elementwise_max(one, other)

CLONED_FOR("avx2")
size_t ckernels_opaque_pixels(const float *pixels, size_t count, uint8_t *target) {
    const floats least = (floats){} + 254.998f, most = (floats){} + 255.01f;
    size_t at = 0;
    // Two pixels at a time.
    for (; at + 2 <= count; at += 2) {
        floats values;
        memcpy(&values, pixels + 4 * at, sizeof values);
        const floats alpha = __builtin_shufflevector(values, values, 3, 3, 3, 3, 7, 7, 7, 7);
        const words beyond = (words)((alpha < least) | (alpha > most));
        if (beyond[0] | beyond[4]) return at;
        const floats limit = LESSER(alpha, (floats){} + 255);
        // After adding 2^23 the low bits hold the rounded number.
        const floats rounded = LESSER(GREATER(values, (floats){}), limit) + 8388608;
        const bytes8 bytes = __builtin_convertvector((words)rounded, bytes8);
        memcpy(target + 4 * at, &bytes, sizeof bytes);
    }
    return at;
}
