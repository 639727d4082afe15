// The two kinds of layers for one kind of processor: included once for each, with its vectors, and undefines them at the end.
// Rows of values are [columns][channels]; channels are multiples of 16, and powers of two.
//
// NAME(x): the names of this processor's functions; it has `accumulate`, which adds to each sum the products of two pairs of
// values and wraps. WIDE(x): those of its vectors. SUMS: a vector of LANES sums of 32 bits, or of twice as many values of 16.
// COLUMNS and WIDEST, 16 or 32: how many columns and outputs of a 1x1 convolution are computed together, so that their sums
// fit into the registers.

/// COLUMNS columns of `count` outputs, which the compiler knows: their sums stay in registers, each value that is read serves
/// all outputs, each weight all columns. `stored`: how many columns are wanted.
__attribute__((always_inline)) static inline void NAME(pointwise_block)(
    const int16_t *values, int inputs, int outputs, const cfaces_convolution *by, int output, int count,
    int is_rectified, int stored, int16_t *target) {
    SUMS sums[COLUMNS][WIDEST / LANES];
    for (int part = 0; part < count / LANES; part++) {
        SUMS bias = WIDE(load)(by->biases + output + part * LANES);
        for (int k = 0; k < COLUMNS; k++) sums[k][part] = bias;
    }
    for (int input = 0; input < inputs; input += 2) {
        const int16_t *pairs = by->weights + input * outputs + output * 2;
        SUMS weights[WIDEST / LANES];
        for (int part = 0; part < count / LANES; part++) weights[part] = WIDE(load)(pairs + part * 2 * LANES);
        for (int k = 0; k < COLUMNS; k++) {
            int32_t two;
            memcpy(&two, values + k * inputs + input, sizeof two);
            SUMS value = WIDE(repeat)(two);
            for (int part = 0; part < count / LANES; part++) {
                sums[k][part] = NAME(accumulate)(sums[k][part], value, weights[part]);
            }
        }
    }
    for (int k = 0; k < stored; k++) {
        int16_t *results = target + k * outputs + output;
        for (int part = 0; part < count / LANES; part += 16 / LANES) {
            WIDE(store16)(sums[k] + part, by->shift, is_rectified, results + part * LANES);
        }
    }
}

/// A row of a 1x1 convolution.
static void NAME(pointwise)(
    const int16_t *row, int columns, int inputs, int outputs, const cfaces_convolution *by, int is_rectified,
    int16_t *target) {
    int count = outputs % WIDEST == 0 ? WIDEST : 16;
    for (int output = 0; output < outputs; output += count) {
        for (int column = 0; column < columns; column += COLUMNS) {
            // The last columns are computed twice rather than one by one.
            int start = column + COLUMNS <= columns ? column : columns > COLUMNS ? columns - COLUMNS : 0;
            int stored = columns - start < COLUMNS ? columns - start : COLUMNS;
            const int16_t *values = row + start * inputs;
            int16_t *results = target + start * outputs;
            if (count == WIDEST) {
                NAME(pointwise_block)(values, inputs, outputs, by, output, WIDEST, is_rectified, stored, results);
            } else {
                NAME(pointwise_block)(values, inputs, outputs, by, output, 16, is_rectified, stored, results);
            }
        }
    }
}

/// A row of a 3x3 convolution of each channel. Two neighbouring taps are multiplied and added at once; the ninth has none.
///
/// A vector holds the values of several channels, and of several columns if these have fewer channels than it holds: a row is
/// one run of values. It may be written past its end, by less than a vector; what is there is written later, or never
/// read.
static void NAME(depthwise)(
    const int16_t *const rows[3], int columns, int channels, const cfaces_convolution *by, int is_rectified,
    int16_t *target) {
    enum { VALUES = 2 * LANES, SOME = VALUES < 16 ? VALUES : 16, TAP_PAIRS = 5 };
    int length = columns * channels, step = channels > VALUES ? channels : VALUES;
    for (int block = 0; block < channels; block += VALUES) {
        // Unpacking takes the lower and the upper four of each eight values, packing puts them back.
        SUMS weights[TAP_PAIRS][2], biases[2];
        for (int pair = 0; pair < TAP_PAIRS; pair++) {
            int16_t one[VALUES], two[VALUES] = {0};
            for (int k = 0; k < VALUES; k += SOME) {
                const int16_t *tap = by->weights + pair * 2 * channels + (block + k) % channels;
                memcpy(one + k, tap, SOME * sizeof *tap);
                if (pair < TAP_PAIRS - 1) memcpy(two + k, tap + channels, SOME * sizeof *tap);
            }
            weights[pair][0] = WIDE(unpack_low)(WIDE(load)(one), WIDE(load)(two));
            weights[pair][1] = WIDE(unpack_high)(WIDE(load)(one), WIDE(load)(two));
        }
        for (int half = 0; half < 2; half++) {
            int32_t sums[LANES];
            for (int k = 0; k < LANES; k += 4) {
                memcpy(sums + k, by->biases + (block + 2 * k + half * 4) % channels, 4 * sizeof *sums);
            }
            biases[half] = WIDE(load)(sums);
        }
        for (int at = block; at < length; at += step) {
            const int16_t *above = rows[0] + at, *same = rows[1] + at, *below = rows[2] + at;
            const int16_t *const taps[TAP_PAIRS][2] = {
                {above, above + channels}, {above + 2 * channels, same}, {same + channels, same + 2 * channels},
                {below, below + channels}, {below + 2 * channels, below + 2 * channels}};
            SUMS low = biases[0], high = biases[1];
            for (int pair = 0; pair < TAP_PAIRS; pair++) {
                SUMS first = WIDE(load)(taps[pair][0]), second = WIDE(load)(taps[pair][1]);
                low = NAME(accumulate)(low, WIDE(unpack_low)(first, second), weights[pair][0]);
                high = NAME(accumulate)(high, WIDE(unpack_high)(first, second), weights[pair][1]);
            }
            WIDE(store_packed)(low, high, by->shift, is_rectified, target + at);
        }
    }
}

#undef NAME
#undef WIDE
#undef SUMS
#undef LANES
#undef COLUMNS
#undef WIDEST
