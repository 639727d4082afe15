/// Stateless decoding and encoding of one WebP frame through libwebp, on the calling thread.
#ifndef CWEBP_H
#define CWEBP_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
    CWEBP_OK = 0,
    /// The data end too early.
    CWEBP_TRUNCATED = 1,
    /// libwebp refused the data, or the frame has another size than declared.
    CWEBP_CORRUPT = 2,
    CWEBP_OUT_OF_MEMORY = 3,
} cwebp_status;

/// `bytes`: the chunks of one frame without RIFF header: VP8L, or VP8 with an ALPH chunk before it. The frame must have
/// `frame_width` x `frame_height` pixels. `x`, `y`, `width`, `height`: the part of it that is decoded, in pixels; `x` and
/// `y` are even. It is scaled to `scaled_width` x `scaled_height` pixels, which is no scaling if they are equal.
/// `target`: as many pixels of 4 bytes R, G, B, A with straight alpha, row by row.
typedef struct {
    const uint8_t *bytes;
    size_t count;
    uint32_t frame_width, frame_height;
    uint32_t x, y, width, height;
    uint32_t scaled_width, scaled_height;
    uint8_t *target;
} cwebp_request;

cwebp_status cwebp_decode(const cwebp_request *request);

/// `pixels`: `height` rows of `width` pixels of 4 bytes R, G, B, A with straight alpha. `quality`: 1...100, of the colours;
/// alpha is encoded without loss.
typedef struct {
    const uint8_t *pixels;
    uint32_t width, height;
    int quality;
} cwebp_picture;

/// `bytes`: `count` bytes of a WebP file, to be freed by `cwebp_free`; untouched on failure.
cwebp_status cwebp_encode(const cwebp_picture *picture, uint8_t **bytes, size_t *count);

void cwebp_free(uint8_t *bytes);

/// Three bytes, as in 0x010204 for 1.2.4.
uint32_t cwebp_encoder_version(void);

#endif
