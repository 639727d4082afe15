"""A PNG writer that can write every colour type, depth and interlacing, and also broken files.

Samples are integer arrays of shape (height, width, channels), at the file's own depth.
"""

import struct
import zlib

import numpy as np

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
IEND = b"\0\0\0\0IEND\xaeB`\x82"

# Adam7: (first column, first row, column step, row step)
ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4),
         (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


def chunk(kind, data=b"", crc=None, length=None):
    """One chunk; `crc` and `length` may be given to lie about them."""
    kind = kind.encode("latin-1") if isinstance(kind, str) else kind
    if crc is None:
        crc = zlib.crc32(kind + data)
    if length is None:
        length = len(data)
    return struct.pack(">I", length) + kind + data + struct.pack(">I", crc)


def ihdr(width, height, depth, colour_type, interlace=0, **lies):
    """The IHDR chunk."""
    return chunk("IHDR", struct.pack(">IIBBBBB", width, height, depth, colour_type, 0, 0,
                                     interlace), **lies)


def _row_bytes(samples, depth):
    """Pack samples (height, width, channels) into a (height, bytes) array."""
    height = samples.shape[0]
    flat = samples.reshape(height, -1)
    if depth == 16:
        return flat.astype(">u2").view(np.uint8).reshape(height, -1)
    if depth == 8:
        return flat.astype(np.uint8)
    bits = (flat[:, :, None] >> np.arange(depth - 1, -1, -1)) & 1
    return np.packbits(bits.reshape(height, -1).astype(np.uint8), axis=1)


def _filtered(rows, pixel_bytes):
    """The five filtered versions of every row: array (5, height, bytes)."""
    rows = rows.astype(np.int32)
    left = np.zeros_like(rows)
    left[:, pixel_bytes:] = rows[:, :-pixel_bytes] if rows.shape[1] > pixel_bytes else 0
    up = np.zeros_like(rows)
    up[1:] = rows[:-1]
    corner = np.zeros_like(rows)
    corner[1:] = left[:-1]
    p = left + up - corner
    pa, pb, pc = abs(p - left), abs(p - up), abs(p - corner)
    paeth = np.where((pa <= pb) & (pa <= pc), left, np.where(pb <= pc, up, corner))
    guesses = np.stack([np.zeros_like(rows), left, up, (left + up) // 2, paeth])
    return ((rows - guesses) & 255).astype(np.uint8)


def scanlines(samples, depth, filters="cycle"):
    """Filtered scanlines of one (sub)picture.

    `filters` is "cycle" (rows use filter 0, 1, 2, 3, 4, 0 ... in turn, so that every filter is
    exercised), "best" (least sum of absolute differences) or one filter number.
    """
    height, width = samples.shape[:2]
    if height == 0 or width == 0:
        return b""
    rows = _row_bytes(samples, depth)
    options = _filtered(rows, max(1, samples.shape[2] * depth // 8))
    if filters == "cycle":
        choice = np.arange(height) % 5
    elif filters == "best":
        cost = abs(options.view(np.int8).astype(np.int32)).sum(axis=2)
        choice = cost.argmin(axis=0)
    else:
        choice = np.full(height, filters)
    return b"".join(bytes([f]) + options[f, y].tobytes() for y, f in enumerate(choice))


def raw_image_data(samples, depth, interlace=False, filters="cycle"):
    """What the IDAT chunks hold before compression."""
    if not interlace:
        return scanlines(samples, depth, filters)
    return b"".join(scanlines(samples[y::dy, x::dx], depth, filters) for x, y, dx, dy in ADAM7)


def idat(data, size=None):
    """IDAT chunks holding `data`, each at most `size` bytes."""
    size = size or max(1, len(data))
    return b"".join(chunk("IDAT", data[i:i + size]) for i in range(0, max(1, len(data)), size))


def plte(palette):
    """The PLTE chunk of an (n, 3) array."""
    return chunk("PLTE", np.asarray(palette, dtype=np.uint8).tobytes())


def encode(samples, colour_type, depth, interlace=False, filters="cycle", palette=None,
           before_plte=b"", before_idat=b"", after_idat=b"", idat_size=None, level=9):
    """A whole PNG file; the three byte strings are ready-made chunks."""
    samples = np.asarray(samples)
    if samples.ndim == 2:
        samples = samples[:, :, None]
    height, width, channels = samples.shape
    assert channels == CHANNELS[colour_type]
    data = zlib.compress(raw_image_data(samples, depth, interlace, filters), level)
    return b"".join([
        SIGNATURE, ihdr(width, height, depth, colour_type, int(interlace)), before_plte,
        plte(palette) if palette is not None else b"", before_idat,
        idat(data, idat_size), after_idat, IEND])


def encode_rgba(picture):
    """The lossless 8-bit RGBA file used for every expected picture."""
    return encode(np.asarray(picture, dtype=np.uint8), 6, 8, filters="best")


def encode_cgbi(picture, colour_type):
    """Apple's CgBI variant: raw deflate, B and R swapped, colours premultiplied by alpha.

    `picture` is (height, width, 3 or 4) and, with alpha, already premultiplied.
    """
    order = [2, 1, 0] if colour_type == 2 else [2, 1, 0, 3]
    samples = np.asarray(picture)[:, :, order]
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = packer.compress(raw_image_data(samples, 8)) + packer.flush()
    height, width = samples.shape[:2]
    return b"".join([SIGNATURE, chunk("CgBI", b"\x50\x00\x20\x02"),
                     ihdr(width, height, 8, colour_type), idat(data), IEND])


# Ancillary chunks -----------------------------------------------------------------------------

def gama(value):
    """gAMA, `value` in units of 1/100000."""
    return chunk("gAMA", struct.pack(">I", value))


def chrm(primaries, white_xy):
    """cHRM from chromaticities."""
    values = [*white_xy, *primaries[0], *primaries[1], *primaries[2]]
    return chunk("cHRM", struct.pack(">8I", *[round(v * 100000) for v in values]))


def srgb(intent=0):
    """sRGB."""
    return chunk("sRGB", bytes([intent]))


def cicp(primaries, transfer, matrix=0, full_range=1):
    """Colours by the numbers of ITU-T H.273."""
    return chunk("cICP", bytes([primaries, transfer, matrix, full_range]))


def iccp(profile, name=b"profile"):
    """iCCP."""
    return chunk("iCCP", name + b"\0\0" + zlib.compress(profile, 9))


def exif(tiff):
    """eXIf: a TIFF block without the "Exif" prefix."""
    return chunk("eXIf", tiff)


def parse(data):
    """[(kind, offset of the chunk, length of its data)] of a well-formed file."""
    found, at = [], 8
    while at + 8 <= len(data):
        length, = struct.unpack(">I", data[at:at + 4])
        found.append((data[at + 4:at + 8].decode("latin-1"), at, length))
        at += length + 12
    return found
