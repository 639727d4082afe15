"""HEIC and AVIF files: pictures coded by heif-enc and avifenc, everything around them (ISO/IEC 23008-12) by hand."""

import struct
from dataclasses import dataclass, field, replace


def box(name, *parts):
    payload = b"".join(parts)
    return struct.pack(">I", 8 + len(payload)) + name + payload


def full(name, version, flags, *parts):
    return box(name, struct.pack(">I", version << 24 | flags), *parts)


@dataclass
class Item:
    """One picture: its properties are whole boxes, its references [(kind, [number of another])]."""
    kind: bytes
    data: bytes
    properties: list
    references: list = field(default_factory=list)

    def having(self, *more, without=()):
        kept = [each for each in self.properties if each[4:8] not in without]
        return replace(self, properties=kept + list(more))


def irot(angle):
    return box(b"irot", bytes([angle]))


def imir(axis):
    return box(b"imir", bytes([axis]))


def ispe(width, height):
    return full(b"ispe", 0, 0, struct.pack(">II", width, height))


def nclx(primaries, curve, matrix=6, whole=True):
    return box(b"colr", b"nclx", struct.pack(">HHHB", primaries, curve, matrix, whole << 7))


def icc(profile):
    return box(b"colr", b"prof", profile)


def clap(width, height, x, y, of_width, of_height):
    """The part of this size at x, y: offsets are those of its centre from the picture's."""
    across, down = 2 * x + width - of_width, 2 * y + height - of_height
    return box(b"clap", struct.pack(">IIIIiIiI", width, 1, height, 1, across, 2, down, 2))


def grid(rows, columns, width, height):
    return struct.pack(">BBBBHH", 0, 0, rows - 1, columns - 1, width, height)


def exif(block):
    return Item(b"Exif", b"\0\0\0\6Exif\0\0" + block, [], [(b"cdsc", [1])])


def file(brand, *items, primary=1, before=b"", after=b"", in_header=(), width=4):
    """The items have the numbers 1, 2...; the data of those `in_header` are in the header itself."""
    properties, uses = [], b""
    for number, item in enumerate(items, 1):
        indices = []
        for each in item.properties:
            if each not in properties:
                properties.append(each)
            essential = each[4:8] in (b"hvcC", b"av1C", b"irot", b"imir", b"clap")
            indices.append(properties.index(each) + 1 | essential << 7)
        if indices:
            uses += struct.pack(">HB", number, len(indices)) + bytes(indices)
    used = sum(1 for item in items if item.properties)
    entries = b"".join(full(b"infe", 2, 0, struct.pack(">HH4s", number, 0, item.kind), b"\0")
                       for number, item in enumerate(items, 1))
    references = b"".join(
        box(kind, struct.pack(">HH", number, len(to)), b"".join(struct.pack(">H", each) for each in to))
        for number, item in enumerate(items, 1) for kind, to in item.references)
    idat = b"".join(items[number - 1].data for number in in_header)
    ftyp = box(b"ftyp", brand, b"\0" * 4, b"mif1", brand, b"miaf")

    def meta(start):
        places, at, inside = b"", start, 0
        for number, item in enumerate(items, 1):
            is_inside = number in in_header
            places += struct.pack(">HHHH", number, is_inside, 0, 1)
            places += (inside if is_inside else at).to_bytes(width, "big") + len(item.data).to_bytes(width, "big")
            if is_inside:
                inside += len(item.data)
            else:
                at += len(item.data)
        return full(
            b"meta", 0, 0, full(b"hdlr", 0, 0, b"\0" * 4, b"pict", b"\0" * 13), full(b"pitm", 0, 0, struct.pack(">H", primary)),
            full(b"iloc", 1, 0, struct.pack(">BBH", width << 4 | width, 0, len(items)), places),
            full(b"iinf", 0, 0, struct.pack(">H", len(items)), entries),
            full(b"iref", 0, 0, references) if references else b"",
            box(b"iprp", box(b"ipco", *properties), full(b"ipma", 0, 0, struct.pack(">I", used), uses)),
            box(b"idat", idat) if idat else b"")

    start = len(ftyp + before + meta(0)) + 8
    data = b"".join(item.data for number, item in enumerate(items, 1) if number not in in_header)
    return ftyp + before + meta(start) + box(b"mdat", data) + after


def boxes(data, start=0):
    """[(name, payload, start of the payload)]"""
    at, end = start, len(data)
    while at + 8 <= end:
        size, name = struct.unpack_from(">I4s", data, at)
        yield name, data[at + 8:at + size], at + 8
        at += size


def pictures(data):
    """The coded pictures of a file of heif-enc or avifenc: its primary one, then the others in the order of their numbers."""
    meta = next(payload for name, payload, _ in boxes(data) if name == b"meta")[4:]
    parts = {name: payload for name, payload, _ in boxes(meta)}
    primary = struct.unpack_from(">H", parts[b"pitm"], 4)[0]
    kinds = {}
    for _, entry, _ in boxes(parts[b"iinf"], 6):
        number, _, kind = struct.unpack_from(">HH4s", entry, 4)
        kinds[number] = kind
    inner = list(boxes(parts[b"iprp"]))
    properties = [box(name, payload) for name, payload, _ in boxes(next(p for n, p, _ in inner if n == b"ipco"))]
    uses, at = next(p for n, p, _ in inner if n == b"ipma"), 8
    associated = {}
    for _ in range(struct.unpack_from(">I", uses, 4)[0]):
        number, count = struct.unpack_from(">HB", uses, at)
        associated[number] = [properties[(each & 0x7F) - 1] for each in uses[at + 3:at + 3 + count]]
        at += 3 + count
    found = {number: Item(kinds[number], _data(data, parts[b"iloc"], number), associated.get(number, []))
             for number in kinds if kinds[number] in (b"hvc1", b"av01")}
    return [found.pop(primary)] + [found[number] for number in sorted(found)]


def _data(data, iloc, wanted):
    version, sizes, base_size, count = iloc[0], iloc[4], iloc[5] >> 4, struct.unpack_from(">H", iloc, 6)[0]
    at = 8

    def number(size):
        nonlocal at
        at += size
        return int.from_bytes(iloc[at - size:at], "big")
    for _ in range(count):
        item = number(2)
        if version:
            number(2)
        number(2)
        base, found = number(base_size), b""
        for _ in range(number(2)):
            start = base + number(sizes >> 4)
            found += data[start:start + number(sizes & 0xF)]
        if item == wanted:
            return found
    raise ValueError(f"no place of item {wanted}")
