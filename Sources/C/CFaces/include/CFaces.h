/// A convolutional network that finds faces (YuNet, by Shiqi Yu and others), in whole numbers of 16 bits: every processor
/// gives the same numbers, and none can be infinite or not a number. One thread, no allocation.
///
/// The layers are pairs: a 1x1 convolution over all channels, then a 3x3 convolution of each channel by itself. Sums have 32
/// bits, and cannot overflow: the converter limits the weights so that inputs of any value fit. With other weights they wrap.
#ifndef CFACES_H
#define CFACES_H

#include <stddef.h>
#include <stdint.h>

/// Values of the network have this many bits after the point.
#define CFACES_FRACTION_BITS 11
/// The channels of its output: class, box (4), objectness, landmarks (10).
#define CFACES_OUTPUTS 16
/// Convolutions: the first, and two for each pair.
#define CFACES_CONVOLUTIONS 35
/// The longest side of an input in pixels. Both sides are multiples of 32.
#define CFACES_LONGEST_SIDE 256

/// One convolution. Its result is `(sum + bias) >> shift`, limited to 16 bits.
typedef struct {
    /// Of a 1x1 convolution: [inputs / 2][outputs][2]. Of a 3x3 convolution: [9][channels].
    const int16_t *weights;
    /// One for each output, with half of the last bit for rounding.
    const int32_t *biases;
    int shift;
} cfaces_convolution;

/// The inner loops. All give the same numbers.
typedef enum { CFACES_PLAIN, CFACES_SSE2, CFACES_AVX2, CFACES_AVX512 } cfaces_kernel;

/// The fastest kernel of this processor.
cfaces_kernel cfaces_best_kernel(void);
/// Whether this processor has the kernel's instructions.
int cfaces_has_kernel(cfaces_kernel kernel);

/// The numbers of inputs and outputs of a convolution; inputs are 1 if each channel is convolved by itself.
void cfaces_shape(int convolution, int *inputs, int *outputs);

/// The four bytes of a pixel: red, green, blue and alpha, or inks.
typedef enum { CFACES_OPAQUE, CFACES_STRAIGHT, CFACES_PREMULTIPLIED, CFACES_CMYK } cfaces_layout;

/// What a decoder gives, and how it becomes the input of the network.
typedef struct {
    /// `height` rows of `width` x 4 bytes; each begins `stride` pixels behind the one above it.
    const uint8_t *pixels;
    int width, height, stride;
    cfaces_layout layout;
    /// From the stored to the upright picture: rows become columns, then the directions of stored columns and rows.
    int transposes, flips_x, flips_y;
} cfaces_picture;

/// Bytes of memory for `cfaces_fill` and `cfaces_run` with an input of this size.
size_t cfaces_scratch_size(int width, int height);

/// Reduces or enlarges a picture to `width` x `height` upright pixels, 1 to 256 each, which are the means of the areas that they
/// cover. What is transparent becomes gray. The rest of the input, up to multiples of 32, is black. Returns 0 if there is not
/// enough memory for a row.
int cfaces_fill(const cfaces_picture *picture, int width, int height, void *scratch);

/// The input in `scratch`: a row and a column of black, then the pixels, four values each. `width`, `height`: multiples of 32.
int16_t *cfaces_input(void *scratch, int width, int height);

/// Runs the network on the input in `scratch`. `outputs`: the values at steps of 8, 16 and 32 pixels, each
/// [rows][columns][CFACES_OUTPUTS], within `scratch`.
void cfaces_run(
    const cfaces_convolution *convolutions, int width, int height, void *scratch, cfaces_kernel kernel,
    const int16_t *outputs[3]);

#endif
