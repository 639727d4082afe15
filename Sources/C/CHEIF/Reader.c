#include "Reader.h"

#include <string.h>

file_reader file_reader_of(const cheif_file *file) {
    const cheif_part *last = file->part_count ? &file->parts[file->part_count - 1] : NULL;
    return (file_reader){.file = file, .total = last ? last->start + last->count : 0};
}

static int64_t position(void *context) { return (int64_t)((const file_reader *)context)->position; }

static int seek(int64_t target, void *context) {
    file_reader *reader = context;
    if (target < 0 || (uint64_t)target > reader->total) return 1;
    reader->position = (size_t)target;
    return 0;
}

static enum heif_reader_grow_status wait_for_size(int64_t size, void *context) {
    const file_reader *reader = context;
    return size >= 0 && (uint64_t)size <= reader->total ? heif_reader_grow_status_size_reached
                                                        : heif_reader_grow_status_size_beyond_eof;
}

/// The part with the byte at the position, which is before the end.
static const cheif_part *current(const file_reader *reader) {
    const cheif_part *parts = reader->file->parts;
    size_t first = 0, end = reader->file->part_count;
    while (end - first > 1) {
        const size_t middle = first + (end - first) / 2;
        if (parts[middle].start <= reader->position) first = middle;
        else end = middle;
    }
    return &parts[first];
}

static int read_bytes(void *target, size_t count, void *context) {
    file_reader *reader = context;
    if (count > reader->total - reader->position) return 1;
    uint8_t *out = target;
    while (count > 0) {
        const cheif_part *part = current(reader);
        const size_t offset = reader->position - part->start, left = part->count - offset;
        const size_t step = left < count ? left : count;
        memcpy(out, part->bytes + offset, step);
        out += step;
        reader->position += step;
        count -= step;
    }
    return 0;
}

const struct heif_reader file_reader_calls = {
    .reader_api_version = 1, .get_position = position, .read = read_bytes, .seek = seek, .wait_for_file_size = wait_for_size};
