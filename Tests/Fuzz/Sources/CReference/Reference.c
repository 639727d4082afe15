#include "CReference.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <zlib.h>

typedef struct {
    struct jpeg_error_mgr base;
    jmp_buf end;
} errors;

static void end(j_common_ptr info) { longjmp(((errors *)info->err)->end, 1); }

static void ignore(j_common_ptr info, int level) { (void)info, (void)level; }

static void copy(struct jpeg_decompress_struct *info, jvirt_barray_ptr *arrays, reference_coefficients *read) {
    for (int i = 0; i < info->num_components; i++) {
        jpeg_component_info *component = &info->comp_info[i];
        size_t columns = component->width_in_blocks, rows = component->height_in_blocks;
        read->columns[i] = (int)columns;
        read->rows[i] = (int)rows;
        read->values[i] = malloc(columns * rows * sizeof(JBLOCK));
        if (!read->values[i]) abort();
        for (size_t row = 0; row < rows; row++) {
            JBLOCKARRAY blocks =
                (*info->mem->access_virt_barray)((j_common_ptr)info, arrays[i], (JDIMENSION)row, 1, FALSE);
            memcpy(read->values[i] + row * columns * 64, blocks[0], columns * sizeof(JBLOCK));
        }
    }
    read->components = info->num_components;
}

reference_coefficients reference_read(const uint8_t *bytes, size_t count) {
    reference_coefficients read = {0};
    struct jpeg_decompress_struct info;
    errors own;
    info.err = jpeg_std_error(&own.base);
    own.base.error_exit = end;
    own.base.emit_message = ignore;
    jpeg_create_decompress(&info);
    if (!setjmp(own.end)) {
        jpeg_mem_src(&info, bytes, (unsigned long)count);
        jpeg_read_header(&info, TRUE);
        jvirt_barray_ptr *arrays = jpeg_read_coefficients(&info);
        if (arrays && info.num_components <= 4) copy(&info, arrays, &read);
    }
    jpeg_destroy_decompress(&info);
    return read;
}

void reference_free(reference_coefficients *read) {
    for (int i = 0; i < 4; i++) free(read->values[i]);
}

int reference_inflates(const uint8_t *bytes, size_t count) {
    z_stream stream = {.next_in = (Bytef *)bytes, .avail_in = (uInt)count};
    if (inflateInit(&stream) != Z_OK) abort();
    Bytef target[4096];
    int status;
    do {
        stream.next_out = target;
        stream.avail_out = sizeof target;
        status = inflate(&stream, Z_NO_FLUSH);
    } while (status == Z_OK);
    inflateEnd(&stream);
    return status == Z_STREAM_END;
}
