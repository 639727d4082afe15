"""Reads and writes the PNGs of pictures for the documents. Python's standard library only."""
import struct
import zlib


def read(path):
    """The width and the rows, R, G, B, A, of a PNG with eight bits of each; it is not interlaced."""
    data, offset, packed = path.read_bytes(), 8, b""
    while offset < len(data):
        (length,), kind = struct.unpack(">I", data[offset:offset + 4]), data[offset + 4:offset + 8]
        body = data[offset + 8:offset + 8 + length]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", body[:10])
            assert (depth, color) == (8, 6), (depth, color)
        elif kind == b"IDAT":
            packed += body
        offset += 12 + length
    raw, rows, above = zlib.decompress(packed), [], bytes(width * 4)
    for y in range(height):
        start = y * (width * 4 + 1)
        row = bytearray(raw[start + 1:start + 1 + width * 4])
        unfilter(raw[start], row, above)
        rows.append(row)
        above = row
    return width, rows


def unfilter(kind, row, above):
    """Undoes a filter of PNG (section 9.2)."""
    for i in range(len(row)):
        left, up, corner = (row[i - 4], above[i], above[i - 4]) if i >= 4 else (0, above[i], 0)
        if kind == 4:
            guess = left + up - corner
            best = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
        else:
            best = (0, left, up, (left + up) // 2)[kind]
        row[i] = (row[i] + best) & 255


def write(path, width, rows):
    """The smaller of two files: with unfiltered rows, and with the differences from the row above."""
    plain = b"".join(b"\0" + bytes(row) for row in rows)
    above = [bytes(width * 3)] + rows[:-1]
    up = b"".join(b"\2" + bytes((a - b) & 255 for a, b in zip(row, last)) for row, last in zip(rows, above))
    packed = min((zlib.compress(raw, 9) for raw in (plain, up)), key=len)

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, len(rows), 8, 2, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", packed) + chunk(b"IEND", b""))


def paste(rows, picture, x, y):
    """Over white."""
    width, source = picture
    for line, row in enumerate(source):
        for column in range(width):
            *color, alpha = row[column * 4:column * 4 + 4]
            for channel in range(3):
                rows[y + line][(x + column) * 3 + channel] = (color[channel] * alpha + 255 * (255 - alpha) + 127) // 255
