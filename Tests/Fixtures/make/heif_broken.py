"""The damaged and hostile part of heif/."""

import struct

from . import heif_coded, heif_tools
from .heif_tools import Item, box, full, grid, ispe

CUT = ["truncated", "corrupt"]
HUGE = ["tooLarge", "overMemory"]
WHOLE = {"expected": "heic-plain.expected.png", "mae": 4.0, "psnr": 29.0}


def add_to(folder, kind, brand, divided):
    """Adds the files. `divided`: the items of a grid."""
    card = heif_coded.load("card", kind)[0]
    whole = heif_tools.file(brand, card)

    def add(name, data, **expect):
        folder.add(f"{kind}-{name}.{kind}", data, **expect)

    def changed(name, old, new, **expect):
        assert whole.count(old) >= 1, name
        add(name, whole.replace(old, new, 1), **expect)

    for share in (1, 5, 10, 30, 50, 90, 99):
        add(f"cut-at-{share}", whole[:max(16, len(whole) * share // 100)], outcome="truncated")
    add("cut-in-ftyp", whole[:20], outcome="truncated")
    cut_grid = heif_tools.file(brand, *divided)
    add("grid-cut-in-last-tile", cut_grid[:-100], outcome="truncated")

    _damaged(add, whole)
    # The tables are the same for both kinds.
    if kind == "avif":
        return

    # Sizes.
    def sized(width, height):
        return heif_tools.file(brand, card.having(ispe(width, height), without=(b"ispe",)))

    for width, height in ((100_000, 1), (65_535, 65_535), (2 ** 32 - 1, 2 ** 32 - 1), (2 ** 31, 2 ** 31)):
        add(f"huge-{width}x{height}", sized(width, height), outcome=HUGE)
    add("huge-20000x20000", sized(20_000, 20_000), outcome=HUGE)
    add("no-width", sized(0, 64), outcome="corrupt")
    add("no-size", heif_tools.file(brand, card.having(without=(b"ispe",))), outcome="corrupt")
    add("other-size", sized(64, 48), outcome="corrupt")
    add("larger-size", sized(192, 128), outcome="corrupt")
    tile = divided[1].having(ispe(60_000, 60_000), without=(b"ispe",))
    add("grid-huge-tiles", heif_tools.file(brand, divided[0], *[tile] * 4), outcome="corrupt")
    large = divided[0].having(ispe(60_000, 60_000), without=(b"ispe",))
    large.data = grid(2, 2, 60_000, 60_000)[:8]
    add("grid-huge", heif_tools.file(brand, large, *divided[1:]), outcome=HUGE)
    add("clap-beyond", heif_tools.file(brand, card.having(heif_tools.clap(90, 60, 20, 20, 96, 64))), **WHOLE)
    add("clap-by-zero", heif_tools.file(brand, card.having(box(b"clap", b"\0" * 32))), **WHOLE)

    # Items.
    changed("no-items", b"iinf", b"free", outcome="corrupt")
    changed("no-primary", b"pitm", b"free", outcome="corrupt")
    changed("no-places", b"iloc", b"free", outcome="corrupt")
    changed("no-properties", b"iprp", b"free", outcome="corrupt")
    changed("no-meta", b"meta", b"free", outcome=CUT)
    changed("no-decoder-configuration", {"heic": b"hvcC", "avif": b"av1C"}[kind], b"free", outcome=["corrupt", "unsupported", "draws"])
    add("primary-of-another-number", heif_tools.file(brand, card, primary=7), outcome="corrupt")
    add("coded-as-jpeg", heif_tools.file(brand, Item(b"jpeg", card.data, card.properties)), outcome="unsupported", says="jpeg")
    add("overlay", heif_tools.file(brand, Item(b"iovl", card.data, card.properties)), outcome="unsupported", says="iovl")
    sequence = heif_tools.box(b"ftyp", brand, b"\0" * 4, b"msf1") + box(b"moov", b"\0" * 40)
    add("sequence", sequence, outcome="unsupported", says="sequence")
    alone = Item(b"grid", divided[0].data, divided[0].properties)
    add("grid-without-tiles", heif_tools.file(brand, alone), outcome="corrupt")
    itself = Item(b"grid", divided[0].data, divided[0].properties, [(b"dimg", [1, 1, 1, 1])])
    add("grid-of-itself", heif_tools.file(brand, itself), outcome=["corrupt", "unsupported"])
    missing = Item(b"grid", divided[0].data, divided[0].properties, [(b"dimg", [2, 3, 4, 9])])
    add("grid-with-missing-tile", heif_tools.file(brand, missing, *divided[1:]), outcome="corrupt")
    few = Item(b"grid", grid(16, 16, 96, 64), divided[0].properties, divided[0].references)
    add("grid-with-few-tiles", heif_tools.file(brand, few, *divided[1:]), outcome=["corrupt", "draws"])
    circle = heif_coded.load("small", kind)[0]
    circle.references = [(b"thmb", [2]), (b"thmb", [1])]
    add("thumbnail-of-itself", heif_tools.file(brand, card, circle), outcome=["draws", "corrupt"])

    # Boxes.
    at = whole.index(b"iprp") - 4
    for name, size in (("0", 0), ("1", 1), ("7", 7), ("beyond", 1 << 30)):
        add(f"box-of-size-{name}", whole[:at] + struct.pack(">I", size) + whole[at + 4:], outcome=["draws", *CUT])
    at = whole.index(b"meta") - 4
    for name, size in (("0", 0), ("9", 9), ("beyond", 0xFFFFFFFF)):
        add(f"header-of-size-{name}", whole[:at] + struct.pack(">I", size) + whole[at + 4:], outcome=["draws", *CUT])
    add("small-boxes", whole[:whole.index(b"meta") - 4] + b"\0\0\0\x08free" * 1_500, outcome=CUT)
    at = whole.index(b"ipma") + 8
    add("4-billion-associations", whole[:at] + b"\xff" * 4 + whole[at + 4:], outcome="corrupt")
    at = whole.index(b"iloc") + 8
    add("places-of-15-bytes", whole[:at] + b"\xff\xff" + whole[at + 2:], outcome="corrupt")
    add("65535-places", whole[:at + 2] + b"\xff\xff" + whole[at + 4:], outcome=["draws", "corrupt"])


def _damaged(add, whole):
    """Damage in the picture draws something, or is noticed."""
    start, outcome = whole.index(b"mdat") + 4, ["draws", "corrupt", "truncated", "unsupported"]
    for at in range(start, len(whole), (len(whole) - start) // 8):
        add(f"changed-{at}", whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1:], outcome=outcome)
    for at in range(start + 50, len(whole), (len(whole) - start) // 4):
        zeros = min(40, len(whole) - at)
        add(f"zeros-at-{at}", whole[:at] + bytes(zeros) + whole[at + zeros:], outcome=outcome)
