"""Transparency of PNGs of each kind, and chunks about it that break the rules; gamma."""
import struct
import zlib

from support import jpegs, pictures, quadrants
from support.report import report

CLEAR = (0, 0, 0, 0)
GRAYS = (0, 85, 170, 255)
PALETTE = pictures.chunk(b"PLTE", b"".join(bytes(each) for each in quadrants.UPRIGHT))


def png(kind, depth, colours, *chunks, side=64):
    """Four quadrants of these tuples of samples; not interlaced."""
    rows = b"".join(b"\0" + pictures.packed([value for pixel in row for value in pixel], depth)
                    for row in quadrants.rows(side, colours))
    return (b"\x89PNG\r\n\x1a\n" + pictures.chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, depth, kind, 0, 0, 0))
            + b"".join(chunks) + pictures.chunk(b"IDAT", zlib.compress(rows)) + pictures.chunk(b"IEND", b""))


def clear(*samples):
    return pictures.chunk(b"tRNS", struct.pack(f">{len(samples)}H", *samples))


def grays(depth):
    return [(value * ((1 << depth) - 1) // 255,) for value in GRAYS]


GRAY_SHOWN = tuple((value,) * 3 for value in GRAYS)


@report("https://github.com/etemesi254/zune-image/issues/58", "https://github.com/elabftw/elabftw/pull/2789",
        "https://github.com/emb-laube/pwa/issues/73", "https://github.com/mastodon/mastodon/issues/38651",
        "A picture is transparent: by one gray level, one colour, its palette, or a channel; in 1 to 16 bits.",
        right="Transparent there, neither black nor white, and with its colours elsewhere.", before="right")
def transparency_of_each_kind(trial):
    for depth in (2, 4, 8, 16):
        levels = grays(depth)
        quadrants.expect(trial, f"gray{depth}.png", png(0, depth, levels, clear(*levels[3])), (*GRAY_SHOWN[:3], CLEAR))
    quadrants.expect(trial, "bit.png", png(0, 1, [(0,), (1,), (1,), (0,)], clear(0)), (CLEAR, *[(255,) * 3] * 2, CLEAR))
    for depth, factor in ((8, 1), (16, 257)):
        colours = [tuple(value * factor for value in each) for each in quadrants.UPRIGHT]
        quadrants.expect(trial, f"rgb{depth}.png", png(2, depth, colours, clear(*colours[3])), (*quadrants.UPRIGHT[:3], CLEAR))
        channel = [(*each, 255 * factor) for each in colours[:3]] + [(0,) * 4]
        quadrants.expect(trial, f"rgba{depth}.png", png(6, depth, channel), (*quadrants.UPRIGHT[:3], CLEAR))
        two = [(value * factor, 255 * factor) for value in GRAYS[:3]] + [(0, 0)]
        quadrants.expect(trial, f"two{depth}.png", png(4, depth, two), (*GRAY_SHOWN[:3], CLEAR))
    for depth in (2, 4, 8):
        data = png(3, depth, [(each,) for each in range(4)], PALETTE, pictures.chunk(b"tRNS", b"\xff\0"))
        quadrants.expect(trial, f"palette{depth}.png", data, (quadrants.RED, CLEAR, quadrants.BLUE, quadrants.YELLOW))


@report("https://github.com/gbdev/rgbds/pull/1284", "https://github.com/pnggroup/libpng/issues/482",
        "https://github.com/python-pillow/Pillow/pull/9934", "https://github.com/image-rs/image-png/pull/702",
        "The chunk of transparency is too long or too short, or stands before the palette, or behind the pixels.",
        right="The picture, opaque, as in browsers, and a warning; a chunk with fewer entries than the palette is in order.",
        before="right")
def misplaced_transparency(trial):
    numbers = [(each,) for each in range(4)]
    fewer = png(3, 8, numbers, PALETTE, pictures.chunk(b"tRNS", b"\0"))
    quadrants.expect(trial, "fewer.png", fewer, (CLEAR, *quadrants.UPRIGHT[1:]))
    for name, chunks in (("longer", (PALETTE, pictures.chunk(b"tRNS", bytes(9)))),
                         ("before", (pictures.chunk(b"tRNS", bytes(4)), PALETTE)),
                         ("empty", (PALETTE, pictures.chunk(b"tRNS", b"")))):
        quadrants.expect_warned(trial, f"{name}.png", png(3, 8, numbers, *chunks), "tRNS")
    short = png(2, 8, quadrants.UPRIGHT, pictures.chunk(b"tRNS", b"\0\0"))
    quadrants.expect_warned(trial, "short.png", short, "tRNS")


@report("https://github.com/w3c/png/issues/29", "The transparent level is written with more bits than the picture has.",
        right="The lower bits count, as in most browsers.", before="right")
def transparent_level_with_more_bits(trial):
    for depth, level in ((8, 0x01FF), (4, 255), (2, 7)):
        quadrants.expect(trial, f"{depth}.png", png(0, depth, grays(depth), clear(level)), (*GRAY_SHOWN[:3], CLEAR))


@report("https://github.com/pngwriter/pngwriter/issues/128", "https://github.com/danbooru/danbooru/issues/2870",
        "The gamma is 0, or far from that of screens.", right="0 means nothing; another gamma counts, as in browsers.", before="right")
def unusual_gammas(trial):
    def gamma(value):
        return pictures.chunk(b"gAMA", struct.pack(">I", value))

    quadrants.expect(trial, "zero.png", png(2, 8, quadrants.UPRIGHT, gamma(0)))
    quadrants.expect(trial, "usual.png", png(2, 8, quadrants.UPRIGHT, gamma(45455)), tolerance=3)
    lit = tuple(tuple(round(encoded((value / 255) ** (100_000 / 55_100)) * 255) for value in each) for each in quadrants.UPRIGHT)
    quadrants.expect(trial, "flat.png", png(2, 8, quadrants.UPRIGHT, gamma(55_100)), lit)


def encoded(light):
    """The curve of sRGB."""
    return 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055


@report("https://github.com/w3c/png/issues/310", "https://github.com/Exiv2/exiv2/pull/3322",
        "https://github.com/drewnoakes/metadata-extractor-dotnet/issues/316",
        "The orientation is in a compressed text, as programs wrote it before there was a chunk for it.",
        right="Upright as stored: most browsers do not read it.", before="right")
def orientation_in_a_text(trial):
    raw = b"\nexif\n%8d\n" % 32 + (b"Exif\0\0" + jpegs.tiff([(0x0112, 3, 6)])).hex().encode() + b"\n"
    text = pictures.chunk(b"zTXt", b"Raw profile type exif\0\0" + zlib.compress(raw))
    quadrants.expect(trial, "text.png", png(2, 8, quadrants.UPRIGHT, text))


@report("https://github.com/odoo/odoo/pull/176632", "https://github.com/thumbor/thumbor/issues/237",
        "A picture has one row or one column, or one pixel: a spacer of a mail.",
        right="An avatar of what is in its middle.", before="right")
def spacers(trial):
    for width, height in ((1, 1), (1, 3000), (3000, 1), (2, 900)):
        path = trial.folder / f"{width}x{height}.png"
        path.write_bytes(pictures.png([[quadrants.RED] * width] * height))
        pictures.expect_drawn(trial, path, {(0.5, 0.5): quadrants.RED, (0.2, 0.5): quadrants.RED})
