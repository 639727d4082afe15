"""orientation/: one picture under every EXIF orientation."""

import numpy as np

from . import exif, geometry, jpeg_encoder, jpeg_tools, pictures, png_writer
from .book import Folder
from .colour import rgb_to_ycbcr, to_bytes

ABOUT = """
One asymmetric picture stored under EXIF orientation 0...9 and 65535, in either byte order, as
SHORT and as LONG, as JPEG APP1 and PNG eXIf. Every file must come out as `upright.expected.png`
(the centre square; the sides differ by an odd number, so a crop before turning is one pixel off).
"""
VALUES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 65535]
ORDERS = {"le": "<", "be": ">"}


def _jpeg(picture, orientation, segments, jfif):
    stored = geometry.stored_for(picture, orientation)
    planes = rgb_to_ycbcr(stored) * 255
    return jpeg_encoder.encode(planes, quality=92,
                               before=(jpeg_encoder.JFIF if jfif else b"") + segments)


def make(root):
    """The folder, ready to be written."""
    folder = Folder(root, "orientation", ABOUT, {
        "outcome": "draws", "expected": "upright.expected.png", "mae": 3.0, "psnr": 34.0})
    picture = pictures.card(45, 68)
    square = to_bytes(geometry.centre_square(picture))
    opaque = np.full(square.shape[:2] + (1,), 255, np.uint8)
    folder.add_extra("upright.expected.png",
                     png_writer.encode_rgba(np.concatenate([square, opaque], axis=-1)))

    for name, order in ORDERS.items():
        for value in VALUES:
            segment = jpeg_tools.exif_segment(exif.block(value, order))
            folder.add(f"jpeg-{name}-{value}.jpg",
                       _jpeg(picture, value, segment, jfif=order == ">"))
        for value in (3, 6, 8):
            segment = jpeg_tools.exif_segment(exif.block(value, order, exif.LONG))
            folder.add(f"jpeg-{name}-long-{value}.jpg", _jpeg(picture, value, segment, False))
        for value, other in ((6, 3), (1, 8)):
            small = _jpeg(pictures.card(16, 11), 1, b"", True)
            block = exif.block(value, order, thumbnail=small, thumbnail_orientation=other)
            folder.add(f"jpeg-{name}-thumbnail-{value}.jpg",
                       _jpeg(picture, value, jpeg_tools.exif_segment(block), False))
        only = exif.block(None, order, thumbnail=small, thumbnail_orientation=6)
        folder.add(f"jpeg-{name}-thumbnail-only.jpg",
                   _jpeg(picture, 1, jpeg_tools.exif_segment(only), True))
        segment = jpeg_tools.xmp_segment() + jpeg_tools.exif_segment(exif.block(6, order))
        folder.add(f"jpeg-{name}-after-xmp-6.jpg", _jpeg(picture, 6, segment, True))
    # An orientation in XMP alone is not EXIF: as browsers do, it is ignored.
    folder.add("jpeg-xmp-only.jpg", _jpeg(picture, 1, jpeg_tools.xmp_segment(), True))

    exact = {"mae": 0.5, "psnr": 48.0}
    for value in VALUES:
        order = "<" if value % 2 else ">"
        stored = to_bytes(geometry.stored_for(picture, value))
        data = png_writer.encode(stored, 2, 8, filters="best",
                                 before_idat=png_writer.exif(exif.block(value, order)))
        folder.add(f"png-{value}.png", data, **exact)
    stored = to_bytes(geometry.stored_for(picture, 6))
    block = exif.block(6, "<", exif.LONG)
    folder.add("png-long-6.png", png_writer.encode(
        stored, 2, 8, filters="best", before_idat=png_writer.exif(block)), **exact)
    folder.add("png-adam7-after-idat-6.png", png_writer.encode(
        stored, 2, 8, True, "best", after_idat=png_writer.exif(exif.block(6, ">"))), **exact)
    return folder
