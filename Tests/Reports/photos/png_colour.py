"""What chunks of a PNG say of its colours."""
import struct
import zlib

from support import profiles, quadrants
from support.pictures import chunk, png
from support.report import report

WIDE = [(240, 0, 21), (0, 183, 30), (29, 71, 229), (234, 209, 0)]
"""Display P3 as sRGB, by Chromium."""
LINEAR = [(239, 110, 110), (110, 219, 133), (110, 143, 239), (244, 234, 110)]
SRGB = chunk(b"sRGB", b"\0")


def cicp(primaries, transfer, matrix=0, full=1):
    return chunk(b"cICP", bytes([primaries, transfer, matrix, full]))


def gamma(value):
    return chunk(b"gAMA", struct.pack(">I", value))


def iccp(profile):
    return chunk(b"iCCP", b"own\0\0" + zlib.compress(profile))


def photo(*chunks):
    return png(quadrants.rows(), *chunks)


@report("https://github.com/pnggroup/libpng/pull/565", "https://github.com/Tencent/tgfx/pull/1500",
        "The chunk cICP says Display P3, alone or beside chunks that say sRGB.",
        right="Converted from Display P3: cICP comes first.", before="wrong")
def display_p3_by_cicp(trial):
    for name, others in (("alone", ()), ("srgb", (SRGB,)), ("gamma", (gamma(100000),)), ("profile", (iccp(profiles.gray()),))):
        quadrants.expect(trial, f"{name}.png", photo(cicp(12, 13), *others), WIDE, tolerance=6)


@report("https://github.com/Tom94/tev/pull/307", "The chunk cICP says BT.2020, or linear light.",
        right="Converted, with Chromium's numbers.", before="wrong")
def other_colours_by_cicp(trial):
    wide = [(255, 0, 23), (0, 190, 14), (0, 70, 230), (247, 208, 0)]
    quadrants.expect(trial, "bt2020.png", photo(cicp(9, 13)), wide, tolerance=6)
    television = [(218, 28, 28), (28, 176, 49), (28, 60, 218), (229, 208, 28)]
    quadrants.expect(trial, "bt709.png", photo(cicp(1, 1)), television, tolerance=6)
    quadrants.expect(trial, "linear.png", photo(cicp(1, 8)), LINEAR, tolerance=6)


@report("https://github.com/AOMediaCodec/libavif/issues/2954", "https://github.com/w3c/png/issues/312",
        "The chunk cICP says PQ or HLG: brighter lights than those of a display.",
        right="An error that names it, not a gray fog.", before="wrong")
def high_dynamic_range_by_cicp(trial):
    for transfer, name in ((16, "PQ"), (18, "HLG")):
        quadrants.expect_refused(trial, f"{name}.png", photo(cicp(9, transfer)), "unsupported", "high dynamic range", name)


@report("https://github.com/w3c/png/issues/312", "The chunk cICP says nothing that can be used: unspecified, a matrix, or for video.",
        right="As if it were not there: the other chunks count.", before="right")
def cicp_that_says_nothing(trial):
    for name, parts in (("unspecified", (2, 2)), ("curve alone", (2, 13)), ("primaries alone", (12, 2)), ("matrix", (12, 13, 1)), ("video", (12, 13, 0, 0))):
        quadrants.expect(trial, f"{name}.png", photo(cicp(*parts)), tolerance=2)
        quadrants.expect(trial, f"{name}-profile.png", photo(cicp(*parts), iccp(profiles.display_p3())), WIDE, tolerance=12)


@report("https://github.com/d2phap/ImageGlass/issues/377", "A gamma of 1 stands in the file, as programs for 3D graphics write it.",
        right="Linear light.", before="right")
def gamma_of_one(trial):
    quadrants.expect(trial, "photo.png", photo(gamma(100000)), LINEAR, tolerance=6)


@report("https://github.com/kornelski/pngquant/issues/78", "https://github.com/w3c/png/issues/151",
        "A wrong gamma stands beside sRGB.",
        right="sRGB: gAMA does not count then.", before="right")
def wrong_gamma_beside_srgb(trial):
    quadrants.expect(trial, "photo.png", photo(SRGB, gamma(100000)), tolerance=2)


@report("https://github.com/RawTherapee/RawTherapee/issues/4260", "https://github.com/ruven/iipsrv/issues/239",
        "The profile breaks a rule of ICC, or is for gray.",
        right="The picture without the profile, and a warning.", before="right")
def unusable_profile(trial):
    quadrants.expect_warned(trial, "gray.png", photo(iccp(profiles.gray())), "profile")
    quadrants.expect_warned(trial, "cut.png", photo(iccp(profiles.display_p3()[:200])), "profile")
    quadrants.expect_warned(trial, "noise.png", photo(chunk(b"iCCP", b"own\0\0noise")), "profile")


@report("https://github.com/libjxl/libjxl/issues/720", "A gray picture has a profile of RGB.",
        right="Gray: the profile of colours does not fit, or changes its tones little.", before="right")
def gray_png_with_a_profile_of_rgb(trial):
    grays = [94, 124, 78, 196]
    data = b"".join(b"\0" + bytes(grays[(x >= 32) + 2 * (y >= 32)] for x in range(64)) for y in range(64))
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 64, 8, 0, 0, 0, 0))
    whole = b"\x89PNG\r\n\x1a\n" + head + iccp(profiles.display_p3()) + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b"")
    quadrants.expect(trial, "photo.png", whole, [(value,) * 3 for value in grays], tolerance=8)


@report("https://github.com/w3c/png/issues/556", "https://github.com/MediaArea/MediaInfoLib/issues/1405",
        "A profile stands behind the chunk sRGB, or before it.",
        right="The colours of the profile, whatever the order, as in Chromium.", before="wrong")
def profile_beside_srgb(trial):
    profile = iccp(profiles.display_p3())
    for name, chunks in (("before", (profile, SRGB)), ("behind", (SRGB, profile)), ("gamma", (gamma(45455), SRGB, profile))):
        quadrants.expect(trial, f"{name}.png", photo(*chunks), WIDE, tolerance=12)
    quadrants.expect(trial, "broken.png", photo(SRGB, chunk(b"iCCP", b"own\0\0broken")))
