"""Small PNG photos in one solid colour each, drawn and read with zlib alone.

The centre pixel of an avatar is the colour of its photo, so that a photo is known by its avatar.
"""
import functools
import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}


def _piece(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


@functools.lru_cache(512)
def draw(colour: str, side: int = 16) -> bytes:
    """A PNG of `side` x `side` pixels; `colour`: six hexadecimal digits."""
    rows = (b"\0" + bytes.fromhex(colour) * side) * side
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return SIGNATURE + _piece(b"IHDR", header) + _piece(b"IDAT", zlib.compress(rows, 1)) + _piece(b"IEND", b"")


def cut(colour: str, side: int = 16) -> bytes:
    """The beginning of a photo, as a writer leaves it that was killed."""
    whole = draw(colour, side)
    return whole[:whole.index(b"IDAT") + 10]


def broken(colour: str) -> bytes:
    """No picture at all."""
    return b"no picture: " + colour.encode()


def make(kind: str) -> bytes:
    """The bytes of a photo by its short name: `RRGGBB`, `RRGGBB*SIDE`, `cut-RRGGBB` or `broken-RRGGBB`."""
    if kind.startswith("cut-"):
        return cut(kind[4:])
    if kind.startswith("broken-"):
        return broken(kind[7:])
    colour, _, side = kind.partition("*")
    return draw(colour, int(side or 16))


def centre(png: bytes) -> str | None:
    """The colour of the centre pixel; None for what is no whole 8-bit PNG without palette."""
    try:
        pieces, at = {}, len(SIGNATURE)
        if not png.startswith(SIGNATURE):
            return None
        while at < len(png):
            length, kind = struct.unpack_from(">I4s", png, at)
            data = png[at + 8:at + 8 + length]
            if len(data) != length:
                return None
            pieces[kind] = pieces.get(kind, b"") + data
            at += 12 + length
        width, height, depth, colour, *_ = struct.unpack(">IIBBBBB", pieces[b"IHDR"])
        if depth != 8 or colour not in CHANNELS or b"IEND" not in pieces:
            return None
        row = _row(zlib.decompress(pieces[b"IDAT"]), width, height // 2, CHANNELS[colour])
        pixel = row[width // 2 * CHANNELS[colour]:][:CHANNELS[colour]]
        grey = CHANNELS[colour] < 3
        return (pixel[:1] * 3 if grey else pixel[:3]).hex()
    except (KeyError, ValueError, struct.error, zlib.error):
        return None


def _row(data: bytes, width: int, number: int, channels: int) -> bytearray:
    """One row without the filters of PNG."""
    size = width * channels
    before = bytearray(size)
    for index in range(number + 1):
        start = index * (size + 1)
        kind, row = data[start], bytearray(data[start + 1:start + 1 + size])
        for at in range(size):
            left = row[at - channels] if at >= channels else 0
            corner = before[at - channels] if at >= channels else 0
            row[at] = row[at] + _predicted(kind, left, before[at], corner) & 255
        before = row
    return before


def _predicted(kind: int, left: int, above: int, corner: int) -> int:
    if kind == 3:
        return (left + above) // 2
    if kind == 4:
        guess = left + above - corner
        return min((abs(guess - left), 0, left), (abs(guess - above), 1, above), (abs(guess - corner), 2, corner))[2]
    return (0, left, above)[kind]
