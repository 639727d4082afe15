/// Stateless JPEG decoding of a memory buffer, and encoding into one, through libjpeg-turbo.
///
/// The only place that arms `setjmp` for libjpeg. No callback into Swift; only the result survives a call.
#ifndef CJPEG_H
#define CJPEG_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
    CJPEG_OK = 0,
    /// The entropy-coded data end before the wanted rows.
    CJPEG_TRUNCATED = 1,
    /// libjpeg refused the file; `message` contains the reason.
    CJPEG_CORRUPT = 2,
    /// An unsupported feature; `message` names it.
    CJPEG_UNSUPPORTED = 3,
    /// More scans, or more work in scans, than `cjpeg_request` allows.
    CJPEG_TOO_MANY_SCANS = 4,
    /// Decoding needs more memory than `max_memory`.
    CJPEG_OUT_OF_MEMORY = 5,
} cjpeg_status;

typedef enum {
    /// 4 bytes per pixel: R, G, B, 255.
    CJPEG_RGBA = 0,
    /// 4 bytes per pixel: C, M, Y, K as stored, which is inverted: 255 is no ink.
    CJPEG_CMYK = 1,
} cjpeg_layout;

typedef struct {
    size_t offset, count;
} cjpeg_range;

/// The coefficients of one component, decoded by the caller: the corner of lowest frequencies of each 8 x 8 block, the
/// others being zero.
typedef struct {
    /// rows x columns blocks of side x side values, all row by row, before dequantisation.
    const int16_t *values;
    /// Blocks of the whole picture, each a multiple of the component's sampling factor (`jpeg_component_info`'s
    /// `width_in_blocks`, `height_in_blocks`, rounded up). Anything else is refused, unread.
    uint32_t columns, rows;
    /// Values a side of a block: 1, 2, 4 or 8.
    uint32_t side;
} cjpeg_coefficients;

/// What to decode. `x`, `y`, `width`, `height`: the wanted region in pixels of the *scaled* picture.
typedef struct {
    const uint8_t *bytes;
    /// The parts of `bytes` that are read, in order: all of it, or without the scans that this scale cannot show.
    const cjpeg_range *ranges;
    size_t range_count;
    /// Non-zero: `bytes` is a private mapping of a file; pages already read are released to the kernel.
    int release_behind;
    /// Bit c is set when no scan given for component c carries anything but DC coefficients.
    uint32_t dc_only;
    /// NULL, or one entry a component of the frame: the ranges then end behind the header of the only scan.
    const cjpeg_coefficients *coefficients;
    size_t coefficients_count;
    /// Non-zero: libjpeg makes the picture of given coefficients, whatever it is. It makes the same one.
    int by_library;
    /// 1, 2, 4 or 8: the picture is decoded at 1/denominator of its size.
    uint32_t denominator;
    uint32_t x, y, width, height;
    /// Bytes the coefficient arrays may take.
    size_t max_memory;
    /// Scans of a progressive or multi-scan file.
    uint32_t max_scans;
    /// 8 x 8 blocks visited over all scans: bounds the time of a scan bomb without a clock.
    uint64_t max_block_visits;
} cjpeg_request;

/// `pixels` is allocated with `malloc` and belongs to the caller: as many rows of 4 bytes a pixel as the wanted
/// region has.
typedef struct {
    uint8_t *pixels;
    cjpeg_layout layout;
    /// libjpeg's number of repaired errors.
    long warnings;
    /// The data ended early, but below the wanted rows or in a refining scan.
    int cut_short;
    /// libjpeg made the samples.
    int by_library;
    char message[200];
} cjpeg_result;

/// Decodes the wanted region. On any status but `CJPEG_OK`, `pixels` is NULL.
cjpeg_status cjpeg_decode(const cjpeg_request *request, cjpeg_result *result);

/// A picture to encode: `height` rows of `width` pixels of R, G, B and a byte that is not read.
typedef struct {
    const uint8_t *pixels;
    uint32_t width, height;
    /// 1...100, see libjpeg's `jpeg_set_quality`.
    int quality;
    /// Non-zero: one component, the luminance.
    int gray;
    int progressive;
    /// Non-zero: chroma at full size; else at half of it in both directions.
    int full_chroma;
} cjpeg_picture;

/// Encodes with optimised Huffman tables into `capacity` bytes at `bytes`, and sets `count`. `CJPEG_TRUNCATED`: the file is
/// longer than that. `CJPEG_OUT_OF_MEMORY`; all else is `CJPEG_CORRUPT`.
cjpeg_status cjpeg_encode(const cjpeg_picture *picture, uint8_t *bytes, size_t capacity, size_t *count);

#endif
