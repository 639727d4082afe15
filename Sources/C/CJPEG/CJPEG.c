#include "CJPEG.h"
#include "Coefficients.h"
#include "GivenSamples.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <jpeglib.h>
#include <jerror.h>

/// Mapped files are passed to libjpeg in windows of this many bytes, so that pages behind it can be released.
#define WINDOW ((size_t)1 << 20)

typedef struct {
    struct jpeg_source_mgr base;
    const cjpeg_request *request;
    /// The range being read, and its part passed to libjpeg.
    size_t range, given;
    /// The bytes before this were released to the kernel.
    size_t released;
} memory_source;

typedef struct {
    struct jpeg_error_mgr base;
    jmp_buf escape;
    /// Set when data end before they are needed; the first row of MCUs that lacks some.
    int starved;
    JDIMENSION starved_row;
    char *message;
    size_t message_size;
    cjpeg_status status;
} error_trap;

/// Everything that lives across the jump. It is reached through a pointer, so no local changes between setjmp and
/// longjmp.
typedef struct {
    struct jpeg_decompress_struct info;
    error_trap trap;
    memory_source source;
    const cjpeg_request *request;
    cjpeg_result *result;
    JSAMPLE *scratch;
    uint64_t block_visits;
    int created;
    coefficient_arrays coefficients;
} session;

static const JOCTET end_of_image[2] = {0xFF, JPEG_EOI};

// MARK: - Errors

static void trap_exit(j_common_ptr info) {
    error_trap *trap = (error_trap *)info->err;
    char text[JMSG_LENGTH_MAX];
    trap->base.format_message(info, text);
    snprintf(trap->message, trap->message_size, "%s", text);
    switch (trap->base.msg_code) {
    case JERR_OUT_OF_MEMORY:
        trap->status = CJPEG_OUT_OF_MEMORY;
        break;
    case JERR_FRACT_SAMPLE_NOTIMPL: case JERR_CCIR601_NOTIMPL:
        trap->status = CJPEG_UNSUPPORTED;
        snprintf(trap->message, trap->message_size, "JPEG with fractional sampling factors");
        break;
    default:
        trap->status = CJPEG_CORRUPT;
    }
    longjmp(trap->escape, 1);
}

static void note_starved(error_trap *trap, JDIMENSION row) {
    if (!trap->starved || row < trap->starved_row) trap->starved_row = row;
    trap->starved = 1;
}

/// The scan carries what every later one only refines.
static int scan_is_base(const struct jpeg_decompress_struct *d) {
    return !d->progressive_mode || (d->Ss == 0 && d->Ah == 0);
}

/// Counts warnings and notes where the data ran out. Never prints.
static void trap_message(j_common_ptr info, int level) {
    error_trap *trap = (error_trap *)info->err;
    // A colour transform that Adobe has not defined damages nothing.
    if (level >= 0 || trap->base.msg_code == JWRN_ADOBE_XFORM) return;
    trap->base.num_warnings++;
    j_decompress_ptr d = (j_decompress_ptr)info;
    if (trap->base.msg_code != JWRN_HIT_MARKER) return;
    if (d->unread_marker == JPEG_EOI) note_starved(trap, d->input_iMCU_row);
    // Without restarts, nothing leads on from another marker. Of the row that it is in, some may be there.
    else if (d->restart_interval == 0 && scan_is_base(d)) note_starved(trap, d->input_iMCU_row + 1);
}

static void trap_silent(j_common_ptr info) { (void)info; }

_Noreturn static void fail(session *s, cjpeg_status status, const char *message) {
    snprintf(s->result->message, sizeof s->result->message, "%s", message);
    s->trap.status = status;
    longjmp(s->trap.escape, 1);
}

_Static_assert(offsetof(session, info) == 0, "libjpeg's structure is the first member of the session");

void cjpeg_fail(j_common_ptr info, cjpeg_status status, const char *message) {
    fail((session *)info, status, message);
}

// MARK: - Source

static void source_init(j_decompress_ptr info) { (void)info; }
static void source_term(j_decompress_ptr info) { (void)info; }

static void release_read_pages(memory_source *source, size_t upto) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t start = ((uintptr_t)source->request->bytes + source->released + page - 1) & ~(page - 1);
    uintptr_t end = ((uintptr_t)source->request->bytes + upto) & ~(page - 1);
    if (end <= start) return;
    madvise((void *)start, end - start, MADV_DONTNEED);
    source->released = upto;
}

/// The arithmetic decoder reads zeros past the end without a warning, so the end itself is recorded.
static void note_end(j_decompress_ptr info) {
    error_trap *trap = (error_trap *)info->err;
    if (info->arith_code) note_starved(trap, info->input_iMCU_row + 1);
}

/// Past the end an EOI marker is supplied, as libjpeg advises; `trap_message` detects missing data.
static boolean source_fill(j_decompress_ptr info) {
    memory_source *source = (memory_source *)info->src;
    const cjpeg_request *r = source->request;
    while (source->range < r->range_count && source->given == r->ranges[source->range].count) {
        source->range++;
        source->given = 0;
    }
    if (source->range == r->range_count) {
        note_end(info);
        source->base.next_input_byte = end_of_image;
        source->base.bytes_in_buffer = sizeof end_of_image;
        return TRUE;
    }
    const cjpeg_range *range = &r->ranges[source->range];
    size_t offset = range->offset + source->given, left = range->count - source->given;
    if (r->release_behind) release_read_pages(source, offset);
    size_t window = r->release_behind && left > WINDOW ? WINDOW : left;
    source->base.next_input_byte = r->bytes + offset;
    source->base.bytes_in_buffer = window;
    source->given += window;
    return TRUE;
}

static void source_skip(j_decompress_ptr info, long bytes) {
    struct jpeg_source_mgr *source = info->src;
    if (bytes <= 0) return;
    while ((size_t)bytes > source->bytes_in_buffer) {
        bytes -= (long)source->bytes_in_buffer;
        if (source->next_input_byte == end_of_image) return;
        source_fill(info);
        if (source->next_input_byte == end_of_image) return;
    }
    source->next_input_byte += bytes;
    source->bytes_in_buffer -= (size_t)bytes;
}

static void source_attach(session *s) {
    memory_source *source = &s->source;
    source->request = s->request;
    source->base.init_source = source_init;
    source->base.fill_input_buffer = source_fill;
    source->base.skip_input_data = source_skip;
    source->base.resync_to_restart = jpeg_resync_to_restart;
    source->base.term_source = source_term;
    s->info.src = &source->base;
}

// MARK: - Scans

/// Counts the scan that starts now against the limits.
static void charge_scan(session *s) {
    struct jpeg_decompress_struct *d = &s->info;
    if ((uint32_t)d->input_scan_number > s->request->max_scans) fail(s, CJPEG_TOO_MANY_SCANS, "too many scans");
    uint64_t blocks = (uint64_t)d->MCUs_per_row * d->MCU_rows_in_scan * (uint64_t)d->blocks_in_MCU;
    s->block_visits += blocks;
    if (s->block_visits > s->request->max_block_visits) fail(s, CJPEG_TOO_MANY_SCANS, "too much work in scans");
}

static int scan_covers(const struct jpeg_decompress_struct *d, int component) {
    for (int i = 0; i < d->comps_in_scan; i++)
        if (d->cur_comp_info[i]->component_index == component) return 1;
    return 0;
}

/// Lowest full-size row that is not decoded, were the data to end in MCU row `mcu_row`.
static uint64_t rows_before(const session *s, JDIMENSION mcu_row) {
    return (uint64_t)mcu_row * (uint64_t)s->info.max_v_samp_factor * DCTSIZE;
}

static void require_rows(session *s, JDIMENSION mcu_row) {
    const cjpeg_request *r = s->request;
    uint64_t needed = (uint64_t)(r->y + r->height) * r->denominator;
    if (needed > s->info.image_height) needed = s->info.image_height;
    if (rows_before(s, mcu_row) < needed) fail(s, CJPEG_TRUNCATED, "the picture data end too early");
    s->result->cut_short = 1;
}

/// Reads all scans it is given, unless a limit is hit.
static void consume_scans(session *s) {
    struct jpeg_decompress_struct *d = &s->info;
    unsigned char seen[MAX_COMPONENTS] = {0};
    charge_scan(s);
    for (;;) {
        int status = jpeg_consume_input(d);
        for (int c = 0; status == JPEG_SCAN_COMPLETED && scan_is_base(d) && c < d->num_components; c++)
            if (scan_covers(d, c)) seen[c] = 1;
        if (s->trap.starved) {
            if (scan_is_base(d) && status != JPEG_REACHED_SOS) require_rows(s, s->trap.starved_row);
            s->result->cut_short = 1;
        }
        if (status == JPEG_REACHED_EOI) break;
        if (status == JPEG_REACHED_SOS) charge_scan(s);
    }
    for (int c = 0; c < d->num_components; c++)
        if (!seen[c]) fail(s, CJPEG_TRUNCATED, "a colour component has no data");
}

// MARK: - Rows

/// Sampling factors for which libjpeg-turbo's column crop is exact.
static int crop_is_exact(const struct jpeg_decompress_struct *d) {
    if (d->num_components == 1) return 1;
    for (int c = 0; c < d->num_components; c++) {
        const jpeg_component_info *info = &d->comp_info[c];
        int h = d->max_h_samp_factor / info->h_samp_factor, v = d->max_v_samp_factor / info->v_samp_factor;
        if (h * info->h_samp_factor != d->max_h_samp_factor || v * info->v_samp_factor != d->max_v_samp_factor)
            return 0;
        if (h > 2 || v > 2 || d->max_h_samp_factor > 2 || d->max_v_samp_factor > 2) return 0;
    }
    return 1;
}

/// Narrows decoding to the wanted columns, with two pixels to spare for fancy upsampling, and notes what is decoded.
static void narrow_columns(session *s, JDIMENSION *left, JDIMENSION *width) {
    struct jpeg_decompress_struct *d = &s->info;
    const cjpeg_request *r = s->request;
    *left = 0;
    *width = d->output_width;
    if (!crop_is_exact(d) || r->width + 8 >= d->output_width) return;
    JDIMENSION x = r->x > 2 ? r->x - 2 : 0;
    JDIMENSION end = r->x + r->width + 2 < d->output_width ? r->x + r->width + 2 : d->output_width;
    JDIMENSION w = end - x;
    jpeg_crop_scanline(d, &x, &w);
    *left = x;
    *width = w;
}

/// Decodes from the top to the last wanted row; rows above the wanted ones go to a scratch row.
static void read_rows(session *s) {
    struct jpeg_decompress_struct *d = &s->info;
    const cjpeg_request *r = s->request;
    cjpeg_result *out = s->result;
    JDIMENSION left, width;
    narrow_columns(s, &left, &width);
    uint32_t shift = (r->x - left) * 4;
    size_t stride = (size_t)r->width * 4;
    int direct = left == r->x && width == r->width;
    out->pixels = malloc(stride * r->height);
    s->scratch = malloc((size_t)d->output_width * 4 + 64);
    if (out->pixels == NULL || s->scratch == NULL) fail(s, CJPEG_OUT_OF_MEMORY, "out of memory");
    while (d->output_scanline < r->y + r->height) {
        JDIMENSION row = d->output_scanline;
        JSAMPROW target = s->scratch;
        int wanted = row >= r->y;
        if (wanted && direct) target = out->pixels + (row - r->y) * stride;
        if (jpeg_read_scanlines(d, &target, 1) != 1) fail(s, CJPEG_TRUNCATED, "no more rows");
        if (wanted && !direct) memcpy(out->pixels + (row - r->y) * stride, s->scratch + shift, stride);
    }
}

// MARK: - Decoding

static void choose_colors(session *s) {
    struct jpeg_decompress_struct *d = &s->info;
    switch (d->jpeg_color_space) {
    case JCS_GRAYSCALE: case JCS_YCbCr: case JCS_RGB:
        d->out_color_space = JCS_EXT_RGBA;
        s->result->layout = CJPEG_RGBA;
        break;
    case JCS_CMYK: case JCS_YCCK:
        d->out_color_space = JCS_CMYK;
        s->result->layout = CJPEG_CMYK;
        break;
    default:
        fail(s, CJPEG_UNSUPPORTED, "JPEG with an unknown colour space");
    }
}

static void check_region(session *s) {
    struct jpeg_decompress_struct *d = &s->info;
    const cjpeg_request *r = s->request;
    int inside = r->width > 0 && r->height > 0 && (uint64_t)r->x + r->width <= d->output_width
        && (uint64_t)r->y + r->height <= d->output_height;
    if (!inside) fail(s, CJPEG_CORRUPT, "the wanted region lies outside the picture");
}

/// Starts the output of given coefficients: for libjpeg, their scan is complete, so it never requests more input.
static void start_given(session *s) {
    struct jpeg_decompress_struct *d = &s->info;
    jpeg_start_output(d, d->input_scan_number);
    d->input_scan_number++;
}

static void run(session *s) {
    struct jpeg_decompress_struct *d = &s->info;
    jpeg_create_decompress(d);
    s->created = 1;
    cjpeg_arrays_attach(&s->coefficients, d, s->request);
    source_attach(s);
    jpeg_read_header(d, TRUE);
    choose_colors(s);
    d->scale_num = 1;
    d->scale_denom = s->request->denominator;
    d->do_block_smoothing = FALSE;
    const int is_given = s->request->coefficients != NULL;
    // The tables of quantisation are those at the first scan, of the components in it.
    if (is_given && d->comps_in_scan < d->num_components)
        fail(s, CJPEG_CORRUPT, "coefficients for a scan of fewer components");
    d->buffered_image = is_given || jpeg_has_multiple_scans(d);
    jpeg_start_decompress(d);
    check_region(s);
    if (is_given && !s->request->by_library && cjpeg_samples_read(d, s->request, s->result)) return;
    s->result->by_library = 1;
    if (is_given) {
        start_given(s);
    } else if (d->buffered_image) {
        consume_scans(s);
        jpeg_start_output(d, d->input_scan_number);
    }
    read_rows(s);
    if (!d->buffered_image && s->trap.starved) require_rows(s, s->trap.starved_row);
}

cjpeg_status cjpeg_decode(const cjpeg_request *request, cjpeg_result *result) {
    memset(result, 0, sizeof *result);
    session *s = calloc(1, sizeof *s);
    if (s == NULL) return CJPEG_OUT_OF_MEMORY;
    s->request = request;
    s->result = result;
    s->info.err = jpeg_std_error(&s->trap.base);
    s->trap.base.error_exit = trap_exit;
    s->trap.base.emit_message = trap_message;
    s->trap.base.output_message = trap_silent;
    s->trap.message = result->message;
    s->trap.message_size = sizeof result->message;
    if (setjmp(s->trap.escape) == 0) run(s);
    cjpeg_status status = s->trap.status;
    result->warnings = s->trap.base.num_warnings;
    if (s->created) jpeg_destroy_decompress(&s->info);
    cjpeg_arrays_free(&s->coefficients);
    if (status != CJPEG_OK) {
        free(result->pixels);
        result->pixels = NULL;
    }
    free(s->scratch);
    free(s);
    return status;
}
