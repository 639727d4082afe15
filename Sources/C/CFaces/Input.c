#include "CFaces.h"

#include <stdlib.h>
#include <string.h>

// The weights of all source pixels under one target pixel are this together.
enum { WHOLE = 256 };

/// How the pixels of a line become those of a shorter or longer one: each target pixel is the mean of the sources that it covers.
typedef struct {
    int sources, targets;
    /// The first source of each target. Its last one is also the first of the next, or just before it.
    int *first;
    /// Where its weights begin; one more than there are targets.
    int *start;
    uint16_t *weights;
} reduction;

// A source that two targets share has two weights.
static size_t reduction_size(int sources, int targets) {
    return (2 * (size_t)targets + 1) * sizeof(int) + ((size_t)sources + 2 * targets) * sizeof(uint16_t);
}

/// In memory of `reduction_size`.
static reduction reduce(int sources, int targets, void *memory) {
    reduction r = {sources, targets, memory, (int *)memory + targets, NULL};
    r.weights = (uint16_t *)(r.start + targets + 1);
    int count = 0;
    for (int target = 0; target < targets; target++) {
        // In units of 1 / targets of a source pixel, a target begins at `begin` and is `sources` long.
        int64_t begin = (int64_t)target * sources;
        int source = (int)(begin / targets);
        r.first[target] = source;
        r.start[target] = count;
        int before = 0;
        for (int64_t end = 0; end < sources; source++) {
            end = ((int64_t)source + 1) * targets - begin;
            if (end > sources) end = sources;
            // Differences of rounded sums: together they are exactly `WHOLE`.
            int sum = (int)((end * WHOLE + sources / 2) / sources);
            r.weights[count++] = (uint16_t)(sum - before);
            before = sum;
        }
    }
    r.start[targets] = count;
    return r;
}

static uint8_t over_gray(int product, int alpha) { return (uint8_t)((product + 128 * (255 - alpha) + 127) / 255); }

/// A row as red, green, blue, and a byte that is ignored. `target`: where it may be converted to.
static const uint8_t *visible_row(const cfaces_picture *picture, int row, uint8_t *target) {
    const uint8_t *pixel = picture->pixels + (size_t)row * picture->stride * 4;
    if (picture->layout == CFACES_OPAQUE) return pixel;
    uint8_t *visible = target;
    for (int column = 0; column < picture->width; column++, pixel += 4, visible += 4) {
        int last = pixel[3];
        for (int k = 0; k < 3; k++) {
            int value = pixel[k];
            visible[k] = picture->layout == CFACES_STRAIGHT ? over_gray(value * last, last)
                : picture->layout == CFACES_PREMULTIPLIED   ? over_gray((value < last ? value : last) * 255, last)
                                                            : (uint8_t)(((255 - value) * (255 - last) + 127) / 255);
        }
    }
    return target;
}

// A function that the loader calls selects the clone: too early for ThreadSanitizer, which would crash.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ONE_CLONE_ONLY
#endif
#endif

#if defined(__x86_64__) && defined(__linux__) && !defined(ONE_CLONE_ONLY)
#define FOR_SEVERAL_PROCESSORS __attribute__((target_clones("avx2", "default")))
#else
#define FOR_SEVERAL_PROCESSORS
#endif

/// Adds a row of bytes times its weight. Sums stay below 256 times 256, since weights are `WHOLE` together.
FOR_SEVERAL_PROCESSORS
static void add_row(uint16_t *sums, const uint8_t *row, uint16_t weight, size_t count) {
    for (size_t value = 0; value < count; value++) sums[value] = (uint16_t)(sums[value] + row[value] * weight);
}

typedef uint32_t color __attribute__((vector_size(16)));
typedef uint16_t short_color __attribute__((vector_size(8)));

/// Where pixels of the reduced, stored picture are in the input.
typedef struct {
    int16_t *input;
    /// Values from one pixel to the next along a stored row, and along a stored column.
    ptrdiff_t along, down;
} placement;

/// `sums`: of the rows, in 1/256 of a value.
// Without SSE4 a product of four numbers takes six instructions.
FOR_SEVERAL_PROCESSORS
static void fill_row(const placement *p, int row, const reduction *columns, const uint16_t *sums) {
    int16_t *pixel = p->input + row * p->down;
    for (int column = 0; column < columns->targets; column++, pixel += p->along) {
        const uint16_t *source = sums + columns->first[column] * 4;
        color mean = {WHOLE * WHOLE / 2, WHOLE * WHOLE / 2, WHOLE * WHOLE / 2, 0};
        for (int k = columns->start[column]; k < columns->start[column + 1]; k++, source += 4) {
            short_color sum;
            memcpy(&sum, source, sizeof sum);
            mean += __builtin_convertvector(sum, color) * columns->weights[k];
        }
        mean /= WHOLE * WHOLE;
        // The network was taught with blue first, and has a zero behind.
        mean = __builtin_shufflevector(mean, (color){0}, 2, 1, 0, 4);
        short_color value = __builtin_convertvector(mean, short_color);
        memcpy(pixel, &value, sizeof value);
    }
}

static placement place(const cfaces_picture *picture, int width, int height, int16_t *input, int stride) {
    ptrdiff_t right = 4, below = (ptrdiff_t)stride * 4;
    int columns = picture->transposes ? height : width, rows = picture->transposes ? width : height;
    placement p = {input + right + below, picture->transposes ? below : right, picture->transposes ? right : below};
    // Stored lines that run against the upright direction begin at their other end.
    if (picture->flips_x) {
        p.input += (columns - 1) * p.along;
        p.along = -p.along;
    }
    if (picture->flips_y) {
        p.input += (rows - 1) * p.down;
        p.down = -p.down;
    }
    return p;
}

/// Makes black what no pixel is written to: above, before, behind and below. `stride`, `rows`: the size of the input.
static void clear_around(int16_t *input, int width, int height, int stride, int rows) {
    size_t row_size = (size_t)stride * 4 * sizeof *input;
    memset(input, 0, row_size);
    for (int row = 1; row <= height; row++) {
        int16_t *pixels = input + (size_t)row * stride * 4;
        memset(pixels, 0, 4 * sizeof *pixels);
        memset(pixels + (width + 1) * 4, 0, (size_t)(stride - width - 1) * 4 * sizeof *pixels);
    }
    memset(input + (size_t)(height + 1) * stride * 4, 0, (size_t)(rows - height - 1) * row_size);
}

int cfaces_fill(const cfaces_picture *picture, int width, int height, void *scratch) {
    int across = (width + 31) / 32 * 32, below = (height + 31) / 32 * 32;
    int16_t *input = cfaces_input(scratch, across, below);
    clear_around(input, width, height, across + 2, below + 1);
    placement p = place(picture, width, height, input, across + 2);
    int targets = picture->transposes ? height : width, target_rows = picture->transposes ? width : height;
    size_t values = (size_t)picture->width * 4;
    size_t size = reduction_size(picture->width, targets), row_size = reduction_size(picture->height, target_rows);
    // Whole numbers of 32 bits first.
    size = (size + 7) / 8 * 8;
    row_size = (row_size + 7) / 8 * 8;
    uint8_t *memory = malloc(size + row_size + values * (sizeof(uint16_t) + 1));
    if (!memory) return 0;
    reduction columns = reduce(picture->width, targets, memory);
    reduction rows = reduce(picture->height, target_rows, memory + size);
    uint16_t *sums = (uint16_t *)(memory + size + row_size);
    uint8_t *visible = (uint8_t *)(sums + values);
    for (int row = 0; row < target_rows; row++) {
        memset(sums, 0, values * sizeof *sums);
        for (int k = rows.start[row], source = rows.first[row]; k < rows.start[row + 1]; k++, source++) {
            const uint8_t *pixels = visible_row(picture, source, visible);
            add_row(sums, pixels, rows.weights[k], values);
        }
        fill_row(&p, row, &columns, sums);
    }
    free(memory);
    return 1;
}
