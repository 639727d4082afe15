#include "Kernels.h"

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
    run r = {convolutions, cfaces_functions_of(kernel), memory_in(scratch, across, down)};
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
