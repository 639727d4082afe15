"""PNG files made of chunks, of the four quadrants in 64 x 64 pixels."""
import struct
import zlib

from support import quadrants
from support.pictures import chunk

SIGNATURE = b"\x89PNG\r\n\x1a\n"
END = chunk(b"IEND", b"")


def header(width=64, height=64, depth=8, color_type=2, interlace=0):
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color_type, 0, 0, interlace))


def rows(pixels=None):
    pixels = pixels or quadrants.rows()
    return b"".join(b"\0" + b"".join(bytes(pixel) for pixel in row) for row in pixels)


def file(*middle, head=None, data=None, behind=(), end=END):
    data = zlib.compress(rows()) if data is None else data
    return SIGNATURE + (head or header()) + b"".join(middle) + chunk(b"IDAT", data) + b"".join(behind) + end
