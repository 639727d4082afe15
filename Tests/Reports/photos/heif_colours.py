"""The colours of HEIC and AVIF pictures."""
from support import heif, pictures
from support.report import report

RED, GREEN, BLUE, YELLOW = (220, 40, 40), (40, 180, 60), (40, 70, 220), (230, 210, 40)
SQUARES = {(.3, .3): RED, (.7, .3): GREEN, (.3, .7): BLUE, (.7, .7): YELLOW}
# The same numbers as colours of Display P3.
WIDE = {(.3, .3): (241, 0, 23), (.7, .3): (0, 182, 31), (.3, .7): (29, 71, 228), (.7, .7): (235, 209, 0)}
GRAY = {(.3, .3): (0, 0, 0), (.7, .3): (255, 255, 255), (.3, .7): (128, 128, 128), (.7, .7): (64, 64, 64)}
AVIF = (b"avif", b"mif1", b"miaf")


def expect_colours(trial, name, content, points, tolerance=14):
    path = trial.folder / name
    path.write_bytes(content)
    pictures.expect_drawn(trial, path, points, tolerance=tolerance)


@report("https://github.com/AOMediaCodec/libavif/issues/6", "No property states colours, and the coded data of HEVC state Display P3.",
        right="Colours of Display P3.", before="wrong")
def colours_of_hevc(trial):
    expect_colours(trial, "p3.heic", heif.heif(heif.picture("p3.heic", without=(b"colr",))), WIDE)


@report("https://github.com/AOMediaCodec/libavif/issues/6", "No property states colours, and the coded data of HEVC state PQ.",
        right="Refused by name, as where a property states it: without a tone curve it is gray fog.", before="wrong")
def high_dynamic_range_of_hevc(trial):
    path = trial.folder / "pq.heic"
    path.write_bytes(heif.heif(heif.picture("pq.heic", without=(b"colr",))))
    pictures.expect_refused(trial, path, "high dynamic range (PQ)")


@report("https://github.com/strukturag/libheif/issues/580", "A gray picture is coded with limited range.",
        right="16 is black and 235 white.", before="wrong")
def gray_of_limited_range(trial):
    photo = heif.picture("gray-limited.avif")
    expect_colours(trial, "gray.avif", heif.heif(photo, brands=AVIF), GRAY, 4)
    expect_colours(trial, "data.avif", heif.heif(photo.having(without=(b"colr", b"pixi")), brands=AVIF), GRAY, 4)


@report("https://github.com/darktable-org/darktable/issues/7661", "Colours are coded with limited range.",
        right="The colours.", before="right")
def colours_of_limited_range(trial):
    photo = heif.picture("limited.avif")
    expect_colours(trial, "limited.avif", heif.heif(photo, brands=AVIF), SQUARES)
    expect_colours(trial, "data.avif", heif.heif(photo.having(without=(b"colr",)), brands=AVIF), SQUARES)


@report("https://github.com/AOMediaCodec/libavif/issues/635", "https://github.com/AOMediaCodec/libavif/pull/619",
        "The picture has no property for its channels (pixi).", right="The picture.", before="right")
def no_channels_stated(trial):
    expect_colours(trial, "pixi.avif", heif.heif(heif.picture("quadrants.avif", without=(b"pixi",)), brands=AVIF), SQUARES)


@report("https://github.com/strukturag/libheif/issues/784", "A camera codes ten bits, and states it as brand.",
        right="The picture.", before="right")
def ten_bits(trial):
    photo = heif.picture("ten-bit.heic", without=(b"pixi",))
    expect_colours(trial, "camera.hif", heif.heif(photo, brands=(b"heix", b"mif1")), SQUARES)


@report("https://github.com/AOMediaCodec/libavif/issues/2918", "A profile and numbers of a standard are given, and the numbers are unspecified.",
        right="The profile states the colours, the numbers how they are coded.", before="right")
def profile_and_numbers(trial):
    photo = heif.picture("quadrants.avif", heif.nclx(2, 2, 6), profile_p3(), without=(b"colr",))
    expect_colours(trial, "both.avif", heif.heif(photo, brands=AVIF), WIDE)


def profile_p3():
    """A box with an ICC profile of Display P3: three primaries, adapted to D50, and the curve of sRGB."""
    def fixed(*numbers):
        return b"".join(round(number * 65536).to_bytes(4, "big", signed=True) for number in numbers)
    curve = b"para" + bytes(4) + b"\0\3\0\0" + fixed(2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)
    parts = {b"rXYZ": b"XYZ " + bytes(4) + fixed(0.51512, 0.24120, -0.00105), b"gXYZ": b"XYZ " + bytes(4) + fixed(0.29198, 0.69225, 0.04189),
             b"bXYZ": b"XYZ " + bytes(4) + fixed(0.15710, 0.06657, 0.78407), b"wtpt": b"XYZ " + bytes(4) + fixed(0.9642, 1, 0.8249),
             b"rTRC": curve, b"gTRC": curve, b"bTRC": curve}
    table, data, start = b"", b"", 132 + 12 * len(parts)
    for name, content in parts.items():
        table += name + (start + len(data)).to_bytes(4, "big") + len(content).to_bytes(4, "big")
        data += content
    head = bytes(8) + b"\x04\x30\0\0mntrRGB XYZ " + bytes(12) + b"acsp" + bytes(28) + fixed(0.9642, 1, 0.8249) + bytes(48)
    profile = head + len(parts).to_bytes(4, "big") + table + data
    return heif.box(b"colr", b"prof", len(profile).to_bytes(4, "big") + profile[4:])
