"""Writers of small GIFs (GIF89a)."""
import struct


def indices_packed(indices, code_size=8):
    """The image data: codes of one width, with a clear code before the table grows."""
    clear, width, bits, count, out, since = 1 << code_size, code_size + 1, 0, 0, bytearray(), 0

    def put(code):
        nonlocal bits, count
        bits |= code << count
        count += width
        while count >= 8:
            out.append(bits & 0xFF)
            bits >>= 8
            count -= 8

    put(clear)
    for index in indices:
        if since == (1 << code_size) - 3:
            put(clear)
            since = 0
        put(index)
        since += 1
    put(clear + 1)
    if count:
        out.append(bits & 0xFF)
    blocks = b"".join(bytes([len(out[at:at + 255])]) + bytes(out[at:at + 255]) for at in range(0, len(out), 255))
    return bytes([code_size]) + blocks + b"\0"


def table(colours, size=256):
    return b"".join(bytes(colour) for colour in colours).ljust(3 * size, b"\0")


def screen(width, height, colours=None, background=0, version=b"GIF89a"):
    flags = 0xF7 if colours else 0x70
    return version + struct.pack("<HHBBB", width, height, flags, background, 0) + (table(colours) if colours else b"")


def control(transparent=None, delay=10):
    return b"\x21\xf9\x04" + struct.pack("<BHB", transparent is not None, delay, transparent or 0) + b"\0"


def image(rows, x=0, y=0, colours=None, interlaced=False, code_size=8, size=None, packed=None):
    """`rows` of indices; `size` is what is stated, if that is not theirs; `packed` stands for their data."""
    height, width = len(rows), len(rows[0])
    order = [line for start, step in ((0, 8), (4, 8), (2, 4), (1, 2)) for line in range(start, height, step)] if interlaced else range(height)
    flags = (0x87 if colours else 0) | (0x40 if interlaced else 0)
    data = packed or indices_packed((index for line in order for index in rows[line]), code_size)
    return b"\x2c" + struct.pack("<HHHHB", x, y, *(size or (width, height)), flags) + (table(colours) if colours else b"") + data


TRAILER = b"\x3b"
