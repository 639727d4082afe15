/* The floor: decoding and nothing else.
 *
 *   floor [-s N] [-r REPEAT] FILE...
 *
 * JPEG files are decoded with libjpeg(-turbo) at scale 1/N to RGB, row by row, and the rows are
 * thrown away; PNG files are decoded with libpng to RGBA at full size, row by row as well.
 * Prints one line: pictures decoded, CPU seconds (user + system) spent on them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <jpeglib.h> /* needs stdio.h before it */
#include <png.h>

static double cpu_seconds(void) {
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_utime.tv_sec + u.ru_stime.tv_sec + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static void decode_jpeg(FILE *file, int scale) {
    struct jpeg_decompress_struct info;
    struct jpeg_error_mgr errors;
    info.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&info);
    jpeg_stdio_src(&info, file);
    jpeg_read_header(&info, TRUE);
    info.scale_num = 1;
    info.scale_denom = scale;
    info.out_color_space = JCS_RGB;
    jpeg_start_decompress(&info);
    JSAMPARRAY row = info.mem->alloc_sarray((j_common_ptr)&info, JPOOL_IMAGE,
                                            info.output_width * info.output_components, 1);
    while (info.output_scanline < info.output_height) jpeg_read_scanlines(&info, row, 1);
    jpeg_finish_decompress(&info);
    jpeg_destroy_decompress(&info);
}

static int decode_png(FILE *file) {
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    if (setjmp(png_jmpbuf(png))) return -1;
    png_init_io(png, file);
    png_read_info(png, info);
    png_set_expand(png);
    png_set_strip_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    png_bytep row = malloc(png_get_rowbytes(png, info));
    png_uint_32 height = png_get_image_height(png, info);
    for (int pass = 0; pass < passes; pass++)
        for (png_uint_32 y = 0; y < height; y++) png_read_row(png, row, NULL);
    png_read_end(png, NULL);
    free(row);
    png_destroy_read_struct(&png, &info, NULL);
    return 0;
}

int main(int argc, char **argv) {
    int scale = 1, repeat = 1, first = 1;
    while (first + 1 < argc && argv[first][0] == '-') {
        if (!strcmp(argv[first], "-s")) scale = atoi(argv[first + 1]);
        else if (!strcmp(argv[first], "-r")) repeat = atoi(argv[first + 1]);
        else return 2;
        first += 2;
    }
    if (first >= argc || scale < 1 || repeat < 1) {
        fprintf(stderr, "usage: floor [-s N] [-r REPEAT] FILE...\n");
        return 2;
    }
    long pictures = 0;
    double start = cpu_seconds();
    for (int turn = 0; turn < repeat; turn++)
        for (int i = first; i < argc; i++) {
            FILE *file = fopen(argv[i], "rb");
            if (!file) { perror(argv[i]); return 1; }
            int byte = getc(file);
            rewind(file);
            if (byte == 0xff) decode_jpeg(file, scale);
            else if (decode_png(file)) { fprintf(stderr, "%s: not decoded\n", argv[i]); return 1; }
            fclose(file);
            pictures++;
        }
    printf("%ld %.6f\n", pictures, cpu_seconds() - start);
    return 0;
}
