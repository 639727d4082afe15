"""WebP files: encoded by Pillow, their chunks (RFC 9649) by hand."""

import io
import struct

import numpy as np
from PIL import Image

ANIMATED, EXIF, ALPHA, ICC = 0x02, 0x08, 0x10, 0x20


def encode(samples, lossless=False, quality=90):
    """8-bit (h, w, 3 or 4) -> a file; hidden colours are kept."""
    target = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(samples)).save(
        target, "WEBP", lossless=lossless, quality=quality, method=4, exact=True)
    return target.getvalue()


def decoded(data):
    """Floats (h, w, 3 or 4) of the first frame, as Pillow shows it."""
    image = Image.open(io.BytesIO(data))
    return np.asarray(image.convert("RGBA" if "A" in image.mode else "RGB")) / 255


def chunk(name, payload):
    return name + struct.pack("<I", len(payload)) + payload + b"\0" * (len(payload) & 1)


def riff(*chunks):
    payload = b"WEBP" + b"".join(chunks)
    return b"RIFF" + struct.pack("<I", len(payload)) + payload


def split(data):
    """[(name, payload)] of a file's chunks."""
    chunks, at = [], 12
    while at + 8 <= len(data):
        size = struct.unpack_from("<I", data, at + 4)[0]
        chunks.append((data[at:at + 4], data[at + 8:at + 8 + size]))
        at += 8 + size + (size & 1)
    return chunks


def frame(data):
    """The chunks of the picture alone: VP8L, or ALPH and VP8."""
    return b"".join(chunk(*each) for each in split(data) if each[0] in (b"VP8 ", b"VP8L", b"ALPH"))


def three(value):
    return struct.pack("<I", value)[:3]


def vp8x(flags, width, height):
    return chunk(b"VP8X", struct.pack("<I", flags) + three(width - 1) + three(height - 1))


def extended(data, width, height, flags=0, before=b"", after=b""):
    """The picture of a file with a canvas of this size, and chunks before and after it."""
    alpha = ALPHA if any(name == b"ALPH" for name, _ in split(data)) else 0
    return riff(vp8x(flags | alpha, width, height), before, frame(data), after)


def anmf(data, x, y, width, height):
    """A frame of an animation, at an even place."""
    return chunk(b"ANMF", three(x // 2) + three(y // 2) + three(width - 1) + three(height - 1) + three(100) + b"\2"
                 + frame(data))


def animation(width, height, *frames):
    return riff(vp8x(ANIMATED | ALPHA, width, height), chunk(b"ANIM", b"\xff\0\0\xff" + b"\0\0"), *frames)
