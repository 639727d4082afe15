// The two kinds of layers for one kind of processor: included once for each, with its vectors. Rows of values are
// [columns][channels]; channels are multiples of 16.

// The sums of 16 outputs of a column.
#define PARTS (16 / LANES)

/// A row of a 1x1 convolution.
static void NAME(pointwise)(
    const int16_t *row, int columns, int inputs, int outputs, const cfaces_convolution *by, int is_rectified,
    int16_t *target) {
    for (int output = 0; output < outputs; output += 16) {
        const int16_t *weights = by->weights + output * 2;
        for (int column = 0; column < columns; column += COLUMNS) {
            // The last columns are computed twice rather than one by one.
            int start = column + COLUMNS <= columns ? column : columns > COLUMNS ? columns - COLUMNS : 0;
            const int16_t *values = row + start * inputs;
            SUMS sums[COLUMNS][PARTS];
            for (int part = 0; part < PARTS; part++) {
                SUMS bias = LOAD(by->biases + output + part * LANES);
                for (int k = 0; k < COLUMNS; k++) sums[k][part] = bias;
            }
            for (int input = 0; input < inputs; input += 2) {
                const int16_t *pairs = weights + input * outputs;
                for (int part = 0; part < PARTS; part++) {
                    SUMS weight = LOAD(pairs + part * 2 * LANES);
                    for (int k = 0; k < COLUMNS; k++) {
                        SUMS value = REPEAT(values + k * inputs + input);
                        sums[k][part] = ADD(sums[k][part], MULTIPLY_ADD(value, weight));
                    }
                }
            }
            int wanted = columns - start < COLUMNS ? columns - start : COLUMNS;
            for (int k = 0; k < wanted; k++) {
                STORE16(sums[k], by->shift, is_rectified, target + (start + k) * outputs + output);
            }
        }
    }
}
