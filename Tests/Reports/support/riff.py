"""Chunks of WebP files (RFC 9649)."""
import struct


def chunk(kind, body):
    return kind + struct.pack("<I", len(body)) + body + b"\0" * (len(body) % 2)


def webp(*chunks, size=None):
    """A file of these chunks; `size` may lie about it."""
    body = b"WEBP" + b"".join(chunks)
    return b"RIFF" + struct.pack("<I", len(body) if size is None else size) + body


def split(data):
    """The chunks, as pairs of name and payload."""
    place, found = 12, []
    while place + 8 <= len(data):
        kind, length = data[place:place + 4], struct.unpack("<I", data[place + 4:place + 8])[0]
        found.append((kind, data[place + 8:place + 8 + length]))
        place += 8 + length + length % 2
    return found


def canvas(width, height, flags=0):
    """VP8X. Flags: 2 animation, 4 XMP, 8 Exif, 16 alpha, 32 ICC."""
    return chunk(b"VP8X", struct.pack("<I", flags) + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little"))


def picture(data):
    """The chunks of the picture itself."""
    return [chunk(kind, body) for kind, body in split(data) if kind in (b"VP8 ", b"VP8L", b"ALPH")]
