/// Pictures of given coefficients in which all components have one size: nothing is upsampled, and each row of blocks is
/// made alone.
#ifndef CJPEG_GIVEN_SAMPLES_H
#define CJPEG_GIVEN_SAMPLES_H

#include "Coefficients.h"

/// Makes the wanted region, which is inside the picture, as libjpeg would. `info`: after `jpeg_start_decompress`, which
/// refuses what it does not support. Zero if libjpeg has to make it: other colours, sampling factors or coefficients than
/// most pictures have.
CJPEG_HIDDEN int cjpeg_samples_read(j_decompress_ptr info, const cjpeg_request *request, cjpeg_result *result);

#endif
