"""unsupported/: what people also put into PHOTO; only the first bytes of each, written by hand."""

import struct

import numpy as np

from . import jpeg_encoder, jpeg_tools, png_writer
from .book import Folder

ABOUT = """
Other formats, and kinds of JPEG no browser shows: each is refused with its outcome, and the
message contains `says` (in any letter case). The files are headers only, made by hand.
"""


def _headers():
    """name -> (bytes, part of the message)"""
    bmp = b"BM" + struct.pack("<IHHI", 58, 0, 0, 54) + struct.pack(
        "<IiiHHIIiiII", 40, 1, 1, 1, 24, 0, 4, 2835, 2835, 0, 0) + b"\x20\x40\x80\0"
    tiff_entry = struct.pack("<HHHII", 1, 256, 4, 1, 1) + b"\0" * 4
    icon = struct.pack("<HHHBBBBHHII", 0, 1, 1, 1, 1, 0, 0, 1, 32, 48, 22) + b"\0" * 48
    return {
        "bmp-called-jpg.jpg": (bmp, "BMP"),
        "bmp.bmp": (bmp, "BMP"),
        "tiff-little-endian.tif": (b"II*\0\x08\0\0\0" + tiff_entry, "TIFF"),
        "tiff-big-endian.tif": (b"MM\0*\0\0\0\x08" + struct.pack(">HHHII", 1, 256, 4, 1, 1)
                                + b"\0" * 4, "TIFF"),
        "jpeg-xl-codestream.jxl": (b"\xff\x0a\xfa\x1f\x01\x91\x08\x06\x01\0\x6f\0", "JPEG XL"),
        "jpeg-xl-container.jxl": (b"\0\0\0\x0cJXL \r\n\x87\n" + b"\0\0\0\x14ftypjxl \0\0\0\0jxl ",
                                  "JPEG XL"),
        "jpeg-2000.jp2": (b"\0\0\0\x0cjP  \r\n\x87\n" + b"\0\0\0\x14ftypjp2 \0\0\0\0jp2 ",
                          "JPEG 2000"),
        "jpeg-2000-codestream.j2k": (b"\xff\x4f\xff\x51\0\x29\0\0" + b"\0\0\0\1" * 2 + b"\0" * 28,
                                     "JPEG 2000"),
        "svg.svg": (b'<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>\n', "SVG"),
        "svg-with-xml-head.svg": (b'\xef\xbb\xbf<?xml version="1.0"?>\n<!-- drawn by hand -->\n'
                                  b'<svg xmlns="http://www.w3.org/2000/svg"/>\n', "SVG"),
        "pdf.pdf": (b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n%%EOF\n", "PDF"),
        "icon.ico": (icon, "ICO"),
        # It begins as a cursor does that has no pictures.
        "targa.tga": (b"\0\0\2\0\0\0\0\0" + struct.pack("<HHHHBB", 0, 0, 1, 1, 24, 0) + b"\x20\x40\x80", "TGA"),
        "photoshop.psd": (b"8BPS\0\1" + b"\0" * 6 + struct.pack(">HIIHH", 3, 1, 1, 8, 3), "PSD"),
        "text.txt": (b"This is not a picture, it is a sentence.\n", ""),
        "web-page-called-jpg.jpg": (b"<!DOCTYPE html>\n<title>404 Not Found</title>\n", ""),
        "base64-left-over.jpg": (b"/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwM=\n", ""),
        "zeros.bin": (b"\0" * 64, ""),
        "one-byte.bin": (b"\xff", ""),
    }


def _png_kinds():
    """name -> (bytes, part of the message): colours of brighter lights than a display's (cICP)."""
    pixels = np.full((4, 4, 3), 120)

    def file(transfer, depth=8):
        return png_writer.encode(pixels, 2, depth, before_plte=png_writer.cicp(9, transfer))

    return {"png-pq.png": (file(16), "dynamic range (PQ)"), "png-pq-16-bit.png": (file(16, 16), "dynamic range (PQ)"),
            "png-hlg.png": (file(18), "dynamic range (HLG)")}


def _jpeg_kinds():
    """name -> (bytes, part of the message): a frame header no 8-bit DCT decoder may accept."""
    plain = jpeg_encoder.encode(np.full((8, 8, 1), 100.0))

    def precision(bits):
        def edit(payload):
            payload[0] = bits
        return edit

    return {
        "jpeg-12-bit.jpg": (jpeg_tools.with_sof(plain, 0xC1, precision(12)), "12-bit"),
        "jpeg-12-bit-progressive.jpg": (jpeg_tools.with_sof(plain, 0xC2, precision(12)), "12-bit"),
        "jpeg-lossless.jpg": (jpeg_tools.with_sof(plain, 0xC3), "lossless"),
        "jpeg-lossless-16-bit.jpg": (jpeg_tools.with_sof(plain, 0xC3, precision(16)), "lossless"),
        "jpeg-lossless-arithmetic.jpg": (jpeg_tools.with_sof(plain, 0xCB), "lossless"),
        "jpeg-hierarchical.jpg": (jpeg_tools.with_sof(plain, 0xC5), "hierarchical"),
        "jpeg-hierarchical-progressive.jpg": (jpeg_tools.with_sof(plain, 0xC6), "hierarchical"),
        "jpeg-hierarchical-arithmetic.jpg": (jpeg_tools.with_sof(plain, 0xCD), "hierarchical"),
        "jpeg-ls.jpg": (jpeg_tools.with_sof(plain, 0xF7), "JPEG"),
    }


def make(root):
    """The folder, ready to be written."""
    folder = Folder(root, "unsupported", ABOUT, {"outcome": "unsupported"})
    for name, (data, says) in {**_headers(), **_jpeg_kinds(), **_png_kinds()}.items():
        folder.add(name, data, **({"says": says} if says else {}))
    folder.files["jpeg-ls.jpg"][1]["outcome"] = ["unsupported", "corrupt"]
    folder.files["one-byte.bin"][1]["outcome"] = ["unsupported", "truncated"]
    folder.add("empty.jpg", b"", outcome="empty")
    return folder
