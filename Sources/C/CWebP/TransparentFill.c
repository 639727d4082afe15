#include "TransparentFill.h"

#include <stdlib.h>

// Steps to a neighbour in tenths of a pixel. Steps of a knight's move are left out: the colour is as good without them.
enum { straight_step = 10, diagonal_step = 14 };

/// More than any distance in a picture of 16,383 pixels a side, so that a sum never overflows.
static const uint32_t unknown = UINT32_MAX / 2;

/// The distances of all pixels, with a frame of unknown ones around them, so that each pixel has eight neighbours.
typedef struct {
    uint32_t *values;
    ptrdiff_t stride;
} distance_map;

/// What a sweep has found so far for one pixel.
typedef struct {
    uint32_t distance;
    ptrdiff_t source;
} nearest;

static inline nearest nearer(nearest best, const uint32_t *distance, ptrdiff_t step, uint32_t length, ptrdiff_t source) {
    const uint32_t sum = distance[step] + length;
    return sum < best.distance ? (nearest){sum, source} : best;
}

/// Asks the four neighbours that a sweep in this direction has visited. `direction`: 1 from the top left, -1 from the
/// bottom right.
static inline void visit(uint32_t *pixel, ptrdiff_t row, uint32_t *distance, ptrdiff_t map_row, int direction) {
    nearest best = {*distance, 0};
    best = nearer(best, distance, -direction, straight_step, -direction);
    best = nearer(best, distance, -direction * map_row, straight_step, -direction * row);
    best = nearer(best, distance, -direction * (map_row + 1), diagonal_step, -direction * (row + 1));
    best = nearer(best, distance, -direction * (map_row - 1), diagonal_step, -direction * (row - 1));
    if (best.source == 0) return;
    *distance = best.distance;
    *pixel = pixel[best.source] & 0x00FFFFFF;
}

/// Marks what is seen, and takes colours from the left and from above. Returns the number of transparent pixels.
static size_t sweep_down(WebPPicture *picture, distance_map map) {
    size_t transparent = 0;
    for (int y = 0; y < picture->height; y++) {
        uint32_t *pixels = picture->argb + (ptrdiff_t)y * picture->argb_stride;
        uint32_t *distances = map.values + (y + 1) * map.stride + 1;
        for (int x = 0; x < picture->width; x++) {
            if (pixels[x] >> 24 != 0) {
                distances[x] = 0;
                continue;
            }
            transparent++;
            visit(pixels + x, picture->argb_stride, distances + x, map.stride, 1);
        }
    }
    return transparent;
}

/// Takes colours from the right and from below where they are nearer.
static void sweep_up(WebPPicture *picture, distance_map map) {
    for (int y = picture->height - 1; y >= 0; y--) {
        uint32_t *pixels = picture->argb + (ptrdiff_t)y * picture->argb_stride;
        uint32_t *distances = map.values + (y + 1) * map.stride + 1;
        for (int x = picture->width - 1; x >= 0; x--)
            if (distances[x] != 0) visit(pixels + x, picture->argb_stride, distances + x, map.stride, -1);
    }
}

int cwebp_fill_transparent(WebPPicture *picture) {
    const size_t stride = (size_t)picture->width + 2, count = stride * ((size_t)picture->height + 2);
    distance_map map = {malloc(count * sizeof *map.values), (ptrdiff_t)stride};
    if (map.values == NULL) return 0;
    for (size_t i = 0; i < count; i++) map.values[i] = unknown;
    if (sweep_down(picture, map) > 0) sweep_up(picture, map);
    free(map.values);
    return 1;
}
