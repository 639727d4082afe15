/// The coefficient arrays of one picture: what libjpeg's buffered mode walks through, block row by block row.
///
/// Everything here runs below the jump that `CJPEG.c` armed. It arms none: failures leave through `cjpeg_fail`.
#ifndef CJPEG_COEFFICIENTS_H
#define CJPEG_COEFFICIENTS_H

#include "CJPEG.h"

#include <stdio.h>

#include <jpeglib.h>

// Shared between the files of this target only.
#define CJPEG_HIDDEN __attribute__((visibility("hidden")))

/// The coefficients of one component over the whole picture, in place of libjpeg's own array: kept in huge pages, or,
/// when only DCs matter or the caller decoded them, compact with one window of full blocks that moves over them. Whole
/// blocks of the caller are used where they are.
typedef struct {
    JDIMENSION columns, rows, window_rows, window_start;
    int dc_only;
    JCOEF *dcs;
    /// The caller's coefficients, or NULL.
    const cjpeg_coefficients *given;
    /// The blocks are the caller's.
    int is_whole;
    JBLOCK *blocks;
    size_t mapped;
    JBLOCKROW *row_pointers;
} coefficient_array;

typedef struct {
    const cjpeg_request *request;
    coefficient_array arrays[MAX_COMPONENTS];
    int count;
    /// Bytes mapped for all of them.
    size_t mapped;
    void (*realize_others)(j_common_ptr);
} coefficient_arrays;

/// Replaces libjpeg's arrays by `all`, which `info->client_data` points to from then on.
CJPEG_HIDDEN void cjpeg_arrays_attach(coefficient_arrays *all, j_decompress_ptr info, const cjpeg_request *request);

/// Frees whatever was allocated; after a failure, too.
CJPEG_HIDDEN void cjpeg_arrays_free(coefficient_arrays *all);

/// Ends the decode with `status`: jumps back to `cjpeg_decode`. Defined in `CJPEG.c`.
CJPEG_HIDDEN _Noreturn void cjpeg_fail(j_common_ptr info, cjpeg_status status, const char *message);

#endif
