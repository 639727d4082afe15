"""The GIF part of broken/."""

import struct

from . import gif_tools
from .decodes_gif import quantised
from .gif_tools import COMMENT, blocks, gif, image, packed

CUT = ["truncated", "corrupt"]


def add_to(folder):
    """Adds the files."""
    indices, table = quantised(51, 36, 256)
    whole = gif(51, 36, COMMENT, image(indices), colours=table)
    for at in (4, 6, 9, 13, 100, 780, 790, 800, 810):
        folder.add(f"gif-cut-at-{at}.gif", whole[:at], outcome=CUT + ["unsupported"] if at < 6 else CUT)
    for share in (50, 90, 99):
        folder.add(f"gif-cut-at-{share}-percent.gif", whole[:len(whole) * share // 100], outcome="truncated")
    tall = gif(36, 51, image(indices.T), colours=table)
    for share, outcome in ((50, "truncated"), (92, "draws")):
        more = {"warning": True} if outcome == "draws" else {}
        folder.add(f"gif-portrait-cut-at-{share}-percent.gif", tall[:len(tall) * share // 100], outcome=outcome, **more)
    folder.add("gif-other-version.gif", b"GIF88a" + whole[6:])
    folder.add("gif-no-image.gif", gif(51, 36, COMMENT, colours=table))
    folder.add("gif-unknown-block.gif", gif(51, 36, b"\x7f", image(indices), colours=table))
    folder.add("gif-no-table.gif", gif(51, 36, image(indices)), outcome="draws")
    folder.add("gif-short-table.gif", gif(51, 36, image(indices), colours=table[:4]), outcome="draws")
    folder.add("gif-comment-without-end.gif", gif(51, 36, b"!\xfe" + b"\xffx" * 600, colours=table), outcome=CUT)

    def coded(codes, size=8, width=51, height=36):
        head = b"," + struct.pack("<HHHHB", 0, 0, width, height, 0)
        return gif(width, height, head + bytes([size]) + blocks(packed(codes)), colours=table)

    folder.add("gif-no-data.gif", gif(51, 36, b"," + struct.pack("<HHHHB", 0, 0, 51, 36, 0) + b"\x08\0", colours=table), outcome="truncated")
    folder.add("gif-end-at-once.gif", coded([(256, 9), (257, 9)]), outcome="truncated")
    folder.add("gif-clears-without-end.gif", coded([(256, 9)] * 5000), outcome="truncated")
    folder.add("gif-code-from-the-future.gif", coded([(256, 9), (1, 9), (300, 9)]))
    folder.add("gif-first-code-is-new.gif", coded([(256, 9), (258, 9)]))
    folder.add("gif-code-of-itself.gif", coded([(256, 9), (1, 9)] + [(code, 9 if code < 511 else 10) for code in range(258, 330)]), outcome="draws")
    folder.add("gif-no-clear.gif", coded([(1, 9)] * 200), outcome="truncated")
    for bits in (0, 1, 9, 12, 255):
        more = {"outcome": "truncated"} if bits in (1, 9) else {}
        folder.add(f"gif-codes-of-{bits}-bits.gif", coded([(1, 9)], bits), **more)
    folder.add("gif-no-width.gif", coded([(256, 9), (257, 9)], 8, 0, 36))
    folder.add("gif-no-height.gif", coded([(256, 9), (257, 9)], 8, 51, 0))
    folder.add("gif-huge.gif", coded([(256, 9), (257, 9)], 8, 65535, 65535), outcome="tooLarge")
    folder.add("gif-huge-and-one-colour.gif", coded([(256, 9), (1, 9)], 8, 14000, 14000), outcome=["truncated", "overMemory"])
    for at in range(800, len(whole), 211):
        changed = whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1:]
        folder.add(f"gif-changed-{at}.gif", changed, outcome=["draws", "corrupt", "truncated"])
    assert gif_tools.COMMENT
