"""A writer for the TIFF block inside EXIF, in either byte order, well-formed or not."""

import struct

BYTE, ASCII, SHORT, LONG, RATIONAL = 1, 2, 3, 4, 5
_CODES = {BYTE: "B", SHORT: "H", LONG: "I"}

MAKE, ORIENTATION, SOFTWARE = 0x010F, 0x0112, 0x0131
THUMBNAIL_OFFSET, THUMBNAIL_LENGTH = 0x0201, 0x0202


def _value(order, kind, value):
    """(count, bytes) of one entry's value."""
    if kind == ASCII:
        data = value.encode("ascii") + b"\0"
        return len(data), data
    values = value if isinstance(value, (list, tuple)) else [value]
    return len(values), struct.pack(order + _CODES[kind] * len(values), *values)


def ifd(order, entries, at, next_ifd=0):
    """One IFD placed at offset `at`; entries are (tag, type, value), longer values follow it."""
    entries = sorted(entries)
    body, tail = b"", b""
    tail_at = at + 2 + 12 * len(entries) + 4
    for tag, kind, value in entries:
        count, data = _value(order, kind, value)
        if len(data) <= 4:
            field = data.ljust(4, b"\0")
        else:
            field = struct.pack(order + "I", tail_at + len(tail))
            tail += data + b"\0" * (len(data) % 2)
        body += struct.pack(order + "HHI", tag, kind, count) + field
    return (struct.pack(order + "H", len(entries)) + body
            + struct.pack(order + "I", next_ifd) + tail)


def header(order, first_ifd=8):
    """The eight bytes every TIFF block starts with."""
    return (b"II" if order == "<" else b"MM") + struct.pack(order + "HI", 42, first_ifd)


def block(orientation=None, order="<", kind=SHORT, thumbnail=None, thumbnail_orientation=1):
    """A TIFF block with the orientation in IFD0 and, if asked, a thumbnail in IFD1."""
    entries = [(MAKE, ASCII, "Tondo fixtures"), (SOFTWARE, ASCII, "make_fixtures.py")]
    if orientation is not None:
        entries.append((ORIENTATION, kind, orientation))
    if thumbnail is None:
        return header(order) + ifd(order, entries, 8)
    second_at = 8 + len(ifd(order, entries, 8))
    first = ifd(order, entries, 8, next_ifd=second_at)

    def second(offset):
        return ifd(order, [(ORIENTATION, SHORT, thumbnail_orientation),
                           (THUMBNAIL_OFFSET, LONG, offset),
                           (THUMBNAIL_LENGTH, LONG, len(thumbnail))], second_at)

    return header(order) + first + second(second_at + len(second(0))) + thumbnail


# Broken blocks --------------------------------------------------------------------------------

def self_pointing(order="<"):
    """IFD0's "next IFD" is IFD0 itself."""
    return header(order) + ifd(order, [(MAKE, ASCII, "loop")], 8, next_ifd=8)


def cyclic_pair(order="<"):
    """IFD0 -> IFD1 -> IFD0 -> ..."""
    first = ifd(order, [(SOFTWARE, SHORT, 1)], 8, next_ifd=8 + 18)
    return header(order) + first + ifd(order, [(SOFTWARE, SHORT, 2)], 26, next_ifd=8)


def offset_beyond_end(order="<"):
    """The first IFD is said to be far outside the block."""
    return header(order, first_ifd=0x7FFFFFF0)


def huge_count(order="<"):
    """An entry with 2^32 - 1 values and an offset, before a plain orientation."""
    entry = struct.pack(order + "HHII", MAKE, RATIONAL, 0xFFFFFFFF, 8)
    orientation = struct.pack(order + "HHIHH", ORIENTATION, SHORT, 0xFFFFFFFF, 6, 0)
    return (header(order) + struct.pack(order + "H", 2) + entry + orientation
            + struct.pack(order + "I", 0))


def too_many_entries(order="<"):
    """An IFD that announces 65535 entries and ends after one."""
    return (header(order) + struct.pack(order + "H", 0xFFFF)
            + struct.pack(order + "HHII", SOFTWARE, SHORT, 1, 1))
