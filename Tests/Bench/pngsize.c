/* What libpng would have needed for the same picture.
 *
 *   pngsize FILE...
 *
 * Decodes each PNG to 8-bit RGBA and encodes it again with libpng, zlib level 6, all five filters
 * and libpng's own choice between them, no ancillary chunks. Prints one line a file: bytes.
 */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void count(png_structp png, png_bytep data, png_size_t length) {
    (void)data;
    *(size_t *)png_get_io_ptr(png) += length;
}

static void flush(png_structp png) { (void)png; }

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        png_image image;
        memset(&image, 0, sizeof image);
        image.version = PNG_IMAGE_VERSION;
        if (!png_image_begin_read_from_file(&image, argv[i])) {
            fprintf(stderr, "%s: %s\n", argv[i], image.message);
            return 1;
        }
        image.format = PNG_FORMAT_RGBA;
        size_t stride = PNG_IMAGE_ROW_STRIDE(image);
        png_bytep pixels = malloc(PNG_IMAGE_SIZE(image));
        if (!png_image_finish_read(&image, NULL, pixels, 0, NULL)) {
            fprintf(stderr, "%s: %s\n", argv[i], image.message);
            return 1;
        }
        size_t bytes = 0;
        png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
        png_infop info = png_create_info_struct(png);
        if (setjmp(png_jmpbuf(png))) return 1;
        png_set_write_fn(png, &bytes, count, flush);
        png_set_compression_level(png, 6);
        png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_ALL_FILTERS);
        png_set_IHDR(png, info, image.width, image.height, 8, PNG_COLOR_TYPE_RGBA, PNG_INTERLACE_NONE,
                     PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
        png_write_info(png, info);
        for (png_uint_32 y = 0; y < image.height; y++) png_write_row(png, pixels + y * stride);
        png_write_end(png, NULL);
        png_destroy_write_struct(&png, &info);
        free(pixels);
        printf("%zu\n", bytes);
    }
    return 0;
}
