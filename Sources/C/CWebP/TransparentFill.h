#ifndef TRANSPARENT_FILL_H
#define TRANSPARENT_FILL_H

#include <webp/encode.h>

/// Gives each pixel with alpha 0 the colour of the nearest pixel with another alpha; its alpha stays 0. Distances are
/// those of steps along rows, columns and diagonals, at most 8 % longer than straight ones. A picture without any
/// visible pixel is left as it is. 0: out of memory.
__attribute__((visibility("hidden"))) int cwebp_fill_transparent(WebPPicture *picture);

#endif
