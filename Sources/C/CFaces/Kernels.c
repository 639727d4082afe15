#include "Kernels.h"

#include <string.h>

// MARK: Plain C

/// `sum`: the bits of a number with a sign. Weights that no converter wrote may make it too large: then it wraps, as sums in
/// vectors do, where a sum with a sign would be undefined.
static int16_t limited(uint32_t sum, int shift, int is_rectified) {
    // Arithmetic for negative values, too, on all compilers that build Swift.
    int32_t value = (int32_t)sum >> shift;
    int32_t least = is_rectified ? 0 : INT16_MIN;
    return (int16_t)(value < least ? least : value > INT16_MAX ? INT16_MAX : value);
}

// Sixteen sums at a time, without a branch: a compiler makes vectors of them where the processor has some.
enum { BLOCK = 16 };

static void plain_pointwise(
    const int16_t *row, int columns, int inputs, int outputs, const cfaces_convolution *by, int is_rectified,
    int16_t *target) {
    for (int column = 0; column < columns; column++, row += inputs, target += outputs) {
        for (int output = 0; output < outputs; output += BLOCK) {
            uint32_t sums[BLOCK];
            for (int k = 0; k < BLOCK; k++) sums[k] = (uint32_t)by->biases[output + k];
            for (int input = 0; input < inputs; input += 2) {
                const int16_t *pairs = by->weights + input * outputs + output * 2;
                for (int k = 0; k < BLOCK; k++) {
                    sums[k] += (uint32_t)(row[input] * pairs[k * 2]) + (uint32_t)(row[input + 1] * pairs[k * 2 + 1]);
                }
            }
            for (int k = 0; k < BLOCK; k++) target[output + k] = limited(sums[k], by->shift, is_rectified);
        }
    }
}

static void plain_depthwise(
    const int16_t *const rows[3], int columns, int channels, const cfaces_convolution *by, int is_rectified,
    int16_t *target) {
    for (int value = 0; value < columns * channels; value += BLOCK) {
        int channel = value % channels;
        uint32_t sums[BLOCK];
        for (int k = 0; k < BLOCK; k++) sums[k] = (uint32_t)by->biases[channel + k];
        for (int tap = 0; tap < 9; tap++) {
            const int16_t *values = rows[tap / 3] + value + tap % 3 * channels;
            const int16_t *weights = by->weights + tap * channels + channel;
            for (int k = 0; k < BLOCK; k++) sums[k] += (uint32_t)(values[k] * weights[k]);
        }
        for (int k = 0; k < BLOCK; k++) target[value + k] = limited(sums[k], by->shift, is_rectified);
    }
}

// MARK: x86

#if defined(__x86_64__)
#include <immintrin.h>

// What Layers.h needs of vectors of each width. Packing and unpacking work within each 128 bits.

static inline __m128i load_128(const void *address) { return _mm_loadu_si128(address); }
static inline __m128i repeat_128(int32_t pair) { return _mm_set1_epi32(pair); }
static inline __m128i unpack_low_128(__m128i one, __m128i two) { return _mm_unpacklo_epi16(one, two); }
static inline __m128i unpack_high_128(__m128i one, __m128i two) { return _mm_unpackhi_epi16(one, two); }

static inline void store_packed_128(__m128i low, __m128i high, int shift, int is_rectified, int16_t *target) {
    __m128i count = _mm_cvtsi32_si128(shift);
    __m128i packed = _mm_packs_epi32(_mm_sra_epi32(low, count), _mm_sra_epi32(high, count));
    _mm_storeu_si128((__m128i *)target, _mm_max_epi16(packed, _mm_set1_epi16(is_rectified ? 0 : INT16_MIN)));
}

static inline void store16_128(const __m128i sums[4], int shift, int is_rectified, int16_t *target) {
    store_packed_128(sums[0], sums[1], shift, is_rectified, target);
    store_packed_128(sums[2], sums[3], shift, is_rectified, target + 8);
}

// SSE2, which every x86-64 has.
static inline __m128i sse2_accumulate(__m128i sums, __m128i one, __m128i two) {
    return _mm_add_epi32(sums, _mm_madd_epi16(one, two));
}

#define NAME(x) sse2_##x
#define WIDE(x) x##_128
#define SUMS __m128i
#define LANES 4
#define COLUMNS 2
#define WIDEST 16
#include "Layers.h"

#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

static inline __m256i load_256(const void *address) { return _mm256_loadu_si256(address); }
static inline __m256i repeat_256(int32_t pair) { return _mm256_set1_epi32(pair); }
static inline __m256i unpack_low_256(__m256i one, __m256i two) { return _mm256_unpacklo_epi16(one, two); }
static inline __m256i unpack_high_256(__m256i one, __m256i two) { return _mm256_unpackhi_epi16(one, two); }

static inline __m256i packed_256(__m256i low, __m256i high, int shift, int is_rectified) {
    __m128i count = _mm_cvtsi32_si128(shift);
    __m256i packed = _mm256_packs_epi32(_mm256_sra_epi32(low, count), _mm256_sra_epi32(high, count));
    return _mm256_max_epi16(packed, _mm256_set1_epi16(is_rectified ? 0 : INT16_MIN));
}

static inline void store_packed_256(__m256i low, __m256i high, int shift, int is_rectified, int16_t *target) {
    _mm256_storeu_si256((__m256i *)target, packed_256(low, high, shift, is_rectified));
}

static inline void store16_256(const __m256i sums[2], int shift, int is_rectified, int16_t *target) {
    // Packing takes halves in turn.
    __m256i packed = _mm256_permute4x64_epi64(packed_256(sums[0], sums[1], shift, is_rectified), 0xD8);
    _mm256_storeu_si256((__m256i *)target, packed);
}

static inline __m256i avx2_accumulate(__m256i sums, __m256i one, __m256i two) {
    return _mm256_add_epi32(sums, _mm256_madd_epi16(one, two));
}

#define NAME(x) avx2_##x
#define WIDE(x) x##_256
#define SUMS __m256i
#define LANES 8
#define COLUMNS 4
#define WIDEST 16
#include "Layers.h"

#pragma clang attribute pop

#pragma clang attribute push(__attribute__((target("avx512f,avx512bw"))), apply_to = function)

static inline __m512i load_512(const void *address) { return _mm512_loadu_si512(address); }
static inline __m512i repeat_512(int32_t pair) { return _mm512_set1_epi32(pair); }
static inline __m512i unpack_low_512(__m512i one, __m512i two) { return _mm512_unpacklo_epi16(one, two); }
static inline __m512i unpack_high_512(__m512i one, __m512i two) { return _mm512_unpackhi_epi16(one, two); }

static inline void store_packed_512(__m512i low, __m512i high, int shift, int is_rectified, int16_t *target) {
    __m128i count = _mm_cvtsi32_si128(shift);
    __m512i packed = _mm512_packs_epi32(_mm512_sra_epi32(low, count), _mm512_sra_epi32(high, count));
    _mm512_storeu_si512(target, _mm512_max_epi16(packed, _mm512_set1_epi16(is_rectified ? 0 : INT16_MIN)));
}

static inline void store16_512(const __m512i sums[1], int shift, int is_rectified, int16_t *target) {
    __m256i packed = _mm512_cvtsepi32_epi16(_mm512_sra_epi32(sums[0], _mm_cvtsi32_si128(shift)));
    packed = _mm256_max_epi16(packed, _mm256_set1_epi16(is_rectified ? 0 : INT16_MIN));
    _mm256_storeu_si256((__m256i *)target, packed);
}

static inline __m512i avx512_accumulate(__m512i sums, __m512i one, __m512i two) {
    return _mm512_add_epi32(sums, _mm512_madd_epi16(one, two));
}

#define NAME(x) avx512_##x
#define WIDE(x) x##_512
#define SUMS __m512i
#define LANES 16
#define COLUMNS 8
#define WIDEST 32
#include "Layers.h"

#pragma clang attribute pop
#endif

// MARK: The choice

int cfaces_has_kernel(cfaces_kernel kernel) {
#if defined(__x86_64__)
    switch (kernel) {
    case CFACES_PLAIN:
    case CFACES_SSE2: return 1;
    case CFACES_AVX2: return __builtin_cpu_supports("avx2") != 0;
    case CFACES_AVX512: return __builtin_cpu_supports("avx512bw") != 0;
    }
    return 0;
#else
    return kernel == CFACES_PLAIN;
#endif
}

cfaces_kernel cfaces_best_kernel(void) {
    for (int kernel = CFACES_AVX512; kernel > CFACES_PLAIN; kernel--) {
        if (cfaces_has_kernel((cfaces_kernel)kernel)) return (cfaces_kernel)kernel;
    }
    return CFACES_PLAIN;
}

kernel_functions cfaces_functions_of(cfaces_kernel kernel) {
#if defined(__x86_64__)
    switch (kernel) {
    case CFACES_AVX512: return (kernel_functions){avx512_pointwise, avx512_depthwise};
    case CFACES_AVX2: return (kernel_functions){avx2_pointwise, avx2_depthwise};
    case CFACES_SSE2: return (kernel_functions){sse2_pointwise, sse2_depthwise};
    case CFACES_PLAIN: break;
    }
#else
    (void)kernel;
#endif
    return (kernel_functions){plain_pointwise, plain_depthwise};
}
