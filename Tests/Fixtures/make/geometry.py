"""EXIF orientation and the centre square, on arrays."""

import numpy as np

# What a viewer has to do with the stored picture, per EXIF orientation value.
_UPRIGHT = {
    1: lambda a: a,
    2: lambda a: a[:, ::-1],
    3: lambda a: a[::-1, ::-1],
    4: lambda a: a[::-1],
    5: lambda a: np.swapaxes(a, 0, 1),
    6: lambda a: np.rot90(a, -1),
    7: lambda a: np.swapaxes(a, 0, 1)[::-1, ::-1],
    8: lambda a: np.rot90(a, 1),
}
_INVERSE = {6: 8, 8: 6}


def upright(stored, orientation):
    """The picture as it should be seen; values outside 1...8 mean "as stored"."""
    return np.ascontiguousarray(_UPRIGHT.get(orientation, _UPRIGHT[1])(stored))


def stored_for(picture, orientation):
    """How an upright picture has to be stored to be seen upright under `orientation`."""
    return upright(picture, _INVERSE.get(orientation, orientation))


def centre_square(picture):
    """The centre square of an upright picture, its corner rounded down."""
    height, width = picture.shape[:2]
    side = min(width, height)
    y, x = (height - side) // 2, (width - side) // 2
    return np.ascontiguousarray(picture[y:y + side, x:x + side])
