"""PNGs whose rows come in seven passes (Adam7), and their animations."""
import struct
import zlib

from support import pictures, quadrants
from support.pictures import chunk
from support.report import report

GITHUB = "https://github.com/"
PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
PALETTE = chunk(b"PLTE", b"".join(bytes(each) for each in quadrants.UPRIGHT))


def laced(rows, depth=8):
    """The compressed rows of the passes; a pass without pixels has none."""
    lines = [[value for pixel in row[x::across] for value in pixel] for x, y, across, down in PASSES for row in rows[y::down]]
    return zlib.compress(b"".join(b"\0" + pictures.packed(line, depth) for line in lines if line))


def head(width, height, depth, kind):
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 1))


def png(rows, depth=8, kind=2, *chunks):
    return (head(len(rows[0]), len(rows), depth, kind) + b"".join(chunks) + chunk(b"IDAT", laced(rows, depth)) + chunk(b"IEND", b""))


@report(GITHUB + "depsypher/pngtastic/issues/4", GITHUB + "DCurrent/openbor/pull/160", GITHUB + "EliotJones/BigGustave/issues/16",
        GITHUB + "NathanNeurotic/Open-PS2-Loader/pull/247",
        "An interlaced picture is smaller than the eight pixels of a pass, or has sides that eight does not divide, or less than a byte for a pixel.",
        right="The picture, as without interlacing.", before="right")
def passes_without_pixels(trial):
    for side in (5, 9, 13, 33):
        quadrants.expect(trial, f"{side}.png", png(quadrants.rows(side)), tolerance=30)
    path = trial.folder / "one.png"
    path.write_bytes(png([[quadrants.RED]]))
    pictures.expect_drawn(trial, path, {(.5, .5): quadrants.RED})
    for side in (1, 2, 3, 7):
        for name, rows in (("row", [[quadrants.BLUE] * side]), ("column", [[quadrants.BLUE]] * side)):
            path.write_bytes(png(rows))
            pictures.expect_drawn(trial, path, {(.5, .5): quadrants.BLUE})
    for depth in (2, 4, 8, 16):
        levels = [(value * ((1 << depth) - 1) // 255,) for value in (0, 85, 170, 255)]
        quadrants.expect(trial, f"gray{depth}.png", png(quadrants.rows(33, levels), depth, 0), [(value,) * 3 for value in (0, 85, 170, 255)])
    for depth in (2, 4, 8):
        rows = quadrants.rows(33, [(number,) for number in range(4)])
        quadrants.expect(trial, f"palette{depth}.png", png(rows, depth, 3, PALETTE))


@report(GITHUB + "image-rs/image-png/issues/699",
        "An interlaced animation has a first frame that is narrower than its canvas.",
        right="The frame with its own rows, in its place, and nothing around it.", before="right")
def narrow_frame_of_an_interlaced_animation(trial):
    control = struct.pack(">IIIIIHHBB", 0, 48, 48, 8, 8, 1, 10, 0, 0)
    path = trial.folder / "a.png"
    path.write_bytes(head(64, 64, 8, 2) + chunk(b"acTL", struct.pack(">II", 1, 0)) + chunk(b"IDAT", laced([[(0, 0, 0)] * 64] * 64))
                     + chunk(b"fcTL", control) + chunk(b"fdAT", struct.pack(">I", 1) + laced(quadrants.rows(48))) + chunk(b"IEND", b""))
    pictures.expect_drawn(trial, path, {**quadrants.points(quadrants.UPRIGHT), (.5, .05): (0, 0, 0, 0)}, tolerance=8)
