#include "CWebP.h"

#include <webp/decode.h>

static cwebp_status outcome(VP8StatusCode status) {
    switch (status) {
    case VP8_STATUS_OK: return CWEBP_OK;
    case VP8_STATUS_OUT_OF_MEMORY: return CWEBP_OUT_OF_MEMORY;
    case VP8_STATUS_NOT_ENOUGH_DATA: return CWEBP_TRUNCATED;
    default: return CWEBP_CORRUPT;
    }
}

cwebp_status cwebp_decode(const cwebp_request *request) {
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config)) return CWEBP_CORRUPT;
    const VP8StatusCode status = WebPGetFeatures(request->bytes, request->count, &config.input);
    if (status != VP8_STATUS_OK) return outcome(status);
    // libwebp allocates by what the frame says of itself; the limits were checked by what the file says of it.
    if (config.input.width != (int)request->frame_width || config.input.height != (int)request->frame_height
        || config.input.has_animation) {
        return CWEBP_CORRUPT;
    }
    config.options.use_cropping = 1;
    config.options.crop_left = (int)request->x;
    config.options.crop_top = (int)request->y;
    config.options.crop_width = (int)request->width;
    config.options.crop_height = (int)request->height;
    if (request->scaled_width != request->width || request->scaled_height != request->height) {
        config.options.use_scaling = 1;
        config.options.scaled_width = (int)request->scaled_width;
        config.options.scaled_height = (int)request->scaled_height;
    }
    config.output.colorspace = MODE_RGBA;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = request->target;
    config.output.u.RGBA.stride = (int)request->scaled_width * 4;
    config.output.u.RGBA.size = (size_t)request->scaled_width * request->scaled_height * 4;
    const VP8StatusCode decoded = WebPDecode(request->bytes, request->count, &config);
    WebPFreeDecBuffer(&config.output);
    return outcome(decoded);
}
