"""Transparent HEIC and AVIF pictures."""
from support import heif, pictures
from support.report import report

RED, GREEN, BLUE, YELLOW = (220, 40, 40), (40, 180, 60), (40, 70, 220), (230, 210, 40)
# The right half is half transparent.
HALF = {(.3, .3): RED, (.7, .3): GREEN + (128,), (.3, .7): BLUE, (.7, .7): YELLOW + (128,)}
AVIF = (b"avif", b"mif1", b"miaf")


def expect_half(trial, name, content, points=None, tolerance=14):
    path = trial.folder / name
    path.write_bytes(content)
    pictures.expect_drawn(trial, path, points or HALF, tolerance=tolerance)


def tiles(first=1):
    return [heif.picture(f"{colour}.heic", hidden=True) for colour in ("red", "green", "blue", "yellow")]


def grid_of(*numbers, side=128):
    return heif.Item(b"grid", heif.grid(2, 2, side, side), (heif.ispe(side, side),), ((b"dimg", numbers),))


@report("https://github.com/AOMediaCodec/libavif/pull/745", "https://github.com/kornelski/avif-serialize/issues/3",
        "The transparency states no size.", right="It has the size of the colours.", before="wrong")
def transparency_without_a_size(trial):
    content = heif.heif(heif.picture("transparent.avif"), heif.alpha("transparent.avif", without=(b"ispe", b"pixi")), brands=AVIF)
    expect_half(trial, "size.avif", content)


@report("https://github.com/AOMediaCodec/libavif/pull/591", "https://github.com/AOMediaCodec/libavif/issues/91",
        "The transparency is coded with limited range, which its own data say.",
        right="16 is transparent and 235 opaque.", before="wrong")
def transparency_of_limited_range(trial):
    # Black, white, 128 and 64, as 16, 235, 126 and 71.
    cover = heif.picture("gray-limited.avif", heif.aux(heif.ALPHA_AV1), without=(b"colr",))
    cover.references = ((b"auxl", (1,)),)
    points = {(.3, .3): (0, 0, 0, 0), (.7, .3): GREEN, (.3, .7): BLUE + (128,), (.7, .7): YELLOW + (64,)}
    expect_half(trial, "limited.avif", heif.heif(heif.picture("quadrants.avif"), cover, brands=AVIF), points)


@report("https://github.com/AOMediaCodec/libavif/issues/292", "https://github.com/strukturag/libheif/issues/1394",
        "The colours are multiplied by the transparency (prem).", right="They are not multiplied again.", before="right")
def multiplied_colours(trial):
    colours = heif.picture("multiplied.heic")
    colours.references = ((b"prem", (2,)),)
    expect_half(trial, "multiplied.heic", heif.heif(colours, heif.alpha("transparent.heic")))


@report("https://github.com/AOMediaCodec/av1-avif/issues/68", "https://github.com/AOMediaCodec/libavif/issues/86",
        "The transparency has half the size of the colours.", right="It is scaled to them (MIAF, 6.7).", before="wrong")
def transparency_of_half_the_size(trial):
    content = heif.heif(*tiles(), grid_of(1, 2, 3, 4), heif.alpha("transparent.heic", of=(5,)), primary=5, in_header=(5,))
    expect_half(trial, "small.heic", content)


@report("https://github.com/strukturag/libheif/issues/388", "The transparency has two pixels more than the colours.",
        right="The picture: it covers the colours.", before="wrong")
def transparency_that_is_larger(trial):
    content = heif.heif(heif.picture("odd.heic"), heif.alpha("transparent.heic"))
    expect_half(trial, "phone.heic", content)


@report("https://github.com/strukturag/libheif/issues/708", "https://github.com/AOMediaCodec/libavif/issues/1203",
        "Each tile of a grid has a transparency of its own.", right="The transparent picture.", before="right")
def transparency_of_each_tile(trial):
    covers = [heif.alpha("transparent.heic", of=(number,), hidden=True) for number in (1, 2, 3, 4)]
    content = heif.heif(*tiles(), grid_of(1, 2, 3, 4), *covers, primary=5, in_header=(5,))
    points = {(.2, .3): RED, (.4, .3): RED + (128,), (.6, .3): GREEN, (.8, .3): GREEN + (128,),
              (.2, .7): BLUE, (.4, .7): BLUE + (128,), (.6, .7): YELLOW, (.8, .7): YELLOW + (128,)}
    expect_half(trial, "tiles.heic", content, points)


@report("https://github.com/strukturag/libheif/pull/1148", "Two pictures share one transparency.",
        right="It is that of the primary picture, too.", before="wrong")
def shared_transparency(trial):
    content = heif.heif(heif.picture("transparent.heic"), heif.picture("red.heic"), heif.alpha("transparent.heic", of=(2, 1)))
    expect_half(trial, "shared.heic", content)


@report("https://github.com/AOMediaCodec/libavif/issues/2831", "The colours are turned and cropped, and the transparency has neither.",
        right="They stay together, as encoders that wrote so meant it.", before="wrong")
def transparency_without_transformations(trial):
    # The upper half of the picture is left, which is turned against the clock: green is above red.
    colours = heif.picture("transparent.heic", heif.clap(64, 32, 0, 0, (64, 64)), heif.irot(1))
    content = heif.heif(colours, heif.alpha("transparent.heic"))
    expect_half(trial, "turned.heic", content, {(.5, .2): GREEN + (128,), (.5, .8): RED})
