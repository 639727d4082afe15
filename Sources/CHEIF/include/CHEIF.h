/// Stateless decoding of one picture of a HEIC or AVIF file through libheif, on the calling thread.
#ifndef CHEIF_H
#define CHEIF_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
    CHEIF_OK = 0,
    /// The data end too early.
    CHEIF_TRUNCATED = 1,
    /// libheif refused the data, or the picture has another size than declared.
    CHEIF_CORRUPT = 2,
    /// A feature that libheif, or the decoder it uses, lacks.
    CHEIF_UNSUPPORTED = 3,
    CHEIF_OUT_OF_MEMORY = 4,
} cheif_status;

/// `bytes`: the whole file. `item`: the primary picture, or `thumbnail` if that is not 0; it must have `coded_width` x
/// `coded_height` pixels before any transformation. `longest_side`: pixels; a file with any picture that is longer is refused.
/// `shown_...`: the part of it that counts. `scale`: 1, 2, 4 or 8; pixels that are averaged in each direction, fewer at the right
/// and lower edges of the shown part. `x`, `y`, `width`, `height`: the part that is wanted, in scaled pixels of the shown part.
/// `target`: as many pixels of 4 bytes R, G, B, A, row by row.
typedef struct {
    const uint8_t *bytes;
    size_t count;
    uint32_t item, thumbnail;
    uint32_t coded_width, coded_height, longest_side;
    uint32_t shown_x, shown_y, shown_width, shown_height, scale;
    uint32_t x, y, width, height;
    uint8_t *target;
} cheif_request;

typedef struct {
    int has_alpha;
    /// Colours are multiplied by alpha.
    int is_premultiplied;
    /// Places that the decoder repaired.
    int warnings;
    /// libheif's words, if it failed.
    char message[160];
} cheif_result;

/// Loads the decoders of libheif, which opens files, and checks that none of them starts threads or prints. Called once, before the
/// process is confined. Returns 0 if one would.
int cheif_prepare(void);

/// Whether there is a decoder: of AVIF, or else of HEIC. After `cheif_prepare`.
int cheif_decodes(int avif);

cheif_status cheif_decode(const cheif_request *request, cheif_result *result);

#endif
