"""GIF files by hand: every block and code is ours."""

import struct

import numpy as np


def blocks(data, size=255):
    parts = [data[at:at + size] for at in range(0, len(data), size)]
    return b"".join(bytes([len(part)]) + part for part in parts) + b"\0"


def packed(codes):
    """[(code, bits)] -> bytes, the first bit lowest."""
    value = at = 0
    for code, bits in codes:
        value |= code << at
        at += bits
    return value.to_bytes((at + 7) // 8, "little")


def lzw(indices, size, clear_at=4096, clears=True):
    """The codes of a picture. clear_at: begins again after so many codes; clears=False: keeps the full table."""
    clear, end = 1 << size, (1 << size) + 1
    codes, table, width = [(clear, size + 1)], {}, size + 1
    reset = {bytes([i]): i for i in range(clear)}
    table, next_code = dict(reset), end + 1
    text = b""
    for index in indices:
        longer = text + bytes([index])
        if longer in table:
            text = longer
            continue
        codes.append((table[text], width))
        if next_code < 4096:
            table[longer] = next_code
            next_code += 1
            if next_code - 1 == 1 << width and width < 12:
                width += 1
        if clears and next_code >= clear_at:
            codes.append((clear, width))
            table, next_code, width = dict(reset), end + 1, size + 1
        text = bytes([index])
    codes.append((table[text], width))
    next_code += 1
    if next_code - 1 == 1 << width and width < 12:
        width += 1
    codes.append((end, width))
    return packed(codes)


def table(colours):
    """(bits, bytes) of a colour table, filled up to a power of two."""
    bits = max(0, (len(colours) - 1).bit_length() - 1)
    return bits, bytes(np.asarray(colours, np.uint8).ravel()) + b"\0" * (3 * ((2 << bits) - len(colours)))


def interlaced(rows):
    return np.concatenate([rows[0::8], rows[4::8], rows[2::4], rows[1::2]])


def image(indices, x=0, y=0, size=8, colours=None, is_interlaced=False, **how):
    """The blocks of one image; `colours`: its own table."""
    height, width = indices.shape
    flags, own = 0, b""
    if colours is not None:
        bits, own = table(colours)
        flags = 0x80 | bits
    rows = interlaced(indices) if is_interlaced else indices
    head = b"," + struct.pack("<HHHHB", x, y, width, height, flags | (0x40 if is_interlaced else 0))
    return head + own + bytes([size]) + blocks(lzw(rows.ravel().tolist(), size, **how))


def control(transparent=None):
    return b"!\xf9\4" + struct.pack("<BHB", 0 if transparent is None else 1, 10, transparent or 0) + b"\0"


COMMENT = b"!\xfe" + blocks(b"a comment")
LOOP = b"!\xff\x0bNETSCAPE2.0\3\1\0\0\0"


def gif(width, height, *parts, colours=None, version=b"GIF89a", background=0):
    flags, shared = 0, b""
    if colours is not None:
        bits, shared = table(colours)
        flags = 0x80 | bits
    return version + struct.pack("<HHBBB", width, height, flags, background, 0) + shared + b"".join(parts) + b";"
