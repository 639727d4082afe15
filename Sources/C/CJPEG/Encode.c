#include "CJPEG.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

/// A destination in memory of the caller, which is not extended.
typedef struct {
    struct jpeg_destination_mgr base;
    uint8_t *bytes;
    size_t capacity;
} fixed_destination;

typedef struct {
    struct jpeg_error_mgr base;
    jmp_buf escape;
    cjpeg_status status;
} encode_trap;

/// Everything that lives across the jump, reached through a pointer.
typedef struct {
    struct jpeg_compress_struct info;
    encode_trap trap;
    fixed_destination destination;
    const cjpeg_picture *picture;
    int created;
} encode_session;

static void fail(j_common_ptr info) {
    encode_trap *trap = (encode_trap *)info->err;
    if (trap->status == CJPEG_OK) {
        trap->status = info->err->msg_code == JERR_OUT_OF_MEMORY ? CJPEG_OUT_OF_MEMORY : CJPEG_CORRUPT;
    }
    longjmp(trap->escape, 1);
}

static void keep_silent(j_common_ptr info) { (void)info; }

static void begin(j_compress_ptr info) {
    fixed_destination *destination = (fixed_destination *)info->dest;
    destination->base.next_output_byte = destination->bytes;
    destination->base.free_in_buffer = destination->capacity;
}

/// The file is longer than it may be: it is not finished.
static boolean overflow(j_compress_ptr info) {
    encode_trap *trap = (encode_trap *)info->err;
    trap->status = CJPEG_TRUNCATED;
    longjmp(trap->escape, 1);
    return FALSE;
}

static void end(j_compress_ptr info) { (void)info; }

static void run(encode_session *s) {
    const cjpeg_picture *picture = s->picture;
    jpeg_create_compress(&s->info);
    s->created = 1;
    s->destination.base.init_destination = begin;
    s->destination.base.empty_output_buffer = overflow;
    s->destination.base.term_destination = end;
    s->info.dest = &s->destination.base;
    s->info.image_width = picture->width;
    s->info.image_height = picture->height;
    s->info.input_components = 4;
    s->info.in_color_space = JCS_EXT_RGBX;
    jpeg_set_defaults(&s->info);
    if (picture->gray) jpeg_set_colorspace(&s->info, JCS_GRAYSCALE);
    jpeg_set_quality(&s->info, picture->quality, TRUE);
    if (picture->full_chroma) {
        s->info.comp_info[0].h_samp_factor = 1;
        s->info.comp_info[0].v_samp_factor = 1;
    }
    s->info.optimize_coding = TRUE;
    if (picture->progressive) jpeg_simple_progression(&s->info);
    jpeg_start_compress(&s->info, TRUE);
    while (s->info.next_scanline < s->info.image_height) {
        // libjpeg does not write to the rows.
        JSAMPROW row = (JSAMPROW)(picture->pixels + (size_t)s->info.next_scanline * picture->width * 4);
        jpeg_write_scanlines(&s->info, &row, 1);
    }
    jpeg_finish_compress(&s->info);
}

cjpeg_status cjpeg_encode(const cjpeg_picture *picture, uint8_t *bytes, size_t capacity, size_t *count) {
    encode_session session;
    encode_session *s = &session;
    memset(s, 0, sizeof *s);
    s->picture = picture;
    s->destination.bytes = bytes;
    s->destination.capacity = capacity;
    s->info.err = jpeg_std_error(&s->trap.base);
    s->trap.base.error_exit = fail;
    s->trap.base.output_message = keep_silent;
    *count = 0;
    // No file has room for less than a marker.
    if (capacity < 2) return CJPEG_TRUNCATED;
    if (setjmp(s->trap.escape) == 0) {
        run(s);
        *count = capacity - s->destination.base.free_in_buffer;
    }
    if (s->created) jpeg_destroy_compress(&s->info);
    return s->trap.status;
}
