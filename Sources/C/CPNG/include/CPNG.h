/// Stateless PNG decoding of a memory buffer through libpng.
///
/// The only place that arms `setjmp` for libpng. No callback into Swift; only the result survives a call.
#ifndef CPNG_H
#define CPNG_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
    CPNG_OK = 0,
    /// The file ends before its IEND chunk.
    CPNG_TRUNCATED = 1,
    /// libpng refused the file; `message` contains the reason.
    CPNG_CORRUPT = 2,
    CPNG_OUT_OF_MEMORY = 3,
} cpng_status;

/// What to decode. `x`, `y`, `width`, `height`: the wanted region in pixels of the stored picture.
typedef struct {
    const uint8_t *bytes;
    size_t count;
    uint32_t x, y, width, height;
    /// Bytes a single ancillary chunk may unpack to; stops zTXt, iTXt and iCCP bombs.
    size_t max_chunk;
    /// The picture data's own checksum may be wrong, or their end missing; the checksums of their chunks must be right.
    int ignores_data_checksum;
    /// For `cpng_inspect`: where the run of IDAT chunks begins and ends, offsets in bytes.
    size_t data_start, data_end;
    /// For `cpng_inspect`: 256 x 4 bytes R, G, B, A, filled when the picture has a palette.
    uint8_t *palette;
} cpng_request;

/// `pixels` is allocated with `malloc` and belongs to the caller: `height` rows of `width` x 4 bytes R, G, B, A with
/// straight alpha. `profile` (may be NULL) is an ICC profile, also the caller's to free.
typedef struct {
    uint8_t *pixels;
    uint8_t bit_depth, color_type;
    int is_interlaced;
    /// The tRNS chunk is there and valid.
    int has_transparency;
    /// `has_transparency`, or the colour type has an alpha channel.
    int has_alpha;
    uint8_t *profile;
    size_t profile_count;
    /// The sRGB chunk is there and valid.
    int is_srgb;
    /// gAMA's file gamma (1/2.2 = 0.45455), or 0.
    double gamma;
    /// cHRM: white x, y, red x, y, green x, y, blue x, y.
    int has_chromaticities;
    double chromaticities[8];
    long warnings;
    /// The first warning, unless there is one of the picture data, which begins with "IDAT".
    char warning[200];
    char message[200];
} cpng_result;

/// Decodes the wanted region; the whole file is read to its IEND, unless the picture data have no end. On any status but
/// `CPNG_OK` nothing is left to free.
cpng_status cpng_decode(const cpng_request *request, cpng_result *result);

/// Everything `cpng_decode` does except the picture data: libpng checks all chunks before and after the IDAT chunks
/// from `data_start` to `data_end`, of which it sees only an empty one. `pixels` stays NULL.
cpng_status cpng_inspect(const cpng_request *request, cpng_result *result);

#endif
