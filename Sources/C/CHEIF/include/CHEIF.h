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

/// Bytes of a file. `start`: their place in it.
typedef struct {
    const uint8_t *bytes;
    size_t count, start;
} cheif_part;

/// A file of one picture, which must have `coded_width` x `coded_height` pixels before any transformation. `parts`: its bytes, in
/// their order and without gaps. `longest_side`: pixels; a file with any picture that is longer is refused. `is_gray`: one channel
/// is coded, whose values are from 0 on if `is_full_range`, or else from 16 to 235 of 255.
typedef struct {
    const cheif_part *parts;
    size_t part_count;
    uint32_t coded_width, coded_height, longest_side;
    int is_gray, is_full_range;
} cheif_file;

/// What is wanted of a picture. `shown_...`: the part of it that counts. `scale`: 1, 2, 4 or 8; pixels that are averaged in each
/// direction, fewer at the right and lower edges of the shown part. `x`, `y`, `width`, `height`: in scaled pixels of the shown part.
/// `target`: as many pixels of 4 bytes R, G, B, A, row by row.
typedef struct {
    uint32_t shown_x, shown_y, shown_width, shown_height, scale;
    uint32_t x, y, width, height;
    uint8_t *target;
} cheif_region;

/// Which part of a transparency, in pixels as coded, covers what is shown of the colours, and how it is turned to them: its rows
/// become columns, then they are mirrored.
typedef struct {
    uint32_t x, y, width, height;
    int transposes, flips_x, flips_y;
} cheif_cover;

typedef struct {
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

/// Opaque colours.
cheif_status cheif_colors(const cheif_file *file, const cheif_region *region, cheif_result *result);

/// The values of A alone, of another file. `region`: of the colours, at scale 1.
cheif_status cheif_alpha(
    const cheif_file *file, const cheif_region *region, const cheif_cover *cover, cheif_result *result);

#endif
