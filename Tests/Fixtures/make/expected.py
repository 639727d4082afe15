"""Expected pictures: what a decode must look like, as lossless RGBA files."""

import numpy as np

from . import png_writer
from .colour import to_bytes
from .geometry import centre_square

LOSSLESS = {"mae": 0.5, "psnr": 48.0}   # rounding may go either way, nothing else
LOSSY = {"mae": 1.0, "psnr": 42.0}      # two IDCTs that agree within the JPEG standard
MANAGED = {"mae": 1.5, "psnr": 38.0}    # 8-bit or table-driven colour conversion
TABLES = {"mae": 3.0, "psnr": 32.0}     # CMYK tables, interpolated one way or another


def rgba(picture):
    """Floats (h, w, 1...4) in sRGB -> 8-bit RGBA of the centre square."""
    channels = picture.shape[2]
    if channels in (1, 2):
        picture = np.concatenate([picture[:, :, :1]] * 3 + [picture[:, :, 1:]], axis=-1)
    square = to_bytes(centre_square(picture))
    if square.shape[2] == 3:
        opaque = np.full(square.shape[:2] + (1,), 255, np.uint8)
        square = np.concatenate([square, opaque], axis=-1)
    square[square[:, :, 3] == 0] = 0
    return square


def file(picture):
    """The expected PNG of an upright float picture in sRGB."""
    return png_writer.encode_rgba(rgba(picture))


def psnr(a, b):
    """PSNR in dB of two 8-bit pictures, colours weighted by alpha as a test should do it."""
    a, b = premultiplied(a), premultiplied(b)
    error = np.mean((a - b) ** 2)
    return 99.0 if error == 0 else min(99.0, 10 * np.log10(255 ** 2 / error))


def mae(a, b):
    """Mean absolute error in 8-bit steps, premultiplied."""
    return float(np.mean(abs(premultiplied(a) - premultiplied(b))))


def premultiplied(picture):
    """8-bit RGBA -> floats with the colours multiplied by alpha."""
    picture = picture.astype(np.float64)
    picture[:, :, :3] *= picture[:, :, 3:] / 255
    return picture
