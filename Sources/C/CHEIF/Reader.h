#pragma once
#include <libheif/heif.h>

#include "CHEIF.h"

/// Where libheif reads.
typedef struct {
    const cheif_file *file;
    size_t position, total;
} file_reader;

file_reader file_reader_of(const cheif_file *file);

/// Takes a `file_reader`. Nothing is copied but what libheif asks for.
extern const struct heif_reader file_reader_calls;
