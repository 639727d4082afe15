"""How the components of a JPEG are sampled, in how many scans they come, and segments before them."""
import struct

from support import jpegs, plain_jpegs, profiles, quadrants
from support.report import report

PLAIN = [(2, 2), (1, 1), (1, 1)]
SAMPLINGS = {
    "4:1:1": [(4, 1), (1, 1), (1, 1)], "4:4:0": [(1, 2), (1, 1), (1, 1)], "4:1:0": [(4, 2), (1, 1), (1, 1)],
    "4:2:2 in twos": [(2, 2), (1, 2), (1, 2)], "4:4:4 in twos": [(1, 2)] * 3, "less brightness": [(1, 1), (2, 2), (2, 2)]}
GRAYS = tuple((round(plain_jpegs.ycc(each)[0]),) * 3 for each in quadrants.UPRIGHT)


def each(trial, factors, name, **how):
    """Small, and large enough for the reader of low frequencies."""
    for side in (64, 400):
        quadrants.expect(trial, f"{name} {side}.jpg", plain_jpegs.jpeg(plain_jpegs.colours(factors), side, **how))


@report("https://github.com/etemesi254/zune-image/pull/311", "https://github.com/libjpeg-turbo/libjpeg-turbo/issues/92",
        "https://github.com/ImpulseAdventure/JPEGsnoop/pull/40", "https://github.com/eclipse-threadx/guix/issues/193",
        "Colour has a fourth of the samples, or half of the lines; the factors are not in their lowest terms; brightness has fewer "
        "samples than colour.", right="The picture, with its colours in their places.", before="right")
def unusual_samplings(trial):
    for name, factors in SAMPLINGS.items():
        each(trial, factors, name.replace(":", ""))


@report("https://github.com/etemesi254/zune-image/issues/422", "https://github.com/etemesi254/zune-image/issues/449",
        "https://github.com/ImpulseAdventure/JPEGsnoop/issues/35",
        "Each component has a scan of its own in a file that is not progressive, the brightness perhaps last.",
        right="The picture: there is no order of scans.", before="right")
def a_scan_for_each_component(trial):
    for scans in ([[0], [1], [2]], [[1], [2], [0]], [[1, 2], [0]]):
        for name, factors in [("half", PLAIN), ("whole", [(1, 1)] * 3)]:
            each(trial, factors, f"{name} {scans}", scans=scans)
            each(trial, factors, f"{name} {scans} restarted", scans=scans, restart=3)


@report("https://github.com/eszter007/matcha-reader/issues/16", "https://github.com/bitbank2/JPEGDEC/pull/124",
        "The first scans of a progressive file hold the averages of one component each, as optimisers write them.",
        right="The picture in colour.", before="right")
def averages_in_scans_of_their_own(trial):
    for scans in ([[0], [1], [2]], [[0], [1, 2]]):
        each(trial, PLAIN, f"averages {scans}", scans=scans, progressive=True)


@report("https://github.com/SerenityOS/serenity/pull/12664", "https://github.com/SerenityOS/serenity/pull/22987",
        "https://github.com/SixLabors/ImageSharp/pull/1979", "https://github.com/DaemonEngine/crunch/pull/99",
        "A gray picture states sampling factors, as if there were colours.",
        right="The picture: one component alone has blocks in rows, whatever its factors are.", before="right")
def gray_with_sampling_factors(trial):
    for pair in ((2, 2), (2, 1), (1, 4)):
        for side, restart in ((64, 0), (64, 3), (400, 0), (400, 7)):
            gray = plain_jpegs.Component(1, *pair, plain_jpegs.at_quadrant([each[0] for each in GRAYS]))
            data = plain_jpegs.jpeg([gray], side, restart=restart)
            quadrants.expect(trial, f"{pair[0]}{pair[1]} {side} {restart}.jpg", data, GRAYS)


@report("https://github.com/brendan-duncan/image/issues/771", "https://github.com/LadybirdBrowser/ladybird/pull/6486",
        "https://github.com/ben-milanko/dart-pdf/issues/370",
        "Inks are coded as brightness, colour and black (YCCK), as Photoshop writes them.",
        right="The colours, neither gray nor inverted.", before="right")
def inks_as_brightness_and_colour(trial):
    planes = list(zip(*(plain_jpegs.ycc([255 - value for value in each]) for each in quadrants.UPRIGHT)))
    values = [*map(plain_jpegs.at_quadrant, planes), lambda x, y: 255]
    for pairs in ([(1, 1)] * 4, [(2, 2), (1, 1), (1, 1), (2, 2)]):
        components = [plain_jpegs.Component(number, *pair, value) for number, (pair, value) in enumerate(zip(pairs, values), 1)]
        for side in (64, 400):
            data = plain_jpegs.jpeg(components, side, before=[jpegs.adobe(2)])
            quadrants.expect(trial, f"{pairs[0][0]} {side}.jpg", data)


@report("https://github.com/haraldk/TwelveMonkeys/pull/1281",
        "The parts of a profile have numbers that are impossible: 0, or above their count, or the count is 0.",
        right="The picture without the profile, and a warning.", before="right")
def impossible_numbers_of_a_profile(trial):
    plain = plain_jpegs.jpeg(plain_jpegs.colours(PLAIN))
    halves = [body[14:] for _, body in jpegs.icc(profiles.display_p3(), 300)]
    for name, numbers in (("zero", [(0, 2), (1, 2)]), ("above", [(1, 2), (7, 2)]), ("none", [(1, 0), (2, 0)])):
        parts = [(0xE2, b"ICC_PROFILE\0" + bytes(pair) + half) for pair, half in zip(numbers, halves)]
        quadrants.expect_warned(trial, f"{name}.jpg", jpegs.insert(plain, *parts), "profile")


@report("https://github.com/image-size/image-size/pull/150", "The orientation is in Intel's byte order, or its directory stands far behind.",
        right="Turned.", before="right")
def orientation_in_either_byte_order(trial):
    plain = quadrants.coded("quadrants.jpg")
    far = b"II*\0" + struct.pack("<I", 201) + bytes(193) + struct.pack("<HHHIHHI", 1, 0x0112, 3, 1, 6, 0, 0)
    for name, tiff in (("intel", jpegs.tiff([(0x0112, 3, 6)], order="<")), ("motorola", jpegs.tiff([(0x0112, 3, 6)])), ("far", far)):
        quadrants.expect(trial, f"{name}.jpg", jpegs.insert(plain, (0xE1, b"Exif\0\0" + tiff)), quadrants.TURNED)


@report("https://github.com/haraldk/TwelveMonkeys/issues/132", "A line end or a mark of the byte order stands before the first marker.",
        right="An error, as browsers and most viewers give one: the file was damaged by its server. It says where the photo begins.", before="right")
def bytes_before_the_first_marker(trial):
    for name, extra in (("line", b"\n"), ("mark", b"\xef\xbb\xbf")):
        quadrants.expect_refused(trial, f"{name}.jpg", extra + quadrants.coded("quadrants.jpg"), "unsupported", f"photo behind {len(extra)} bytes of text")
