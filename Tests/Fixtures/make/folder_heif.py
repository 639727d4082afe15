"""heif/: HEIC and AVIF files. A folder of its own, because its pictures are decoded in a program of their own."""

import numpy as np

from . import colour, exif, expected, geometry, heif_broken, heif_coded, heif_tools, icc, pictures
from .book import Folder
from .heif_coded import HEIGHT, SIDE, WIDTH
from .heif_tools import Item, clap, full, grid, imir, irot, ispe, nclx

ABOUT = """
HEIC and AVIF: the pictures are coded once (`make/coded/`), the files around them written by hand. What is drawn is compared
with the drawing that was coded, so `psnr` and `mae` allow for its loss.
"""
NEAR = {"mae": 4.0, "psnr": 29.0}
# Colour at half the size: the card has hard edges between bright colours.
SUBSAMPLED = {"mae": 8.0, "psnr": 21.0}
BRANDS = {"heic": b"heic", "avif": b"avif"}
# EXIF's orientation of the same transformation.
TURNS = {"irot-1": ([irot(1)], 8), "irot-2": ([irot(2)], 3), "irot-3": ([irot(3)], 6), "imir-0": ([imir(0)], 4),
         "imir-1": ([imir(1)], 2), "irot-1-imir-0": ([irot(1), imir(0)], 5), "irot-1-imir-1": ([irot(1), imir(1)], 7)}


def _tiles(kind):
    return [heif_coded.load(f"tile-{y}{x}", kind)[0] for y in (0, 1) for x in (0, 1)]


def _grid(kind, width=SIDE, height=SIDE, *more, without=()):
    tiles = _tiles(kind)
    kept = [each for each in tiles[0].properties if each[4:8] in (b"colr", b"pixi")]
    whole = Item(b"grid", grid(2, 2, width, height), [ispe(width, height), *kept, *more], [(b"dimg", [2, 3, 4, 5])])
    return [each.having(without=without) for each in (whole, *tiles)]


def _small(kind, *more, without=()):
    """A thumbnail of the first item."""
    item = heif_coded.load("small", kind)[0].having(*more, without=without)
    item.references = [(b"thmb", [1])]
    return item


class _Files:
    """The files of one kind."""

    def __init__(self, folder, kind):
        self.folder, self.kind, self.brand = folder, kind, BRANDS[kind]
        self.card = heif_coded.load("card", kind)[0]

    def add(self, name, items, picture, limits=NEAR, **options):
        data = heif_tools.file(self.brand, *items, **options)
        shown = self.folder.add_expected(f"{self.kind}-{name}", expected.file(picture))
        self.folder.add(f"{self.kind}-{name}.{self.kind}", data, **shown, **limits)

    def coded(self):
        card = heif_coded.card()
        self.add("plain", [self.card], card)
        self.add("420", heif_coded.load("card-420", self.kind)[:1], card, SUBSAMPLED)
        self.add("10-bit", heif_coded.load("deep", self.kind)[:1], card)
        # Some cameras state less than the whole coding units that they code.
        self.add("padded", [self.card.having(ispe(90, 60), without=(b"ispe",))], card[:60, :90])
        gray = np.repeat(card[:, :, 1:2], 3, axis=2)
        self.add("gray", heif_coded.load("gray", self.kind)[:1], gray)
        # As its encoder wrote it: heif-enc codes it as the only tile of a grid.
        shown = self.folder.add_expected(f"{self.kind}-odd", expected.file(pictures.card(51, 37)))
        self.folder.add(f"{self.kind}-odd.{self.kind}", heif_coded.file("odd", self.kind), **shown, **NEAR)
        main, alpha = heif_coded.load("alpha", self.kind)
        seen = pictures.card_with_alpha(WIDTH, HEIGHT)
        alpha.references = [(b"auxl", [1])]
        self.add("alpha", [main, alpha], seen)
        depth = alpha.having(full(b"auxC", 0, 0, b"urn:mpeg:hevc:2015:auxid:2\0"), without=(b"auxC",))
        self.add("depth", [main, depth], seen[:, :, :3])

    def turned(self):
        card = heif_coded.card()
        for name, (properties, value) in TURNS.items():
            self.add(name, [self.card.having(*properties)], geometry.upright(card, value))
        stale = heif_tools.exif(exif.block(6, ">"))
        self.add("irot-3-exif-6", [self.card.having(irot(3)), stale], geometry.upright(card, 6))
        self.add("exif-6-alone", [self.card, stale], card)
        x, y, width, height = 20, 10, 61, 40
        part = clap(width, height, x, y, WIDTH, HEIGHT)
        shown = card[y:y + height, x:x + width]
        self.add("clap", [self.card.having(part)], shown)
        self.add("clap-irot-1", [self.card.having(part, irot(1))], geometry.upright(shown, 8))

    def divided(self):
        large = heif_coded.large()
        self.add("grid", _grid(self.kind), large)
        self.add("grid-in-header", _grid(self.kind), large, in_header=(1,))
        self.add("grid-irot-3", _grid(self.kind, SIDE, SIDE, irot(3)), geometry.upright(large, 6), in_header=(1,))
        self.add("grid-cropped", _grid(self.kind, 101, 75), large[:75, :101])
        self.add("thumbnail", [*_grid(self.kind), _small(self.kind)], large)
        turned = geometry.upright(large, 8)
        self.add("thumbnail-irot-1", [*_grid(self.kind, SIDE, SIDE, irot(1)), _small(self.kind, irot(1))], turned)
        self.add("thumbnail-not-turned", [*_grid(self.kind, SIDE, SIDE, irot(1)), _small(self.kind)], turned)

    def coloured(self):
        card = heif_coded.card()
        plain = self.card.having(without=(b"colr",))
        numbers = nclx(1, 13)
        for name, colours, primaries, decode in (
                ("p3", nclx(12, 13), colour.DISPLAY_P3, colour.srgb_decode),
                ("2020", nclx(9, 14), colour.REC_2020, colour.srgb_decode),
                ("p3-linear", nclx(12, 8), colour.DISPLAY_P3, colour.gamma_decode(1.0))):
            shown = colour.rgb_to_srgb(card, primaries, decode)
            self.add(f"nclx-{name}", [plain.having(colours)], shown, {"mae": 5.0, "psnr": 26.0})
        for name, colours in (("709", nclx(1, 1)), ("unstated", nclx(2, 2))):
            self.add(f"nclx-{name}", [plain.having(colours)], card)
        shown = colour.rgb_to_srgb(card, colour.DISPLAY_P3, colour.srgb_decode)
        profile = heif_tools.icc(icc.display_p3(4))
        self.add("icc-p3", [plain.having(profile, numbers)], shown)
        self.add("icc-p3-last", [plain.having(numbers, profile)], shown)
        shown = colour.rgb_to_srgb(heif_coded.large(), colour.DISPLAY_P3, colour.srgb_decode)
        divided = _grid(self.kind, SIDE, SIDE, without=(b"colr",))
        divided[0] = divided[0].having(profile)
        self.add("icc-p3-thumbnail", [*divided, _small(self.kind, without=(b"colr",))], shown)
        divided = _grid(self.kind, SIDE, SIDE, without=(b"colr",))
        self.add("icc-p3-of-tiles", [divided[0], *[each.having(profile) for each in divided[1:]]], shown)
        self.add("icc-noise", [plain.having(heif_tools.icc(b"\x5a" * 500), numbers)], card)
        for name, curve in (("pq", 16), ("hlg", 18)):
            self.folder.add(
                f"{self.kind}-{name}.{self.kind}", heif_tools.file(self.brand, plain.having(nclx(9, curve, 9))),
                outcome="unsupported", says=f"high dynamic range ({name})")

    def contained(self):
        card, data = heif_coded.card(), heif_tools.file(self.brand, self.card)
        free = heif_tools.box(b"free", b"\0" * 100)
        self.add("free-before", [self.card], card, before=free, after=b"text behind")
        self.add("8-byte-places", [self.card], card, width=8)
        shown = self.folder.add_expected(f"{self.kind}-plain", expected.file(card))
        general = data.replace(self.brand, b"mif1")
        self.folder.add(f"{self.kind}-called-jpg-{self.kind}.jpg", data, **shown, **NEAR)
        self.folder.add(f"{self.kind}-general-brand.{self.kind}", general, **shown, **NEAR)


def make(root):
    """The folder, ready to be written."""
    folder = Folder(root, "heif", ABOUT, {"outcome": "draws"})
    for kind in BRANDS:
        files = _Files(folder, kind)
        for add in (files.coded, files.turned, files.divided, files.coloured, files.contained):
            add()
        heif_broken.add_to(folder, kind, BRANDS[kind], _grid(kind))
    return folder
