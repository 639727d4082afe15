#include "CHEIF.h"

#include <libheif/heif.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "Decoders.h"
#include "Reader.h"

int cheif_prepare(void) {
    // Of damaged pictures the decoders leave parts as they allocated them: what another photo left behind there must not be
    // seen, and equal photos give equal avatars. Memory is cleared when it is allocated, but for small parts.
    if (!mallopt(M_PERTURB, 0xFF)) return 0;
    if (heif_init(NULL).code != heif_error_Ok) return 0;
    return decoders_are_quiet();
}

int cheif_decodes(int avif) {
    return heif_have_decoder_for_format(avif ? heif_compression_AV1 : heif_compression_HEVC);
}

static cheif_status outcome(struct heif_error error, cheif_result *result) {
    if (error.code == heif_error_Ok) return CHEIF_OK;
    strncpy(result->message, error.message ? error.message : "", sizeof result->message - 1);
    if (error.code == heif_error_Memory_allocation_error) {
        return error.subcode == heif_suberror_Security_limit_exceeded ? CHEIF_CORRUPT : CHEIF_OUT_OF_MEMORY;
    }
    if (error.code == heif_error_Unsupported_feature || error.code == heif_error_Unsupported_filetype) {
        return CHEIF_UNSUPPORTED;
    }
    return error.subcode == heif_suberror_End_of_data ? CHEIF_TRUNCATED : CHEIF_CORRUPT;
}

static cheif_status refuse(const char *message, cheif_result *result) {
    strncpy(result->message, message, sizeof result->message - 1);
    return CHEIF_CORRUPT;
}

/// One row of averages of blocks of `scale` x `rows` pixels. `last`: pixels of each row from `source` on.
static void average(
    const uint8_t *source, size_t stride, uint32_t rows, uint32_t scale, uint32_t last, uint32_t count, uint8_t *target) {
    for (uint32_t column = 0; column < count; column++) {
        const uint32_t start = column * scale, width = last - start < scale ? last - start : scale;
        uint32_t sums[4] = {0};
        for (uint32_t row = 0; row < rows; row++) {
            const uint8_t *pixel = source + row * stride + (size_t)start * 4;
            for (uint32_t i = 0; i < width; i++, pixel += 4) {
                for (int c = 0; c < 4; c++) sums[c] += pixel[c];
            }
        }
        const uint32_t all = width * rows;
        for (int c = 0; c < 4; c++) target[column * 4 + (uint32_t)c] = (uint8_t)((sums[c] + all / 2) / all);
    }
}

/// Whether the wanted part is inside of the picture.
static int fits(const cheif_file *file, const cheif_region *region) {
    const uint64_t scale = region->scale, x = region->x, y = region->y;
    return scale >= 1 && scale <= 8 && region->width > 0 && region->height > 0
           && (uint64_t)region->shown_x + region->shown_width <= file->coded_width
           && (uint64_t)region->shown_y + region->shown_height <= file->coded_height
           && (x + region->width - 1) * scale < region->shown_width
           && (y + region->height - 1) * scale < region->shown_height;
}

/// Up to the next multiple. Sizes are below 1 << 20.
static uint32_t padded(uint32_t size, uint32_t unit) { return (size + unit - 1) / unit * unit; }

/// Whether the decoded picture has the stated size, or that of its whole coding tree units: Sony's cameras code thumbnails
/// without a conformance window, so that the picture is the upper left part of what the decoder returns.
static int is_as_stated(const cheif_file *file, const struct heif_image *image, enum heif_channel channel) {
    const int width = heif_image_get_width(image, channel), height = heif_image_get_height(image, channel);
    for (uint32_t unit = 1; unit <= 64; unit *= 2) {
        if ((int)padded(file->coded_width, unit) == width && (int)padded(file->coded_height, unit) == height) return 1;
    }
    return 0;
}

/// Copies the wanted part of a decoded picture.
static cheif_status copy(
    const cheif_file *file, const cheif_region *region, const struct heif_image *image, cheif_result *result) {
    if (!is_as_stated(file, image, heif_channel_interleaved)) {
        return refuse("a picture that is not as large as its header states", result);
    }
    int stride = 0;
    const uint8_t *pixels = heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride);
    if (!pixels || stride < (int)file->coded_width * 4) return refuse("a picture without pixels", result);
    if (!fits(file, region)) return refuse("a part beyond the picture", result);
    const uint32_t scale = region->scale, first = region->x * scale;
    for (uint32_t row = 0; row < region->height; row++) {
        const uint32_t y = (region->y + row) * scale;
        const uint32_t rows = region->shown_height - y < scale ? region->shown_height - y : scale;
        const uint8_t *source =
            pixels + (size_t)(region->shown_y + y) * (size_t)stride + (size_t)(region->shown_x + first) * 4;
        uint8_t *target = region->target + (size_t)row * region->width * 4;
        if (scale == 1) {
            memcpy(target, source, (size_t)region->width * 4);
        } else {
            average(source, (size_t)stride, rows, scale, region->shown_width - first, region->width, target);
        }
    }
    return CHEIF_OK;
}

/// Values of one channel.
typedef struct {
    const uint8_t *bytes;
    size_t stride;
    uint32_t width, height;
    /// Of a value; above 8 it has two bytes.
    int bits;
    /// Its lowest and highest.
    int black, white;
} plane;

/// The channel of a picture that is gray, or whose colours do not matter.
static cheif_status gray_plane(
    const cheif_file *file, const struct heif_image *image, plane *found, cheif_result *result) {
    // libheif gives a picture of tiles as three equal channels.
    const enum heif_channel channel =
        heif_image_has_channel(image, heif_channel_Y) ? heif_channel_Y : heif_channel_G;
    if (!heif_image_has_channel(image, channel)) return refuse("a picture without pixels", result);
    if (!is_as_stated(file, image, channel)) return refuse("a picture that is not as large as its header states", result);
    const int bits = heif_image_get_bits_per_pixel_range(image, channel);
    if (bits < 8 || bits > 16) return refuse("values of an unknown length", result);
    int stride = 0;
    const uint8_t *bytes = heif_image_get_plane_readonly(image, channel, &stride);
    if (!bytes || stride < (int)file->coded_width * (bits > 8 ? 2 : 1)) {
        return refuse("a picture without pixels", result);
    }
    const int isFull = file->is_full_range;
    *found = (plane){
        .bytes = bytes, .stride = (size_t)stride, .width = file->coded_width, .height = file->coded_height, .bits = bits,
        .black = isFull ? 0 : 16 << (bits - 8), .white = isFull ? (1 << bits) - 1 : 235 << (bits - 8)};
    return CHEIF_OK;
}

/// 0...255.
static inline uint32_t value(const plane *source, uint32_t x, uint32_t y) {
    const uint8_t *row = source->bytes + (size_t)y * source->stride;
    int value = row[x];
    if (source->bits > 8) {
        uint16_t wide;
        memcpy(&wide, row + (size_t)x * 2, 2);
        value = wide;
    }
    const int range = source->white - source->black;
    if (range == 255) return (uint32_t)value;
    value = value < source->black ? 0 : value > source->white ? range : value - source->black;
    return (uint32_t)((value * 255 + range / 2) / range);
}

/// The average of the pixels of one scaled pixel, which begins at `x`, `y` of the shown part.
static uint8_t gray_average(const plane *source, const cheif_region *region, uint32_t x, uint32_t y) {
    const uint32_t scale = region->scale;
    const uint32_t columns = region->shown_width - x < scale ? region->shown_width - x : scale;
    const uint32_t rows = region->shown_height - y < scale ? region->shown_height - y : scale;
    uint32_t sum = 0;
    for (uint32_t row = 0; row < rows; row++) {
        for (uint32_t column = 0; column < columns; column++) {
            sum += value(source, region->shown_x + x + column, region->shown_y + y + row);
        }
    }
    return (uint8_t)((sum + columns * rows / 2) / (columns * rows));
}

static cheif_status copy_gray(
    const cheif_file *file, const cheif_region *region, const struct heif_image *image, cheif_result *result) {
    plane source;
    cheif_status status = gray_plane(file, image, &source, result);
    if (status != CHEIF_OK) return status;
    if (!fits(file, region)) return refuse("a part beyond the picture", result);
    uint8_t *target = region->target;
    for (uint32_t row = 0; row < region->height; row++) {
        for (uint32_t column = 0; column < region->width; column++, target += 4) {
            const uint8_t gray = gray_average(
                &source, region, (region->x + column) * region->scale, (region->y + row) * region->scale);
            target[0] = target[1] = target[2] = gray;
            target[3] = 255;
        }
    }
    return CHEIF_OK;
}

/// Between two pixels of a transparency, in 1/256.
typedef struct {
    uint32_t first, second, weight;
} taps;

/// Those at pixel `index` of `count`, of a cover of `size`. Both have the same ends, so that centres are at (i + 1/2) / count.
static taps taps_at(uint32_t index, uint32_t count, uint32_t size, int flips) {
    const double place = ((double)index + 0.5) * size / count - 0.5;
    const double low = place < 0 ? 0 : place;
    taps found = {.first = (uint32_t)low};
    if (found.first > size - 1) found.first = size - 1;
    found.second = found.first + 1 < size ? found.first + 1 : found.first;
    found.weight = (uint32_t)((low - found.first) * 256 + 0.5);
    if (flips) {
        found.first = size - 1 - found.first;
        found.second = size - 1 - found.second;
    }
    return found;
}

static uint8_t alpha_at(const plane *source, const cheif_cover *cover, taps across, taps down) {
    const uint32_t x0 = cover->x + across.first, y0 = cover->y + down.first;
    const uint32_t corner = value(source, x0, y0);
    if (across.weight == 0 && down.weight == 0) return (uint8_t)corner;
    const uint32_t x1 = cover->x + across.second, y1 = cover->y + down.second;
    const uint32_t upper = corner * (256 - across.weight) + value(source, x1, y0) * across.weight;
    const uint32_t lower = value(source, x0, y1) * (256 - across.weight) + value(source, x1, y1) * across.weight;
    return (uint8_t)((upper * (256 - down.weight) + lower * down.weight + 32768) >> 16);
}

static cheif_status cover_with(
    const cheif_file *file, const cheif_region *region, const cheif_cover *cover, const struct heif_image *image,
    cheif_result *result) {
    plane source;
    cheif_status status = gray_plane(file, image, &source, result);
    if (status != CHEIF_OK) return status;
    if (region->scale != 1 || cover->width == 0 || cover->height == 0
        || (uint64_t)cover->x + cover->width > source.width || (uint64_t)cover->y + cover->height > source.height) {
        return refuse("a part beyond the transparency", result);
    }
    const int turned = cover->transposes;
    taps *columns = malloc(region->width * sizeof *columns);
    if (!columns) return CHEIF_OUT_OF_MEMORY;
    for (uint32_t column = 0; column < region->width; column++) {
        columns[column] = turned ? taps_at(region->x + column, region->shown_width, cover->height, cover->flips_y)
                                 : taps_at(region->x + column, region->shown_width, cover->width, cover->flips_x);
    }
    uint8_t *target = region->target;
    for (uint32_t row = 0; row < region->height; row++) {
        const taps line = turned ? taps_at(region->y + row, region->shown_height, cover->width, cover->flips_x)
                                 : taps_at(region->y + row, region->shown_height, cover->height, cover->flips_y);
        for (uint32_t column = 0; column < region->width; column++, target += 4) {
            target[3] = turned ? alpha_at(&source, cover, line, columns[column])
                               : alpha_at(&source, cover, columns[column], line);
        }
    }
    free(columns);
    return CHEIF_OK;
}

static cheif_status decode(
    const cheif_file *file, const struct heif_image_handle *handle, int is_gray, struct heif_image **image,
    cheif_result *result) {
    if (heif_image_handle_get_ispe_width(handle) != (int)file->coded_width
        || heif_image_handle_get_ispe_height(handle) != (int)file->coded_height) {
        return refuse("a picture that is not as large as its header states", result);
    }
    struct heif_decoding_options *options = heif_decoding_options_alloc();
    if (!options) return CHEIF_OUT_OF_MEMORY;
    // Those of tiles alone are in the file; the renderer turns the small picture instead.
    options->ignore_transformations = 0;
    options->convert_hdr_to_8bit = !is_gray;
    options->strict_decoding = 1;
    // What is gray stays as it was coded: libheif 1.15.1 neither stretches its range nor makes alpha of other chroma.
    const cheif_status status = outcome(
        heif_decode_image(
            handle, image, is_gray ? heif_colorspace_undefined : heif_colorspace_RGB,
            is_gray ? heif_chroma_undefined : heif_chroma_interleaved_RGBA, options),
        result);
    heif_decoding_options_free(options);
    if (status != CHEIF_OK) return status;
    struct heif_error warnings[16];
    result->warnings = heif_image_get_decoding_warnings(*image, 0, warnings, 16);
    return CHEIF_OK;
}

/// `reader` must live as long as the context.
static cheif_status open_picture(
    const cheif_file *file, file_reader *reader, struct heif_context *context, struct heif_image_handle **handle,
    cheif_result *result) {
    heif_context_set_max_decoding_threads(context, 0);
    // libheif 1.15.1 refuses the limit itself, too.
    heif_context_set_maximum_image_size_limit(context, (int)file->longest_side + 1);
    const cheif_status status =
        outcome(heif_context_read_from_reader(context, &file_reader_calls, reader, NULL), result);
    return status == CHEIF_OK ? outcome(heif_context_get_primary_image_handle(context, handle), result) : status;
}

/// `cover`: the picture is a transparency; NULL: it is colours.
static cheif_status draw(
    const cheif_file *file, const cheif_region *region, const cheif_cover *cover, cheif_result *result) {
    *result = (cheif_result){0};
    struct heif_context *context = heif_context_alloc();
    if (!context) return CHEIF_OUT_OF_MEMORY;
    file_reader reader = file_reader_of(file);
    struct heif_image_handle *handle = NULL;
    struct heif_image *image = NULL;
    cheif_status status = open_picture(file, &reader, context, &handle, result);
    if (status == CHEIF_OK) status = decode(file, handle, cover || file->is_gray, &image, result);
    if (status == CHEIF_OK) {
        status = cover           ? cover_with(file, region, cover, image, result)
                 : file->is_gray ? copy_gray(file, region, image, result)
                                 : copy(file, region, image, result);
    }
    if (image) heif_image_release(image);
    if (handle) heif_image_handle_release(handle);
    heif_context_free(context);
    return status;
}

cheif_status cheif_colors(const cheif_file *file, const cheif_region *region, cheif_result *result) {
    return draw(file, region, NULL, result);
}

cheif_status cheif_alpha(
    const cheif_file *file, const cheif_region *region, const cheif_cover *cover, cheif_result *result) {
    return draw(file, region, cover, result);
}
