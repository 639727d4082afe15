"""Photos: avatars drawn of them, compared with colours at points; and writers of PNG chunks and of small pictures."""
import struct
import zlib


def chunk(kind, body):
    """One chunk of a PNG."""
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def packed(samples, depth):
    """The bytes of a row of a PNG."""
    if depth == 16:
        return struct.pack(f">{len(samples)}H", *samples)
    bits = "".join(format(each, f"0{depth}b") for each in samples)
    return bytes(int(bits[at:at + 8].ljust(8, "0"), 2) for at in range(0, len(bits), 8))


def png(pixels, *before_data, color_type=2):
    """An 8-bit PNG of rows of tuples; `before_data` are chunks that stand between IHDR and IDAT."""
    height, width = len(pixels), len(pixels[0])
    header = struct.pack(">IIBBBBB", width, height, 8, color_type, 0, 0, 0)
    rows = b"".join(b"\0" + b"".join(bytes(pixel) for pixel in row) for row in pixels)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + b"".join(before_data)
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class Avatar:
    """The pixels of a PNG as the program writes it: 8 bits, not interlaced."""

    def __init__(self, data):
        assert data.startswith(b"\x89PNG\r\n\x1a\n"), "not a PNG"
        place, packed = 8, b""
        while place < len(data):
            length, kind = struct.unpack(">I4s", data[place:place + 8])
            body = data[place + 8:place + 8 + length]
            place += 12 + length
            if kind == b"IHDR":
                self.width, self.height, depth, color_type = struct.unpack(">IIBB", body[:10])
                assert depth == 8, depth
                self.channels = {0: 1, 2: 3, 4: 2, 6: 4}[color_type]
            if kind == b"IDAT":
                packed += body
        self.rows = self.unfiltered(zlib.decompress(packed))

    def unfiltered(self, raw):
        step, stride = self.channels, self.width * self.channels
        rows, above = [], bytearray(stride)
        for start in range(0, len(raw), stride + 1):
            method, row = raw[start], bytearray(raw[start + 1:start + 1 + stride])
            for index in range(stride):
                left = row[index - step] if index >= step else 0
                corner = above[index - step] if index >= step else 0
                row[index] = row[index] + predicted(method, left, above[index], corner) & 255
            rows.append(row)
            above = row
        return rows

    def at(self, x, y):
        """RGBA at a point; `x` and `y` are fractions of the sides."""
        column, line = min(int(x * self.width), self.width - 1), min(int(y * self.height), self.height - 1)
        values = tuple(self.rows[line][column * self.channels:(column + 1) * self.channels])
        if self.channels < 3:
            return (values[0],) * 3 + (values[1] if self.channels == 2 else 255,)
        return values if self.channels == 4 else values + (255,)


def predicted(method, left, up, corner):
    """What PNG's filter of a row adds to a byte (PNG, third edition, 9.2)."""
    if method < 4:
        return (0, left, up, (left + up) // 2)[method]
    distances = [(abs(up - corner), 0, left), (abs(left - corner), 1, up), (abs(left + up - 2 * corner), 2, corner)]
    return min(distances)[2]


def draw(trial, path, *options):
    """The avatar, or None; and what the program printed as an error."""
    output = trial.folder / f"{path.stem}-avatar.png"
    ended = trial.run("convert", path, "-o", output, "--force", *options)
    text = ended.stderr.decode("utf-8", "replace").strip()
    if ended.returncode != 0 or not output.exists():
        return None, f"exit status {ended.returncode}: {text}"
    return Avatar(output.read_bytes()), text


def expect_drawn(trial, path, points, *options, tolerance=6):
    """`points`: {(x, y): (red, green, blue[, alpha])}, with x and y as fractions of the sides."""
    avatar, text = draw(trial, path, *options)
    if avatar is None:
        trial.require(f"{path.name} is drawn ({text})", False)
        return
    for (x, y), wanted in points.items():
        wanted = tuple(wanted) + (255,) * (4 - len(wanted))
        got = avatar.at(x, y)
        near = max(abs(a - b) for a, b in zip(got, wanted)) <= tolerance
        trial.require(f"{path.name} at {x}, {y} is {wanted} within {tolerance}, not {got}; {text}", near)


def expect_refused(trial, path, *words):
    """No avatar, and an error with these words."""
    avatar, text = draw(trial, path)
    trial.require(f"{path.name} is refused, not drawn", avatar is None)
    trial.require(f"{text!r} has the words {words}", all(word in text for word in words))
