#include "GivenSamples.h"

#include <stdlib.h>

#include <CKernels.h>

#define MOST_COMPONENTS 3

/// The wanted columns of one component, and room for the samples of a row of blocks.
typedef struct {
    /// Of the uppermost row.
    ckernels_blocks blocks;
    /// Coefficients from a row of blocks to the next one.
    size_t down;
    uint8_t *samples;
    size_t stride;
    /// Samples before the first wanted one.
    size_t before;
} component_columns;

static int is_known(const jpeg_component_info *info, const cjpeg_coefficients *given) {
    // As libjpeg rounds them for its own arrays.
    uint32_t h = (uint32_t)info->h_samp_factor, v = (uint32_t)info->v_samp_factor;
    uint32_t columns = (info->width_in_blocks + h - 1) / h * h, rows = (info->height_in_blocks + v - 1) / v * v;
    int size = info->DCT_scaled_size;
    if (given->columns != columns || given->rows != rows) return 0;
    return (size == 1 || size == 2 || size == 4) && ((int)given->side == size || (size < 4 && given->side == DCTSIZE));
}

/// Whether every component has one sample a pixel, and everything is known.
static int is_plain(j_decompress_ptr info, const cjpeg_request *r) {
    const int count = info->num_components;
    const int is_gray = count == 1 && info->jpeg_color_space == JCS_GRAYSCALE;
    if (!is_gray && (count != MOST_COMPONENTS || info->jpeg_color_space != JCS_YCbCr)) return 0;
    if (r->coefficients_count != (size_t)count || info->comps_in_scan != count || info->data_precision != 8) return 0;
    for (int i = 0; i < count; i++) {
        const jpeg_component_info *own = &info->comp_info[i];
        if (own->h_samp_factor * own->DCT_scaled_size != info->max_h_samp_factor * info->min_DCT_scaled_size
            || own->v_samp_factor * own->DCT_scaled_size != info->max_v_samp_factor * info->min_DCT_scaled_size
            || !is_known(own, &r->coefficients[i]) || own->quant_tbl_no < 0 || own->quant_tbl_no >= NUM_QUANT_TBLS
            || info->quant_tbl_ptrs[own->quant_tbl_no] == NULL)
            return 0;
    }
    return 1;
}

/// Makes row `y` of the picture. Zero: a coefficient out of range.
static int make_row(component_columns *all, const cjpeg_request *r, int count, uint32_t y, uint8_t *pixels) {
    const uint8_t *samples[MOST_COMPONENTS] = {NULL, NULL, NULL};
    for (int i = 0; i < count; i++) {
        component_columns *own = &all[i];
        ckernels_blocks blocks = own->blocks;
        blocks.values += y / blocks.size * own->down;
        if ((y % blocks.size == 0 || y == r->y) && !ckernels_samples(&blocks, own->samples, own->stride)) return 0;
        samples[i] = own->samples + y % blocks.size * own->stride + own->before;
    }
    ckernels_rgba_row(samples[0], samples[1], samples[2], pixels, r->width);
    return 1;
}

static component_columns columns_of(
    j_decompress_ptr info, const cjpeg_request *r, int component, uint8_t *room, size_t stride) {
    const jpeg_component_info *own = &info->comp_info[component];
    const cjpeg_coefficients *given = &r->coefficients[component];
    const size_t size = (size_t)own->DCT_scaled_size, block = given->side * given->side;
    const size_t first = r->x / size, end = ((size_t)r->x + r->width + size - 1) / size;
    return (component_columns){
        .blocks = {.values = given->values + first * block, .count = end - first, .side = given->side,
            .quantizers = info->quant_tbl_ptrs[own->quant_tbl_no]->quantval, .size = size},
        .down = given->columns * block, .samples = room + (size_t)component * DCTSIZE * stride, .stride = stride,
        .before = r->x - first * size};
}

int cjpeg_samples_read(j_decompress_ptr info, const cjpeg_request *r, cjpeg_result *result) {
    if (!is_plain(info, r)) return 0;
    const int count = info->num_components;
    // The blocks at both ends may stand out.
    const size_t stride = (size_t)r->width + 2 * DCTSIZE, row = (size_t)r->width * 4;
    uint8_t *room = malloc(stride * DCTSIZE * (size_t)count), *pixels = malloc(row * r->height);
    int is_made = room != NULL && pixels != NULL;
    component_columns all[MOST_COMPONENTS];
    for (int i = 0; i < count; i++) all[i] = columns_of(info, r, i, room, stride);
    for (uint32_t y = 0; y < r->height && is_made; y++)
        is_made = make_row(all, r, count, r->y + y, pixels + y * row);
    free(room);
    // libjpeg allocates what is missing, or says so.
    if (!is_made) {
        free(pixels);
        return 0;
    }
    result->pixels = pixels;
    result->layout = CJPEG_RGBA;
    return 1;
}
