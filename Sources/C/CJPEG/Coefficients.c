#include "Coefficients.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

_Static_assert(sizeof(JCOEF) == sizeof(int16_t), "coefficients are given as libjpeg keeps them");

static coefficient_arrays *arrays_of(j_common_ptr info) { return (coefficient_arrays *)info->client_data; }

/// The caller's coefficients for the component whose array comes next, of exactly this shape.
static const cjpeg_coefficients *coefficients_given(j_common_ptr info, JDIMENSION columns, JDIMENSION rows) {
    const coefficient_arrays *all = arrays_of(info);
    const cjpeg_request *r = all->request;
    const int components = ((j_decompress_ptr)info)->num_components;
    if (r->coefficients == NULL) return NULL;
    const cjpeg_coefficients *given = &r->coefficients[all->count];
    if (r->coefficients_count != (size_t)components || all->count >= components
        || given->columns != columns || given->rows != rows
        || (given->side != 1 && given->side != 2 && given->side != 4 && given->side != DCTSIZE))
        cjpeg_fail(info, CJPEG_CORRUPT, "coefficients of another shape");
    return given;
}

static jvirt_barray_ptr array_request(
    j_common_ptr info, int pool, boolean zero, JDIMENSION columns, JDIMENSION rows, JDIMENSION most) {
    (void)pool;
    (void)zero;
    coefficient_arrays *all = arrays_of(info);
    if (all->count == MAX_COMPONENTS) cjpeg_fail(info, CJPEG_CORRUPT, "too many components");
    coefficient_array *array = &all->arrays[all->count];
    array->dc_only = all->request->dc_only >> all->count & 1;
    array->columns = columns;
    array->rows = rows;
    array->given = coefficients_given(info, columns, rows);
    // No row of the given ones is in the window yet.
    if (array->given != NULL) array->window_start = rows;
    array->is_whole = array->given != NULL && array->given->side == DCTSIZE;
    array->window_rows = !array->is_whole && (array->dc_only || array->given != NULL) ? most : rows;
    all->count++;
    return (jvirt_barray_ptr)array;
}

static void array_realize_one(j_common_ptr info, coefficient_array *array) {
    coefficient_arrays *all = arrays_of(info);
    size_t row = (size_t)array->columns * sizeof(JBLOCK);
    array->mapped = array->is_whole ? 0 : row * array->window_rows;
    all->mapped += array->mapped;
    if (all->mapped > all->request->max_memory) cjpeg_fail(info, CJPEG_OUT_OF_MEMORY, "over the memory limit");
    if (array->is_whole) {
        // libjpeg only reads them: nothing else is decoded into them.
        array->blocks = (JBLOCKROW)(uintptr_t)array->given->values;
    } else {
        void *memory = mmap(NULL, array->mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) cjpeg_fail(info, CJPEG_OUT_OF_MEMORY, "out of memory");
        array->blocks = memory;
#ifdef MADV_HUGEPAGE
        madvise(memory, array->mapped, MADV_HUGEPAGE);
#endif
    }
    array->row_pointers = malloc(array->window_rows * sizeof(JBLOCKROW));
    if (array->dc_only) array->dcs = calloc((size_t)array->columns * array->rows, sizeof(JCOEF));
    if (array->row_pointers == NULL || (array->dc_only && array->dcs == NULL))
        cjpeg_fail(info, CJPEG_OUT_OF_MEMORY, "out of memory");
    for (JDIMENSION y = 0; y < array->window_rows; y++)
        array->row_pointers[y] = array->blocks + (size_t)y * array->columns;
}

static void array_realize(j_common_ptr info) {
    coefficient_arrays *all = arrays_of(info);
    for (int i = 0; i < all->count; i++)
        if (all->arrays[i].blocks == NULL) array_realize_one(info, &all->arrays[i]);
    all->realize_others(info);
}

/// Saves the DCs of the window, moves it, and fills in those that are known there. Nothing else is ever non-zero.
static void array_move_window(coefficient_array *array, JDIMENSION start) {
    size_t columns = array->columns;
    for (JDIMENSION y = 0; y < array->window_rows; y++) {
        JDIMENSION old = array->window_start + y, new = start + y;
        JBLOCKROW blocks = array->row_pointers[y];
        JCOEF *from = array->dcs + old * columns, *to = array->dcs + new * columns;
        for (size_t x = 0; old < array->rows && x < columns; x++) from[x] = blocks[x][0];
        for (size_t x = 0; new < array->rows && x < columns; x++) blocks[x][0] = to[x];
    }
    array->window_start = start;
}

static inline void array_fill_row(JBLOCKROW blocks, const int16_t *values, size_t columns, size_t side) {
    for (size_t x = 0; x < columns; x++)
        for (size_t v = 0; v < side; v++, values += side)
            memcpy(&blocks[x][v * DCTSIZE], values, side * sizeof(int16_t));
}

/// Moves the window over the given coefficients. The same positions are written each time; all others stay zero.
static void array_fill_window(coefficient_array *array, JDIMENSION start) {
    const cjpeg_coefficients *given = array->given;
    const size_t columns = array->columns, side = given->side;
    for (JDIMENSION y = 0; y < array->window_rows && start + y < array->rows; y++) {
        const int16_t *values = given->values + (start + y) * columns * side * side;
        JBLOCKROW blocks = array->row_pointers[y];
        // One loop for each constant size.
        if (side == 1) array_fill_row(blocks, values, columns, 1);
        else if (side == 2) array_fill_row(blocks, values, columns, 2);
        else array_fill_row(blocks, values, columns, 4);
    }
    array->window_start = start;
}

static JBLOCKARRAY array_access(
    j_common_ptr info, jvirt_barray_ptr handle, JDIMENSION start, JDIMENSION count, boolean writable) {
    (void)writable;
    coefficient_array *array = (coefficient_array *)handle;
    if (count > array->window_rows || start > array->rows - count)
        cjpeg_fail(info, CJPEG_CORRUPT, "coefficients outside the picture");
    if (array->is_whole) return array->row_pointers + start;
    if (array->given != NULL) {
        if (start != array->window_start) array_fill_window(array, start);
        return array->row_pointers;
    }
    if (!array->dc_only) return array->row_pointers + start;
    if (start != array->window_start) array_move_window(array, start);
    return array->row_pointers;
}

void cjpeg_arrays_attach(coefficient_arrays *all, j_decompress_ptr info, const cjpeg_request *request) {
    all->request = request;
    all->realize_others = info->mem->realize_virt_arrays;
    info->client_data = all;
    info->mem->request_virt_barray = array_request;
    info->mem->realize_virt_arrays = array_realize;
    info->mem->access_virt_barray = array_access;
}

void cjpeg_arrays_free(coefficient_arrays *all) {
    for (int i = 0; i < all->count; i++) {
        coefficient_array *array = &all->arrays[i];
        if (array->blocks != NULL && !array->is_whole) munmap(array->blocks, array->mapped);
        free(array->row_pointers);
        free(array->dcs);
    }
}
