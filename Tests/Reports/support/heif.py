"""HEIC and AVIF files around coded pictures: everything but the coded data is written here (ISO/IEC 23008-12, 14496-12).

The coded pictures lie in `photos/coded`, 64 x 64 pixels each, our own drawing of four squares (or of one colour): HEIC by x265
through pillow-heif 1.8, AVIF by libaom through Pillow 13 (`range="limited"` and `subsampling="4:0:0"` where the name says so).
"""
import dataclasses
import struct
from pathlib import Path

CODED = Path(__file__).resolve().parent.parent / "photos" / "coded"
ALPHA_HEVC, ALPHA_AV1 = b"urn:mpeg:hevc:2015:auxid:1", b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"
ESSENTIAL = (b"hvcC", b"av1C", b"irot", b"imir", b"clap")


def box(name, *parts):
    body = b"".join(parts)
    return struct.pack(">I", 8 + len(body)) + name + body


def full(name, *parts, version=0, flags=0):
    return box(name, struct.pack(">I", version << 24 | flags), *parts)


def ispe(width, height):
    return full(b"ispe", struct.pack(">II", width, height))


def pixi(*bits):
    return full(b"pixi", bytes([len(bits), *bits]))


def irot(quarters):
    return box(b"irot", bytes([quarters]))


def imir(axis):
    return box(b"imir", bytes([axis]))


def nclx(primaries, curve, matrix, full_range=True):
    return box(b"colr", b"nclx", struct.pack(">HHHB", primaries, curve, matrix, full_range << 7))


def aux(kind):
    return full(b"auxC", kind + b"\0")


def clap(width, height, x, y, of):
    """The part of this size at `x`, `y` of a picture of the size `of`."""
    across, down = 2 * x + width - of[0], 2 * y + height - of[1]
    return box(b"clap", struct.pack(">IIIIiIiI", width, 1, height, 1, across, 2, down, 2))


def grid(rows, columns, width, height):
    return struct.pack(">BBBBHH", 0, 0, rows - 1, columns - 1, width, height)


@dataclasses.dataclass
class Item:
    kind: bytes
    data: bytes = b""
    properties: tuple = ()
    """Whole boxes."""
    references: tuple = ()
    """(kind, numbers of items)..."""
    hidden: bool = False

    def having(self, *more, without=(), **changes):
        kept = tuple(each for each in self.properties if each[4:8] not in without)
        return dataclasses.replace(self, properties=kept + more, **changes)


def boxes(data):
    place = 0
    while place + 8 <= len(data):
        size, name = struct.unpack_from(">I4s", data, place)
        yield name, data[place + 8:place + size]
        place += size


def coded(name):
    """The pictures of a file of `photos/coded`, without references: the colours, and the transparency if it has one."""
    data = (CODED / name).read_bytes()
    parts = dict(boxes(next(body for kind, body in boxes(data) if kind == b"meta")[4:]))
    kinds = {struct.unpack_from(">H", entry, 4)[0]: entry[8:12] for _, entry in boxes(parts[b"iinf"][6:])}
    inner = dict(boxes(parts[b"iprp"]))
    properties = [box(kind, body) for kind, body in boxes(inner[b"ipco"])]
    uses, place, own = inner[b"ipma"], 8, {}
    for _ in range(struct.unpack_from(">I", uses, 4)[0]):
        number, count = struct.unpack_from(">HB", uses, place)
        own[number] = tuple(properties[(use & 0x7F) - 1] for use in uses[place + 3:place + 3 + count])
        place += 3 + count
    return [Item(kinds[number], where, own[number]) for number, where in sorted(data_of(parts[b"iloc"], data))]


def data_of(iloc, data):
    """Version 0, one part each, with or without a base."""
    base_size, place = iloc[5] >> 4, 8
    for _ in range(struct.unpack_from(">H", iloc, 6)[0]):
        number = struct.unpack_from(">H", iloc, place)[0]
        base = int.from_bytes(iloc[place + 4:place + 4 + base_size], "big")
        start, length = struct.unpack_from(">II", iloc, place + 6 + base_size)
        yield number, data[base + start:base + start + length]
        place += 14 + base_size


def picture(name, *more, without=(), **changes):
    return coded(name)[0].having(*more, without=without, **changes)


def alpha(name, *more, of=(1,), without=(), **changes):
    """The transparency of a transparent file, which is that of the items `of`."""
    return coded(name)[1].having(*more, without=without, references=((b"auxl", of),), **changes)


@dataclasses.dataclass
class Layout:
    """How the tables of a file are written."""
    brands: tuple = (b"heic", b"mif1")
    primary: int = 1
    in_header: tuple = ()
    """Items whose data are in the box idat."""
    parts: int = 1
    """Of each item's data."""
    wide: bool = False
    """Numbers of items have 32 bits, and offsets 64."""
    data_first: bool = False
    order: tuple = (b"hdlr", b"pitm", b"iloc", b"iinf", b"iref", b"iprp", b"idat")
    unknown: tuple = ()
    """Properties that are essential, too."""
    before: bytes = b""
    after: bytes = b""


def heif(*items, **how):
    """A file of these items, whose numbers are 1, 2, 3..."""
    how = Layout(**how)
    head = box(b"ftyp", how.brands[0], b"\0" * 4, *how.brands) + how.before
    outside = [number for number in range(1, len(items) + 1) if number not in how.in_header]
    data = box(b"mdat", b"".join(items[number - 1].data for number in outside))
    start = len(head) + 8 if how.data_first else len(head + meta(items, how, 0)) + 8
    tables = meta(items, how, start)
    return head + (data + tables if how.data_first else tables + data) + how.after


def meta(items, how, start):
    number = (lambda value: struct.pack(">I", value)) if how.wide else (lambda value: struct.pack(">H", value))
    version = 1 if how.wide else 0
    references = b"".join(
        box(kind, number(index), struct.pack(">H", len(to)), *map(number, to))
        for index, item in enumerate(items, 1) for kind, to in item.references)
    entries = b"".join(
        full(b"infe", number(index), b"\0\0", item.kind, b"\0", version=3 if how.wide else 2, flags=int(item.hidden))
        for index, item in enumerate(items, 1))
    written = {
        b"hdlr": full(b"hdlr", b"\0" * 4, b"pict", b"\0" * 13),
        b"pitm": full(b"pitm", number(how.primary), version=version),
        b"iloc": places(items, how, start, number),
        b"iinf": full(b"iinf", number(len(items)), entries, version=version),
        b"iref": full(b"iref", references, version=version) if references else b"",
        b"iprp": properties(items, how, number),
        b"idat": box(b"idat", *(items[each - 1].data for each in how.in_header)) if how.in_header else b""}
    return full(b"meta", *(written[name] for name in how.order))


def places(items, how, start, number):
    width, inside, table = 8 if how.wide else 4, 0, b""
    for index, item in enumerate(items, 1):
        is_inside = index in how.in_header
        place, step = (inside if is_inside else start), -(-len(item.data) // how.parts) or 1
        cuts = range(0, len(item.data), step)
        table += number(index) + struct.pack(">HHH", is_inside, 0, len(cuts))
        for cut in cuts:
            length = min(step, len(item.data) - cut)
            table += (place + cut).to_bytes(width, "big") + length.to_bytes(width, "big")
        if is_inside:
            inside += len(item.data)
        else:
            start += len(item.data)
    sizes = bytes([width << 4 | width, 0])
    return full(b"iloc", sizes, number(len(items)), table, version=2 if how.wide else 1)


def properties(items, how, number):
    known, uses = [], b""
    for index, item in enumerate(items, 1):
        if not item.properties:
            continue
        known += [each for each in dict.fromkeys(item.properties) if each not in known]
        uses += number(index) + bytes([len(item.properties)])
        for each in item.properties:
            essential = each[4:8] in ESSENTIAL + how.unknown
            uses += struct.pack(">H", known.index(each) + 1 | essential << 15)
    count = struct.pack(">I", sum(1 for item in items if item.properties))
    return box(b"iprp", box(b"ipco", *known), full(b"ipma", count, uses, version=int(how.wide), flags=1))
