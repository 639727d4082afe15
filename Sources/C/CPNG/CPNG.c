#include "CPNG.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <png.h>

/// Everything that lives across the jump. It is reached through a pointer, so no local changes between setjmp and
/// longjmp.
typedef struct {
    png_structp png;
    png_infop info;
    const cpng_request *request;
    cpng_result *result;
    size_t read;
    /// Bytes of `empty_data` read so far; its size from the start when nothing is to be left out.
    size_t skipped;
    /// Set while the last row is read: libpng also unpacks the data behind it, of any amount. Bytes of the file it may
    /// still read meanwhile.
    int in_last_row;
    size_t tail;
    /// All rows were read, and the end of their data is missing: where to go on.
    int lacks_end;
    jmp_buf behind_rows;
    png_bytep scratch;
    cpng_status status;
} session;

// MARK: - Errors and bytes

/// Whether all rows are there, and the last IDAT chunk ends before the data do.
static int lacks_end_alone(session *s, png_const_charp message) {
    if (!s->in_last_row || !s->request->ignores_data_checksum || strcmp(message, "Not enough image data") != 0) return 0;
    s->lacks_end = s->result->is_interlaced
        ? png_get_current_pass_number(s->png) >= PNG_INTERLACE_ADAM7_PASSES
        : png_get_current_row_number(s->png) >= png_get_image_height(s->png, s->info);
    return s->lacks_end;
}

_Noreturn static void trap_error(png_structp png, png_const_charp message) {
    session *s = png_get_error_ptr(png);
    if (lacks_end_alone(s, message)) longjmp(s->behind_rows, 1);
    snprintf(s->result->message, sizeof s->result->message, "%s", message);
    if (s->status == CPNG_OK) s->status = CPNG_CORRUPT;
    png_longjmp(png, 1);
}

static void trap_warning(png_structp png, png_const_charp message) {
    session *s = png_get_error_ptr(png);
    const int is_first = s->result->warnings++ == 0, is_of_data = strncmp(message, "IDAT", 4) == 0;
    if (is_first || is_of_data) snprintf(s->result->warning, sizeof s->result->warning, "%s", message);
}

/// An IDAT chunk without data: length, type, check sum.
static const uint8_t empty_data[12] = {0, 0, 0, 0, 'I', 'D', 'A', 'T', 0x35, 0xAF, 0x06, 0x1E};

/// Puts `empty_data` in place of the picture's IDAT chunks. Both are read in pieces of whole chunk fields, so no read
/// goes over an edge between them and the rest.
static int read_empty_data(session *s, png_bytep target, size_t count) {
    if (s->skipped == sizeof empty_data || s->read != s->request->data_start) return 0;
    if (count > sizeof empty_data - s->skipped) return 0;
    memcpy(target, empty_data + s->skipped, count);
    s->skipped += count;
    if (s->skipped == sizeof empty_data) s->read = s->request->data_end;
    return 1;
}

static void read_bytes(png_structp png, png_bytep target, size_t count) {
    session *s = png_get_io_ptr(png);
    if (read_empty_data(s, target, count)) return;
    if (count > s->request->count - s->read) {
        s->status = CPNG_TRUNCATED;
        png_error(png, "the file ends too early");
    }
    if (s->in_last_row) {
        if (count > s->tail) png_error(png, "IDAT: more data than the picture needs");
        s->tail -= count;
    }
    memcpy(target, s->request->bytes + s->read, count);
    s->read += count;
}

static void *allocate(session *s, size_t count) {
    void *memory = malloc(count);
    if (memory != NULL) return memory;
    s->status = CPNG_OUT_OF_MEMORY;
    png_error(s->png, "out of memory");
}

static void *copy(session *s, const void *bytes, size_t count) {
    void *memory = allocate(s, count > 0 ? count : 1);
    memcpy(memory, bytes, count);
    return memory;
}

// MARK: - Chunks

static void note_profile(session *s) {
    png_charp name;
    png_bytep bytes;
    png_uint_32 count;
    int method;
    if (!png_get_iCCP(s->png, s->info, &name, &method, &bytes, &count)) return;
    s->result->profile = copy(s, bytes, count);
    s->result->profile_count = count;
}

static void note_colors(session *s) {
    cpng_result *r = s->result;
    int intent;
    r->is_srgb = png_get_sRGB(s->png, s->info, &intent) != 0;
    png_get_gAMA(s->png, s->info, &r->gamma);
    double *c = r->chromaticities;
    r->has_chromaticities = png_get_cHRM(s->png, s->info, c, c + 1, c + 2, c + 3, c + 4, c + 5, c + 6, c + 7) != 0;
    note_profile(s);
}

static void note_layout(session *s) {
    cpng_result *r = s->result;
    r->bit_depth = png_get_bit_depth(s->png, s->info);
    r->color_type = png_get_color_type(s->png, s->info);
    r->is_interlaced = png_get_interlace_type(s->png, s->info) != PNG_INTERLACE_NONE;
    r->has_transparency = png_get_valid(s->png, s->info, PNG_INFO_tRNS) != 0;
    r->has_alpha = r->has_transparency || (r->color_type & PNG_COLOR_MASK_ALPHA) != 0;
}

/// As libpng draws it: indices beyond the palette are black and opaque.
static void note_palette(session *s) {
    uint8_t *target = s->request->palette;
    png_colorp colors = NULL;
    png_bytep alpha = NULL;
    int count = 0, alpha_count = 0;
    png_get_PLTE(s->png, s->info, &colors, &count);
    png_get_tRNS(s->png, s->info, &alpha, &alpha_count, NULL);
    for (int i = 0; i < 256; i++, target += 4) {
        png_color c = i < count ? colors[i] : (png_color){0, 0, 0};
        target[0] = c.red;
        target[1] = c.green;
        target[2] = c.blue;
        target[3] = alpha != NULL && i < alpha_count ? alpha[i] : 255;
    }
}

// MARK: - Rows

/// Any colour type and depth becomes 8-bit R, G, B, A.
static void choose_transforms(session *s) {
    png_set_expand(s->png);
    png_set_scale_16(s->png);
    if (!(s->result->color_type & PNG_COLOR_MASK_COLOR)) png_set_gray_to_rgb(s->png);
    png_set_add_alpha(s->png, 0xFF, PNG_FILLER_AFTER);
}

static void check_region(session *s) {
    const cpng_request *r = s->request;
    png_uint_32 width = png_get_image_width(s->png, s->info), height = png_get_image_height(s->png, s->info);
    int inside = r->width > 0 && r->height > 0 && (uint64_t)r->x + r->width <= width
        && (uint64_t)r->y + r->height <= height;
    if (!inside || png_get_rowbytes(s->png, s->info) != (size_t)width * 4)
        png_error(s->png, "the wanted region lies outside the picture");
}

static void read_last_row(session *s, png_bytep target) {
    size_t row = png_get_rowbytes(s->png, s->info);
    s->in_last_row = 1;
    s->tail = row * 2 + 65536;
    if (setjmp(s->behind_rows) == 0) png_read_row(s->png, target, NULL);
    s->in_last_row = 0;
}

/// Row by row; only the wanted region is kept.
static void read_plain(session *s, png_uint_32 width, png_uint_32 height) {
    const cpng_request *r = s->request;
    size_t stride = (size_t)r->width * 4;
    int direct = r->width == width;
    s->scratch = allocate(s, (size_t)width * 4);
    s->result->pixels = allocate(s, stride * r->height);
    for (png_uint_32 y = 0; y < height; y++) {
        int wanted = y >= r->y && y - r->y < r->height;
        uint8_t *target = s->result->pixels + (wanted ? (size_t)(y - r->y) * stride : 0);
        if (!wanted || !direct) target = s->scratch;
        if (y + 1 < height) png_read_row(s->png, target, NULL);
        else read_last_row(s, target);
        if (wanted && !direct)
            memcpy(s->result->pixels + (size_t)(y - r->y) * stride, s->scratch + (size_t)r->x * 4, stride);
    }
}

/// Adam7 passes refine the whole picture, so it is held whole and cut afterwards.
static void read_interlaced(session *s, png_uint_32 width, png_uint_32 height, int passes) {
    const cpng_request *r = s->request;
    size_t stride = (size_t)width * 4, kept = (size_t)r->width * 4;
    s->result->pixels = allocate(s, stride * height);
    uint8_t *pixels = s->result->pixels;
    for (int pass = 1; pass <= passes; pass++)
        for (png_uint_32 y = 0; y < height; y++)
            if (pass < passes || y + 1 < height) png_read_row(s->png, pixels + y * stride, NULL);
            else read_last_row(s, pixels + y * stride);
    for (png_uint_32 y = 0; y < r->height; y++)
        memmove(pixels + y * kept, pixels + (size_t)(y + r->y) * stride + (size_t)r->x * 4, kept);
}

static void read_rows(session *s) {
    png_uint_32 width = png_get_image_width(s->png, s->info), height = png_get_image_height(s->png, s->info);
    int interlaced = s->result->is_interlaced;
    int passes = interlaced ? png_set_interlace_handling(s->png) : 1;
    png_read_update_info(s->png, s->info);
    check_region(s);
    if (interlaced) read_interlaced(s, width, height, passes);
    else read_plain(s, width, height);
}

// MARK: - Decoding

/// Unused chunks: neither unpacked nor kept, only their checksums are verified.
static const png_byte unread_chunks[] =
    "tEXt\0zTXt\0iTXt\0sPLT\0hIST\0pCAL\0sCAL\0oFFs\0pHYs\0tIME\0bKGD\0sBIT\0eXIf";

static void read_header(session *s) {
    png_set_read_fn(s->png, s, read_bytes);
    png_set_user_limits(s->png, 0x7FFFFFFF, 0x7FFFFFFF);
    png_set_chunk_malloc_max(s->png, s->request->max_chunk);
    png_set_benign_errors(s->png, 1);
    // Optimisers declare a smaller window than their data need; browsers use the largest one, too.
    png_set_option(s->png, PNG_MAXIMUM_INFLATE_WINDOW, PNG_OPTION_ON);
    if (s->request->ignores_data_checksum) png_set_option(s->png, PNG_IGNORE_ADLER32, PNG_OPTION_ON);
    png_set_keep_unknown_chunks(s->png, PNG_HANDLE_CHUNK_NEVER, unread_chunks, sizeof unread_chunks / 5);
    png_read_info(s->png, s->info);
    note_layout(s);
    note_colors(s);
}

/// The maximum number of kept chunks of types that may occur many times.
enum { chunk_cache = 64 };

static void decode(session *s) {
    s->skipped = sizeof empty_data;
    png_set_chunk_cache_max(s->png, chunk_cache);
    read_header(s);
    choose_transforms(s);
    read_rows(s);
    if (!s->lacks_end) png_read_end(s->png, s->info);
}

static void inspect(session *s) {
    // Taken as an unknown chunk, which is kept like a text, IDAT is not unpacked.
    png_set_keep_unknown_chunks(s->png, PNG_HANDLE_CHUNK_ALWAYS, (png_const_bytep)"IDAT", 1);
    png_set_chunk_cache_max(s->png, chunk_cache + 1);
    read_header(s);
    if (s->result->color_type == PNG_COLOR_TYPE_PALETTE && s->request->palette != NULL) note_palette(s);
    png_read_end(s->png, s->info);
}

static void discard(cpng_result *result) {
    free(result->pixels);
    free(result->profile);
    result->pixels = result->profile = NULL;
}

static cpng_status run(const cpng_request *request, cpng_result *result, void (*work)(session *)) {
    memset(result, 0, sizeof *result);
    session *s = calloc(1, sizeof *s);
    if (s == NULL) return CPNG_OUT_OF_MEMORY;
    s->request = request;
    s->result = result;
    s->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, s, trap_error, trap_warning);
    s->info = s->png != NULL ? png_create_info_struct(s->png) : NULL;
    if (s->info == NULL) s->status = CPNG_OUT_OF_MEMORY;
    else if (setjmp(png_jmpbuf(s->png)) == 0) work(s);
    cpng_status status = s->status;
    png_destroy_read_struct(&s->png, &s->info, NULL);
    free(s->scratch);
    free(s);
    if (status != CPNG_OK) discard(result);
    return status;
}

cpng_status cpng_decode(const cpng_request *request, cpng_result *result) {
    return run(request, result, decode);
}

cpng_status cpng_inspect(const cpng_request *request, cpng_result *result) {
    return run(request, result, inspect);
}
