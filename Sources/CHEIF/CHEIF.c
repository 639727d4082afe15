#include "CHEIF.h"

#include <libheif/heif.h>
#include <malloc.h>
#include <string.h>

#include "Decoders.h"

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
static int fits(const cheif_request *request) {
    const uint64_t scale = request->scale, x = request->x, y = request->y;
    return scale >= 1 && scale <= 8 && request->width > 0 && request->height > 0
           && (uint64_t)request->shown_x + request->shown_width <= request->coded_width
           && (uint64_t)request->shown_y + request->shown_height <= request->coded_height
           && (x + request->width - 1) * scale < request->shown_width
           && (y + request->height - 1) * scale < request->shown_height;
}

/// Up to the next multiple. Sizes are below 1 << 20.
static uint32_t padded(uint32_t size, uint32_t unit) { return (size + unit - 1) / unit * unit; }

/// Whether the decoded picture has the stated size, or that of its whole coding tree units: Sony's cameras code thumbnails
/// without a conformance window, so that the picture is the upper left part of what the decoder returns.
static int is_as_stated(const cheif_request *request, int width, int height) {
    for (uint32_t unit = 1; unit <= 64; unit *= 2) {
        if ((int)padded(request->coded_width, unit) == width && (int)padded(request->coded_height, unit) == height) {
            return 1;
        }
    }
    return 0;
}

/// Copies the wanted part of a decoded picture.
static cheif_status copy(const cheif_request *request, const struct heif_image *image, cheif_result *result) {
    if (!is_as_stated(
            request, heif_image_get_width(image, heif_channel_interleaved),
            heif_image_get_height(image, heif_channel_interleaved))) {
        return refuse("a picture that is not as large as its header states", result);
    }
    int stride = 0;
    const uint8_t *pixels = heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride);
    if (!pixels || stride < (int)request->coded_width * 4) return refuse("a picture without pixels", result);
    if (!fits(request)) return refuse("a part beyond the picture", result);
    const uint32_t scale = request->scale, first = request->x * scale;
    for (uint32_t row = 0; row < request->height; row++) {
        const uint32_t y = (request->y + row) * scale;
        const uint32_t rows = request->shown_height - y < scale ? request->shown_height - y : scale;
        const uint8_t *source =
            pixels + (size_t)(request->shown_y + y) * (size_t)stride + (size_t)(request->shown_x + first) * 4;
        uint8_t *target = request->target + (size_t)row * request->width * 4;
        if (scale == 1) {
            memcpy(target, source, (size_t)request->width * 4);
        } else {
            average(source, (size_t)stride, rows, scale, request->shown_width - first, request->width, target);
        }
    }
    struct heif_error warnings[16];
    result->warnings = heif_image_get_decoding_warnings((struct heif_image *)(uintptr_t)image, 0, warnings, 16);
    return CHEIF_OK;
}

static cheif_status decode(const cheif_request *request, const struct heif_image_handle *handle, cheif_result *result) {
    if (heif_image_handle_get_ispe_width(handle) != (int)request->coded_width
        || heif_image_handle_get_ispe_height(handle) != (int)request->coded_height) {
        return refuse("a picture that is not as large as its header states", result);
    }
    result->has_alpha = heif_image_handle_has_alpha_channel(handle);
    result->is_premultiplied = heif_image_handle_is_premultiplied_alpha(handle);
    struct heif_decoding_options *options = heif_decoding_options_alloc();
    if (!options) return CHEIF_OUT_OF_MEMORY;
    // The renderer turns the small picture instead.
    options->ignore_transformations = 1;
    options->convert_hdr_to_8bit = 1;
    options->strict_decoding = 1;
    struct heif_image *image = NULL;
    cheif_status status = outcome(
        heif_decode_image(handle, &image, heif_colorspace_RGB, heif_chroma_interleaved_RGBA, options), result);
    heif_decoding_options_free(options);
    if (status == CHEIF_OK) status = copy(request, image, result);
    if (image) heif_image_release(image);
    return status;
}

static cheif_status open_picture(
    const cheif_request *request, struct heif_context *context, struct heif_image_handle **handle,
    cheif_result *result) {
    heif_context_set_max_decoding_threads(context, 0);
    // libheif 1.15.1 refuses the limit itself, too.
    heif_context_set_maximum_image_size_limit(context, (int)request->longest_side + 1);
    cheif_status status =
        outcome(heif_context_read_from_memory_without_copy(context, request->bytes, request->count, NULL), result);
    if (status == CHEIF_OK) status = outcome(heif_context_get_primary_image_handle(context, handle), result);
    if (status != CHEIF_OK) return status;
    heif_item_id primary = 0;
    status = outcome(heif_context_get_primary_image_ID(context, &primary), result);
    if (status == CHEIF_OK && primary != request->item) status = refuse("another primary picture", result);
    if (status != CHEIF_OK) return status;
    if (!request->thumbnail) return CHEIF_OK;
    struct heif_image_handle *small = NULL;
    status = outcome(heif_image_handle_get_thumbnail(*handle, request->thumbnail, &small), result);
    heif_image_handle_release(*handle);
    *handle = small;
    return status;
}

cheif_status cheif_decode(const cheif_request *request, cheif_result *result) {
    *result = (cheif_result){0};
    struct heif_context *context = heif_context_alloc();
    if (!context) return CHEIF_OUT_OF_MEMORY;
    struct heif_image_handle *handle = NULL;
    cheif_status status = open_picture(request, context, &handle, result);
    if (status == CHEIF_OK) status = decode(request, handle, result);
    if (handle) heif_image_handle_release(handle);
    heif_context_free(context);
    return status;
}
