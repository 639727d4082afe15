"""The pixels of PNG files: how they are packed, what is behind them, and the palette."""
import struct
import zlib

from support import pictures, pngs, quadrants
from support.pictures import chunk
from support.report import report

GITHUB = "https://github.com/"
ROWS = pngs.rows()
DEEP = b"".join(b"\0" + b"".join(struct.pack(">3H", *(257 * value for value in pixel)) for pixel in row) for row in quadrants.rows())
NUMBERS = [[(2 * x >= 64) + 2 * (2 * y >= 64) for x in range(64)] for y in range(64)]


def unended(data, last):
    """A zlib stream of stored blocks, the last of which states this length, and is no final one."""
    parts = [data[at:at + 5000] for at in range(0, len(data), 5000)]
    lengths = [len(part) for part in parts[:-1]] + [last]
    return b"\x78\x01" + b"".join(b"\0" + struct.pack("<HH", length, length ^ 0xFFFF) + part for part, length in zip(parts, lengths))


@report(GITHUB + "image-rs/image-png/issues/605", "A writer leaves out the end of the pixels' data and their checksum, while those of the chunks are right.",
        right="The picture, with a warning, as browsers show it: all rows are there, and nothing happened to them since.", before="wrong")
def data_without_an_end(trial):
    laced = b"".join(pngs.rows([row[x::right] for row in quadrants.rows()[y::down]]) for x, y, right, down in
                     ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)))
    heads = {"plain": (pngs.header(), ROWS), "deep": (pngs.header(depth=16), DEEP), "laced": (pngs.header(interlace=1), laced)}
    for name, (head, data) in heads.items():
        for number, packed in enumerate((unended(data + bytes(4), 65535), unended(data, 65535), zlib.compress(data)[:-1])):
            quadrants.expect_warned(trial, f"{name}-{number}.png", pngs.file(head=head, data=packed), "checksum")
        quadrants.expect_refused(trial, f"{name}-cut.png", pngs.file(head=head, data=unended(data[:-1], 65535)), "corrupt")
    # Something did happen to them.
    whole = pngs.file(data=zlib.compress(ROWS)[:-4])
    place = whole.index(b"IEND") - 5
    quadrants.expect_refused(trial, "damaged.png", whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1:], "corrupt")


@report(GITHUB + "w3c/png/issues/158", GITHUB + "golang/go/issues/20899", GITHUB + "golang/go/issues/14936",
        "Behind the pixels stand unused bytes of a buffer, zeros, rows too many, or a second picture, in the same chunk or in others.",
        right="The picture, and nothing of what is behind it.", before="right")
def more_than_the_pixels(trial):
    whole, other = zlib.compress(ROWS), zlib.compress(bytes(len(ROWS)))
    for number, data in enumerate((whole + bytes(300), whole + b"unused" * 9, whole + other, zlib.compress(ROWS + bytes(5000)))):
        for more in ((), (other,), (b"", b"unused" * 9)):
            quadrants.expect(trial, f"more-{number}.png", pngs.file(data=data, behind=[chunk(b"IDAT", each) for each in more]), tolerance=2)


@report(GITHUB + "LadybirdBrowser/ladybird/pull/9057", "The pixels' data are no stream of zlib: without its head, with a preset dictionary, or with a window that does not exist.",
        right="An error, as in browsers.", before="right")
def data_that_are_no_stream(trial):
    def packed(*how, dictionary=None):
        packer = zlib.compressobj(9, zlib.DEFLATED, *how, **({"zdict": dictionary} if dictionary else {}))
        return packer.compress(ROWS) + packer.flush()
    whole = zlib.compress(ROWS)
    for name, data in (("raw", packed(-15)), ("dictionary", packed(15, dictionary=b"own")), ("check", whole[:1] + bytes([whole[1] ^ 1]) + whole[2:]),
                       ("window", b"\x88\x1c" + whole[2:])):
        quadrants.expect_refused(trial, f"{name}.png", pngs.file(data=data), "corrupt")


@report(GITHUB + "madler/zlib/issues/94", GITHUB + "randy408/libspng/pull/181", GITHUB + "pnggroup/libpng/pull/49",
        "The pixels are packed with a window of 256 bytes, fixed codes, stored blocks, or a flush behind each row.",
        right="The picture.", before="right")
def ways_to_pack_pixels(trial):
    def packed(level=9, window=15, strategy=zlib.Z_DEFAULT_STRATEGY, flush=None):
        packer = zlib.compressobj(level, zlib.DEFLATED, window, 8, strategy)
        parts = [ROWS[at:at + 193] for at in range(0, len(ROWS), 193)]
        return b"".join(packer.compress(part) + (packer.flush(flush) if flush else b"") for part in parts) + packer.flush()
    for name, data in (("small", packed(window=9)), ("fixed", packed(strategy=zlib.Z_FIXED)), ("stored", packed(level=0)), ("runs", packed(strategy=zlib.Z_RLE)),
                       ("codes", packed(strategy=zlib.Z_HUFFMAN_ONLY)), ("flushed", packed(flush=zlib.Z_SYNC_FLUSH)), ("full", packed(flush=zlib.Z_FULL_FLUSH))):
        quadrants.expect(trial, f"{name}.png", pngs.file(data=data), tolerance=2)


@report(GITHUB + "etemesi254/zune-image/issues/57", GITHUB + "pret/pokeruby/pull/456",
        "A palette has more colours than the bits of a pixel can name.", right="The picture: the rest is never named.", before="right")
def palettes_with_colours_too_many(trial):
    for depth in (1, 2, 4, 8):
        for more in (0, 256 - 4):
            palette = chunk(b"PLTE", b"".join(map(bytes, quadrants.UPRIGHT)) + bytes(3 * more))
            numbers = [[value & 1 for value in row] for row in NUMBERS] if depth == 1 else NUMBERS
            data = b"".join(b"\0" + pictures.packed(row, depth) for row in numbers)
            colours = (quadrants.RED, quadrants.GREEN) * 2 if depth == 1 else quadrants.UPRIGHT
            photo = pngs.file(palette, head=pngs.header(depth=depth, color_type=3), data=zlib.compress(data))
            quadrants.expect(trial, f"{depth}-{more}.png", photo, colours, tolerance=8)


@report(GITHUB + "image-rs/image-png/pull/695", GITHUB + "image-rs/image-png/issues/584",
        "A palette ends within a colour, is empty, missing, there twice, or has more than 256 colours.",
        right="An error: the colours are unknown; where the palette is only suggested, the picture.", before="right")
def impossible_palettes(trial):
    colours = b"".join(map(bytes, quadrants.UPRIGHT))
    data = zlib.compress(b"".join(b"\0" + bytes(row) for row in NUMBERS))
    for name, palettes in (("within", [colours + b"x"]), ("empty", [b""]), ("missing", []), ("twice", [colours] * 2), ("long", [colours + bytes(900)])):
        chunks = [chunk(b"PLTE", each) for each in palettes]
        quadrants.expect_refused(trial, f"{name}.png", pngs.file(*chunks, head=pngs.header(color_type=3), data=data), "corrupt")
        if name not in ("empty", "twice"):
            quadrants.expect(trial, f"suggested-{name}.png", pngs.file(*chunks), tolerance=2)


@report(GITHUB + "vanillapdf/vanillapdf/issues/442", GITHUB + "image-rs/image-png/issues/619",
        "A row has a filter that does not exist, rows are missing, or a text stands between the chunks of pixels.",
        right="An error: browsers show the part before it at most.", before="right")
def rows_that_cannot_be_read(trial):
    packed = zlib.compress(ROWS)
    for line, number in ((0, 5), (40, 255), (63, 9)):
        rows = bytearray(ROWS)
        rows[193 * line] = number
        quadrants.expect_refused(trial, f"filter-{line}.png", pngs.file(data=zlib.compress(bytes(rows))), "corrupt")
    for lacking in (1, 9000):
        quadrants.expect_refused(trial, f"short-{lacking}.png", pngs.file(data=zlib.compress(ROWS[:-lacking])), "corrupt")
    between = [chunk(b"tEXt", b"Comment\0text"), chunk(b"IDAT", packed[40:])]
    quadrants.expect_refused(trial, "between.png", pngs.file(data=packed[:40], behind=between), "corrupt")


@report(GITHUB + "w3c/png/issues/320", GITHUB + "pnggroup/libpng/pull/665", GITHUB + "randy408/libspng/issues/98",
        "A chunk is unknown, and its name may have other characters than letters.",
        right="An error where its first byte says that decoders must know it; else the picture, as the third edition has it.", before="wrong")
def chunks_of_unknown_kinds(trial):
    for photo in (pngs.file(chunk(b"ABCD", b"own")), pngs.file(chunk(b"AB1D", b"own")), pngs.file(behind=[chunk(b"\x01BCD", b"own")])):
        quadrants.expect_refused(trial, "critical.png", photo, "corrupt")
    for kinds in ((b"abCd", b"abcd"), (b"a1Cd", b"a Cd", b"ab\0d", b"\x7fBCD")):
        added = [chunk(kind, b"own") for kind in kinds] + [chunk(kinds[0], b"")[:-1] + b"?"]
        for photo in (pngs.file(*added), pngs.file(behind=added)):
            quadrants.expect(trial, "ancillary.png", photo, tolerance=2)
    for photo in (pngs.file(end=chunk(b"IEND", b"own")), pngs.file(end=pngs.END * 3)):
        quadrants.expect(trial, "end.png", photo, tolerance=2)


@report(GITHUB + "SixLabors/ImageSharp/pull/754", GITHUB + "lovell/sharp/issues/3112",
        "A flat gray, white or black photo has 8 or 16 bits, a palette, a gray scale or a channel of transparency, and a gamma or none.",
        right="That gray exactly, whatever the size: no level more or less.", before="right")
def flat_grays(trial):
    for value in (0, 128, 255):
        kinds = {"rgb": pictures.png([[(value,) * 3] * 70] * 70), "gray": pictures.png([[(value,)] * 70] * 70, color_type=0),
                 "alpha": pictures.png([[(value, 255)] * 70] * 70, color_type=4), "rgba": pictures.png([[(value, value, value, 255)] * 70] * 70, color_type=6),
                 "gamma": pictures.png([[(value,)] * 70] * 70, chunk(b"gAMA", struct.pack(">I", 45455)), color_type=0),
                 "deep": pngs.file(head=pngs.header(70, 70, 16, 0), data=zlib.compress((b"\0" + bytes([value]) * 140) * 70)),
                 "palette": pngs.file(chunk(b"PLTE", bytes([value] * 3)), head=pngs.header(70, 70, 8, 3), data=zlib.compress(bytes(71 * 70)))}
        for name, data in kinds.items():
            path = trial.folder / f"{name}.png"
            path.write_bytes(data)
            avatar, text = pictures.draw(trial, path, "--size", "33")
            trial.require(f"{name} is drawn ({text})", avatar is not None)
            seen = {tuple(row[at:at + 3]) for row in avatar.rows for at in range(0, len(row), 4) if row[at + 3] == 255} if avatar else set()
            trial.expect(f"{name} of {value}", seen, {(value,) * 3})
