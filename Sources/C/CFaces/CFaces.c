#include "CFaces.h"

#include <string.h>

// MARK: The layers of the network

/// A pair of convolutions, from `inputs` to `outputs` channels.
typedef struct {
    uint8_t inputs, outputs;
} pair_shape;

enum { FIRST_CHANNELS = 16, CHANNELS = 64, FIRST_INPUTS = 36, PAIRS = 17 };

// The trunk: at half the size, then at a quarter, an eighth, a sixteenth and a thirty-second of it. Then the pairs that carry
// what was found at small sizes back to larger ones, and for each of three sizes the pair that gives its outputs.
static const pair_shape pair_shapes[PAIRS] = {
    {16, 16}, {16, 16}, {16, 32}, {32, 32}, {32, 64}, {64, 64}, {64, 64}, {64, 64}, {64, 64},
    {64, 64}, {64, 64}, {64, 64}, {64, 64}, {64, 64}, {64, 16}, {64, 16}, {64, 16},
};

_Static_assert(CFACES_CONVOLUTIONS == 1 + 2 * PAIRS, "one convolution before the pairs");

void cfaces_shape(int convolution, int *inputs, int *outputs) {
    if (convolution == 0) {
        *inputs = FIRST_INPUTS;
        *outputs = FIRST_CHANNELS;
    } else {
        const pair_shape *shape = &pair_shapes[(convolution - 1) / 2];
        *inputs = convolution % 2 == 1 ? shape->inputs : 1;
        *outputs = shape->outputs;
    }
}

/// A row of a 1x1 convolution. `row`: readable up to 8 columns.
typedef void pointwise_function(
    const int16_t *row, int columns, int inputs, int outputs, const cfaces_convolution *by, int is_rectified,
    int16_t *target);

/// A row of a 3x3 convolution of each channel. `rows`: the row above, the row itself and the one below, each with a column of
/// zeros before and behind it.
typedef void depthwise_function(
    const int16_t *const rows[3], int columns, int channels, const cfaces_convolution *by, int is_rectified,
    int16_t *target);

typedef struct {
    pointwise_function *pointwise;
    depthwise_function *depthwise;
} kernel_functions;

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

// SSE2, which every x86-64 has.
#define NAME(x) sse2_##x
#define LANES 4
#define COLUMNS 2
#define SUMS __m128i
#define LOAD(address) _mm_loadu_si128((const __m128i *)(address))
#define REPEAT(address) ({ int32_t pair; memcpy(&pair, (address), sizeof pair); _mm_set1_epi32(pair); })
#define ADD _mm_add_epi32
#define MULTIPLY_ADD _mm_madd_epi16
#define STORE16 sse2_store16

static inline void sse2_store16(const __m128i sums[4], int shift, int is_rectified, int16_t *target) {
    __m128i count = _mm_cvtsi32_si128(shift);
    __m128i least = _mm_set1_epi16(is_rectified ? 0 : INT16_MIN);
    for (int half = 0; half < 2; half++) {
        __m128i low = _mm_sra_epi32(sums[half * 2], count), high = _mm_sra_epi32(sums[half * 2 + 1], count);
        _mm_storeu_si128((__m128i *)(target + half * 8), _mm_max_epi16(_mm_packs_epi32(low, high), least));
    }
}

#include "Layers.h"

// Two neighbouring taps are multiplied and added at once; the ninth has none.
#define TAP_PAIRS(rows, at, channels) \
    {{rows[0] + at, rows[0] + at + channels}, \
     {rows[0] + at + 2 * channels, rows[1] + at}, \
     {rows[1] + at + channels, rows[1] + at + 2 * channels}, \
     {rows[2] + at, rows[2] + at + channels}, \
     {rows[2] + at + 2 * channels, rows[2] + at + 2 * channels}}

static void sse2_depthwise(
    const int16_t *const rows[3], int columns, int channels, const cfaces_convolution *by, int is_rectified,
    int16_t *target) {
    __m128i count = _mm_cvtsi32_si128(by->shift);
    __m128i least = _mm_set1_epi16(is_rectified ? 0 : INT16_MIN);
    for (int channel = 0; channel < channels; channel += 8) {
        __m128i low_weights[5], high_weights[5];
        for (int pair = 0; pair < 5; pair++) {
            const int16_t *weights = by->weights + pair * 2 * channels + channel;
            __m128i one = LOAD(weights), two = pair < 4 ? LOAD(weights + channels) : _mm_setzero_si128();
            low_weights[pair] = _mm_unpacklo_epi16(one, two);
            high_weights[pair] = _mm_unpackhi_epi16(one, two);
        }
        __m128i low_bias = LOAD(by->biases + channel), high_bias = LOAD(by->biases + channel + 4);
        for (int column = 0; column < columns; column++) {
            int at = column * channels + channel;
            const int16_t *taps[5][2] = TAP_PAIRS(rows, at, channels);
            __m128i low = low_bias, high = high_bias;
            for (int pair = 0; pair < 5; pair++) {
                __m128i one = LOAD(taps[pair][0]), two = LOAD(taps[pair][1]);
                low = _mm_add_epi32(low, _mm_madd_epi16(_mm_unpacklo_epi16(one, two), low_weights[pair]));
                high = _mm_add_epi32(high, _mm_madd_epi16(_mm_unpackhi_epi16(one, two), high_weights[pair]));
            }
            __m128i packed = _mm_packs_epi32(_mm_sra_epi32(low, count), _mm_sra_epi32(high, count));
            _mm_storeu_si128((__m128i *)(target + at), _mm_max_epi16(packed, least));
        }
    }
}

#undef NAME
#undef LANES
#undef COLUMNS
#undef SUMS
#undef PARTS
#undef LOAD
#undef REPEAT
#undef ADD
#undef MULTIPLY_ADD
#undef STORE16

#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

#define NAME(x) avx2_##x
#define LANES 8
#define COLUMNS 4
#define SUMS __m256i
#define LOAD(address) _mm256_loadu_si256((const __m256i *)(address))
#define REPEAT(address) ({ int32_t pair; memcpy(&pair, (address), sizeof pair); _mm256_set1_epi32(pair); })
#define ADD _mm256_add_epi32
#define MULTIPLY_ADD _mm256_madd_epi16
#define STORE16 avx2_store16

static inline void avx2_store16(const __m256i sums[2], int shift, int is_rectified, int16_t *target) {
    __m128i count = _mm_cvtsi32_si128(shift);
    __m256i packed = _mm256_packs_epi32(_mm256_sra_epi32(sums[0], count), _mm256_sra_epi32(sums[1], count));
    // Packing takes halves in turn.
    packed = _mm256_permute4x64_epi64(packed, 0xD8);
    packed = _mm256_max_epi16(packed, _mm256_set1_epi16(is_rectified ? 0 : INT16_MIN));
    _mm256_storeu_si256((__m256i *)target, packed);
}

#include "Layers.h"

/// Four biases in each half, as unpacking gives the values of 16 channels.
static inline __m256i avx2_biases(const int32_t *biases) {
    __m128i low = _mm_loadu_si128((const __m128i *)biases), high = _mm_loadu_si128((const __m128i *)(biases + 8));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

static void avx2_depthwise(
    const int16_t *const rows[3], int columns, int channels, const cfaces_convolution *by, int is_rectified,
    int16_t *target) {
    __m128i count = _mm_cvtsi32_si128(by->shift);
    __m256i least = _mm256_set1_epi16(is_rectified ? 0 : INT16_MIN);
    for (int channel = 0; channel < channels; channel += 16) {
        __m256i low_weights[5], high_weights[5];
        for (int pair = 0; pair < 5; pair++) {
            const int16_t *weights = by->weights + pair * 2 * channels + channel;
            __m256i one = LOAD(weights), two = pair < 4 ? LOAD(weights + channels) : _mm256_setzero_si256();
            low_weights[pair] = _mm256_unpacklo_epi16(one, two);
            high_weights[pair] = _mm256_unpackhi_epi16(one, two);
        }
        __m256i low_bias = avx2_biases(by->biases + channel), high_bias = avx2_biases(by->biases + channel + 4);
        for (int column = 0; column < columns; column++) {
            int at = column * channels + channel;
            const int16_t *taps[5][2] = TAP_PAIRS(rows, at, channels);
            __m256i low = low_bias, high = high_bias;
            for (int pair = 0; pair < 5; pair++) {
                __m256i one = LOAD(taps[pair][0]), two = LOAD(taps[pair][1]);
                low = _mm256_add_epi32(low, _mm256_madd_epi16(_mm256_unpacklo_epi16(one, two), low_weights[pair]));
                high = _mm256_add_epi32(high, _mm256_madd_epi16(_mm256_unpackhi_epi16(one, two), high_weights[pair]));
            }
            __m256i packed = _mm256_packs_epi32(_mm256_sra_epi32(low, count), _mm256_sra_epi32(high, count));
            _mm256_storeu_si256((__m256i *)(target + at), _mm256_max_epi16(packed, least));
        }
    }
}

#pragma clang attribute pop
#undef NAME
#undef LANES
#undef COLUMNS
#undef SUMS
#undef PARTS
#undef LOAD
#undef REPEAT
#undef ADD
#undef MULTIPLY_ADD
#undef STORE16

#pragma clang attribute push(__attribute__((target("avx512f,avx512bw"))), apply_to = function)

#define NAME(x) avx512_##x
#define LANES 16
#define COLUMNS 8
#define SUMS __m512i
#define LOAD(address) _mm512_loadu_si512(address)
#define REPEAT(address) ({ int32_t pair; memcpy(&pair, (address), sizeof pair); _mm512_set1_epi32(pair); })
#define ADD _mm512_add_epi32
#define MULTIPLY_ADD _mm512_madd_epi16
#define STORE16 avx512_store16

static inline void avx512_store16(const __m512i sums[1], int shift, int is_rectified, int16_t *target) {
    __m256i packed = _mm512_cvtsepi32_epi16(_mm512_sra_epi32(sums[0], _mm_cvtsi32_si128(shift)));
    packed = _mm256_max_epi16(packed, _mm256_set1_epi16(is_rectified ? 0 : INT16_MIN));
    _mm256_storeu_si256((__m256i *)target, packed);
}

#include "Layers.h"

#pragma clang attribute pop
#endif

// MARK: Kernels

int cfaces_has_kernel(cfaces_kernel kernel) {
#if defined(__x86_64__)
    switch (kernel) {
    case CFACES_PLAIN:
    case CFACES_SSE2: return 1;
    case CFACES_AVX2: return __builtin_cpu_supports("avx2") != 0;
    case CFACES_AVX512: return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx2");
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

static kernel_functions functions_of(cfaces_kernel kernel) {
#if defined(__x86_64__)
    switch (kernel) {
    case CFACES_AVX512: return (kernel_functions){avx512_pointwise, avx2_depthwise};
    case CFACES_AVX2: return (kernel_functions){avx2_pointwise, avx2_depthwise};
    case CFACES_SSE2: return (kernel_functions){sse2_pointwise, sse2_depthwise};
    case CFACES_PLAIN: break;
    }
#else
    (void)kernel;
#endif
    return (kernel_functions){plain_pointwise, plain_depthwise};
}

// MARK: The network

/// Values at one size: [rows][columns][channels].
typedef struct {
    int16_t *values;
    int rows, columns, channels;
} map;

// Behind each map: the kernels read whole groups of columns.
enum { SLACK = 8 * CHANNELS };

static size_t map_size(int rows, int columns, int channels) { return (size_t)rows * columns * channels + SLACK; }

/// Memory of one run, in values.
typedef struct {
    /// `rows + 1` rows of `columns + 2` pixels of four values, the first row and the first pixel of each row black.
    int16_t *input;
    /// The rows of one pair between its two convolutions, with a column before and behind; and one of zeros.
    int16_t *between[4];
    /// Two rows before they are pooled, and the inputs of the first convolution for one row.
    int16_t *pooled[2], *taps, *first;
    /// Turns taken by the trunk's maps.
    int16_t *turns[2];
    /// The maps at an eighth, a sixteenth and a thirty-second, and others of those sizes.
    int16_t *levels[3], *merged[3];
    int16_t *outputs[3];
    size_t count;
} memory;

static int16_t *take(int16_t *base, size_t *count, size_t values) {
    int16_t *start = base ? base + *count : NULL;
    // Whole cache lines.
    *count += (values + 31) / 32 * 32;
    return start;
}

/// `base`: nil counts only.
static memory lay_out(int16_t *base, int width, int height) {
    memory m;
    size_t count = 0;
    m.input = take(base, &count, ((size_t)height + 1) * ((size_t)width + 2) * 4);
    // The longest rows: 16 channels at half the size, 64 at a quarter.
    size_t row = map_size(1, width / 2 + 4, CHANNELS / 2);
    for (int k = 0; k < 4; k++) m.between[k] = take(base, &count, row);
    for (int k = 0; k < 2; k++) m.pooled[k] = take(base, &count, row);
    m.taps = take(base, &count, map_size(1, width / 2, FIRST_INPUTS));
    m.first = take(base, &count, row);
    for (int k = 0; k < 2; k++) m.turns[k] = take(base, &count, map_size(height / 4, width / 4, CHANNELS / 2));
    for (int level = 0; level < 3; level++) {
        int rows = height >> (3 + level), columns = width >> (3 + level);
        m.levels[level] = take(base, &count, map_size(rows, columns, CHANNELS));
        m.merged[level] = take(base, &count, map_size(rows, columns, CHANNELS));
        m.outputs[level] = take(base, &count, map_size(rows, columns, CFACES_OUTPUTS));
    }
    m.count = count;
    return m;
}

size_t cfaces_scratch_size(int width, int height) {
    int across = (width + 31) / 32 * 32, down = (height + 31) / 32 * 32;
    return lay_out(NULL, across, down).count * sizeof(int16_t) + 64;
}

static memory memory_in(void *scratch, int width, int height) {
    uintptr_t start = ((uintptr_t)scratch + 63) / 64 * 64;
    return lay_out((int16_t *)start, width, height);
}

int16_t *cfaces_input(void *scratch, int width, int height) { return memory_in(scratch, width, height).input; }

typedef struct {
    const cfaces_convolution *convolutions;
    kernel_functions by;
    memory memory;
} run;

/// The row of the first convolution's result: every second pixel of every second row.
static const int16_t *first_row(const run *r, int row, int columns) {
    // Stored pixels begin at (1, 1): the window of the first one begins at (0, 0).
    int stride = (columns * 2 + 2) * 4;
    const int16_t *window = r->memory.input + row * 2 * stride;
    for (int column = 0; column < columns; column++) {
        int16_t *taps = r->memory.taps + column * FIRST_INPUTS;
        for (int k = 0; k < 3; k++) memcpy(taps + k * 12, window + k * stride + column * 8, 12 * sizeof *taps);
    }
    r->by.pointwise(
        r->memory.taps, columns, FIRST_INPUTS, FIRST_CHANNELS, &r->convolutions[0], 1, r->memory.first);
    return r->memory.first;
}

/// The larger of each two by two values.
static void pool(const int16_t *const rows[2], int columns, int channels, int16_t *target) {
    for (int column = 0; column < columns; column++) {
        for (int channel = 0; channel < channels; channel++) {
            const int16_t *one = rows[0] + column * 2 * channels + channel;
            const int16_t *two = rows[1] + column * 2 * channels + channel;
            int16_t above = one[0] > one[channels] ? one[0] : one[channels];
            int16_t below = two[0] > two[channels] ? two[0] : two[channels];
            target[column * channels + channel] = above > below ? above : below;
        }
    }
}

/// One pair of convolutions. `source.values`: NULL: the rows of the first convolution. `is_rectified`: negative results become
/// 0. `is_pooled`: the result has half of the rows and columns.
static map apply(const run *r, int pair, map source, int is_rectified, int is_pooled, int16_t *target) {
    const cfaces_convolution *pointwise = &r->convolutions[1 + 2 * pair], *depthwise = pointwise + 1;
    int channels = pair_shapes[pair].outputs, columns = source.columns, rows = source.rows;
    int16_t *const *between = r->memory.between;
    size_t padded = (size_t)(columns + 2) * channels;
    for (int k = 0; k < 4; k++) {
        memset(between[k], 0, channels * sizeof **between);
        memset(between[k] + padded - channels, 0, channels * sizeof **between);
    }
    memset(between[3], 0, padded * sizeof **between);
    for (int row = 0; row <= rows; row++) {
        if (row < rows) {
            const int16_t *values =
                source.values ? source.values + (size_t)row * columns * source.channels : first_row(r, row, columns);
            r->by.pointwise(
                values, columns, source.channels, channels, pointwise, 0, between[row % 3] + channels);
        }
        if (row == 0) continue;
        // The result of the row above, whose neighbours are known now.
        int done = row - 1;
        const int16_t *window[3] = {
            between[done > 0 ? (done - 1) % 3 : 3], between[done % 3], between[row < rows ? row % 3 : 3]};
        int16_t *result = is_pooled ? r->memory.pooled[done % 2] : target + (size_t)done * columns * channels;
        r->by.depthwise(window, columns, channels, depthwise, is_rectified, result);
        if (is_pooled && done % 2 == 1) {
            pool((const int16_t *const *)r->memory.pooled, columns / 2, channels,
                target + (size_t)(done / 2) * (columns / 2) * channels);
        }
    }
    return (map){target, rows >> is_pooled, columns >> is_pooled, channels};
}

/// Adds the smaller map, each value of it to two by two others.
static void add_enlarged(map large, map small) {
    for (int row = 0; row < large.rows; row++) {
        int16_t *values = large.values + (size_t)row * large.columns * large.channels;
        const int16_t *more = small.values + (size_t)(row / 2) * small.columns * small.channels;
        for (int column = 0; column < large.columns; column++, values += large.channels) {
            const int16_t *one = more + column / 2 * small.channels;
            for (int channel = 0; channel < large.channels; channel++) {
                int sum = values[channel] + one[channel];
                values[channel] = (int16_t)(sum > INT16_MAX ? INT16_MAX : sum);
            }
        }
    }
}

void cfaces_run(
    const cfaces_convolution *convolutions, int width, int height, void *scratch, cfaces_kernel kernel,
    const int16_t *outputs[3]) {
    int across = (width + 31) / 32 * 32, down = (height + 31) / 32 * 32;
    run r = {convolutions, functions_of(kernel), memory_in(scratch, across, down)};
    memory *m = &r.memory;
    map at = {NULL, down / 2, across / 2, FIRST_CHANNELS};
    at = apply(&r, 0, at, 1, 1, m->turns[0]);
    at = apply(&r, 1, at, 1, 0, m->turns[1]);
    at = apply(&r, 2, at, 1, 0, m->turns[0]);
    at = apply(&r, 3, at, 1, 0, m->turns[1]);
    at = apply(&r, 4, at, 1, 1, m->turns[0]);
    map levels[3];
    for (int level = 0; level < 3; level++) {
        // A level is pooled for the next one, and kept whole for the way back.
        map inner = apply(&r, 5 + 2 * level, at, 1, 0, m->turns[1]);
        levels[level] = apply(&r, 6 + 2 * level, inner, 1, 0, m->levels[level]);
        if (level == 2) break;
        at = (map){m->turns[0], levels[level].rows / 2, levels[level].columns / 2, CHANNELS};
        for (int row = 0; row < at.rows; row++) {
            const int16_t *above = levels[level].values + (size_t)row * 2 * levels[level].columns * CHANNELS;
            const int16_t *const two[2] = {above, above + (size_t)levels[level].columns * CHANNELS};
            pool(two, at.columns, CHANNELS, at.values + (size_t)row * at.columns * CHANNELS);
        }
    }
    for (int level = 2; level >= 0; level--) {
        map merged = apply(&r, 13 - level, levels[level], 1, 0, m->merged[level]);
        if (level > 0) add_enlarged(levels[level - 1], merged);
        apply(&r, 14 + level, merged, 0, 0, m->outputs[level]);
        outputs[level] = m->outputs[level];
    }
}
