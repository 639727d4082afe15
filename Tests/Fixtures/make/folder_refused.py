"""refused/: headers that promise far more than their few bytes can hold."""

import struct
import zlib

import numpy as np

from . import jpeg_encoder, jpeg_tools, png_writer
from .book import Folder

ABOUT = """
Header bombs and impossible sizes. Each must be refused by its outcome before anything of the
promised size is allocated: quickly (well under 100 ms) and within a few megabytes.
"""
HUGE = ["tooLarge", "overMemory"]


def _png(width, height, depth=8, colour_type=2, interlace=0):
    data = zlib.compress(b"\0" * 64, 9)
    return (png_writer.SIGNATURE + png_writer.ihdr(width, height, depth, colour_type, interlace)
            + png_writer.idat(data) + png_writer.IEND)


def _resized(data, width, height, code=None):
    def edit(payload):
        payload[1:5] = struct.pack(">HH", height, width)
    return jpeg_tools.with_sof(data, code, edit)


def _with_dnl(data, lines):
    """The height given after the first scan, in a DNL segment."""
    segments = jpeg_tools.split(data)
    segments.append(jpeg_tools.Segment(0xDC, struct.pack(">H", lines)))
    return jpeg_tools.join(segments)


def make(root):
    """The folder, ready to be written."""
    folder = Folder(root, "refused", ABOUT, {"outcome": HUGE})
    gray = np.full((16, 16), 90, np.uint8)
    colour = np.dstack([gray, gray + 40, gray + 90])
    baseline = jpeg_encoder.encode(np.full((16, 16, 1), 90.0))
    progressive = jpeg_tools.cjpeg(colour, "-progressive")
    arithmetic = jpeg_tools.cjpeg(colour, "-progressive", "-arithmetic")

    folder.add("jpeg-65535x65535.jpg", _resized(baseline, 65535, 65535), outcome="tooLarge")
    folder.add("jpeg-65500x65500.jpg", _resized(baseline, 65500, 65500))
    folder.add("jpeg-65500x65500-progressive.jpg", _resized(progressive, 65500, 65500))
    folder.add("jpeg-20000x20000-progressive.jpg", _resized(progressive, 20000, 20000))
    folder.add("jpeg-20000x20000-progressive-arithmetic.jpg", _resized(arithmetic, 20000, 20000))
    folder.add("jpeg-65535x1.jpg", _resized(baseline, 65535, 1), outcome="tooLarge")
    folder.add("jpeg-zero-width.jpg", _resized(baseline, 0, 16), outcome="corrupt")
    folder.add("jpeg-zero-both.jpg", _resized(baseline, 0, 0), outcome="corrupt")
    zero = ["corrupt", "unsupported"]
    folder.add("jpeg-zero-height.jpg", _resized(baseline, 16, 0), outcome=zero)
    folder.add("jpeg-zero-height-with-dnl-of-zero.jpg", _with_dnl(_resized(baseline, 16, 0), 0), outcome=zero)
    folder.add("jpeg-zero-height-with-dnl-of-65535.jpg", _with_dnl(_resized(baseline, 16, 0), 65535),
               outcome="tooLarge")

    folder.add("png-100000x1.png", _png(100_000, 1), outcome="tooLarge")
    folder.add("png-1x100000.png", _png(1, 100_000), outcome="tooLarge")
    folder.add("png-30000x30000.png", _png(30_000, 30_000))
    folder.add("png-30000x30000-1-bit.png", _png(30_000, 30_000, 1, 0))
    folder.add("png-20000x20000-adam7-16-bit.png", _png(20_000, 20_000, 16, 6, 1))
    top = 2 ** 31 - 1
    folder.add("png-2147483647x2147483647.png", _png(top, top, 16, 6), outcome="tooLarge")
    folder.add("png-2147483647x1.png", _png(top, 1), outcome="tooLarge")
    folder.add("png-1x2147483647.png", _png(1, top, 1, 0), outcome="tooLarge")
    beyond = ["corrupt", "tooLarge"]
    folder.add("png-2147483648x1.png", _png(top + 1, 1), outcome=beyond)
    folder.add("png-4294967295x4294967295.png", _png(2 ** 32 - 1, 2 ** 32 - 1), outcome=beyond)
    folder.add("png-zero-width.png", _png(0, 16), outcome="corrupt")
    folder.add("png-zero-height.png", _png(16, 0), outcome="corrupt")
    folder.add("png-zero-both.png", _png(0, 0, 1, 0, 1), outcome="corrupt")
    return folder
