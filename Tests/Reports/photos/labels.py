"""Where the orientation is looked for, and remarks of decoders that mean nothing for the picture."""
import struct
import zlib

from support import jpegs, pictures, profiles, quadrants
from support.report import report

GITHUB = "https://github.com/"
TURN = jpegs.tiff([(0x0112, 3, 6)])
PHOTO = quadrants.coded("quadrants.jpg")


def expect_quiet(trial, name, data, colours=quadrants.UPRIGHT):
    """The photo is drawn, without a warning."""
    path = trial.folder / name
    path.write_bytes(data)
    avatar, text = pictures.draw(trial, path)
    trial.expect(f"{name}: messages", text, "")
    for (x, y), wanted in quadrants.points(colours).items():
        near = avatar is not None and max(abs(a - b) for a, b in zip(avatar.at(x, y), wanted)) <= 8
        trial.require(f"{name} at {x}, {y} is {wanted}", near)


@report(GITHUB + "drewnoakes/metadata-extractor-dotnet/issues/316", GITHUB + "devongovett/exif-reader/issues/19",
        "The Exif chunk of a PNG begins with the label of a JPEG's segment, as some programs write it.",
        right="Turned, as with a WebP's.", before="wrong")
def label_of_a_jpeg_in_a_png(trial):
    for name, label in (("plain", b""), ("labelled", b"Exif\0\0")):
        quadrants.expect(trial, f"{name}.png", pictures.png(quadrants.rows(), pictures.chunk(b"eXIf", label + TURN)), quadrants.TURNED)


@report(GITHUB + "libvips/libvips/issues/772", GITHUB + "dsoprea/go-exif/issues/40", GITHUB + "sksamuel/scrimage/pull/114",
        "The thumbnail in Exif has an orientation, and the photo itself has none.",
        right="Upright: the orientation is the thumbnail's alone.", before="right")
def orientation_of_the_thumbnail_alone(trial):
    for order in "<>":
        data = jpegs.tiff([(0x0213, 3, 1)], order, thumbnail=[(0x0112, 3, 6)])
        quadrants.expect(trial, "a.jpg", jpegs.insert(PHOTO, (0xE1, b"Exif\0\0" + data)))
        quadrants.expect(trial, "b.png", pictures.png(quadrants.rows(), pictures.chunk(b"eXIf", data)))


@report(GITHUB + "openpreserve/jhove/issues/695", GITHUB + "thorfdbg/libjpeg/issues/92",
        "Adobe's marker has another version, or a transform that Adobe has not defined for three colours.",
        right="The picture, and no warning of damage: nothing is damaged.", before="wrong")
def undefined_transforms_of_adobe(trial):
    plain = jpegs.without(PHOTO, 0xE0)
    for transform in (1, 2, 9, 68):
        expect_quiet(trial, f"{transform}.jpg", jpegs.insert(plain, jpegs.adobe(transform)))
    marker, payload = jpegs.adobe(1)
    expect_quiet(trial, "version.jpg", jpegs.insert(plain, (marker, payload[:5] + struct.pack(">H", 101) + payload[7:])))


@report(GITHUB + "pnggroup/libpng/issues/207", GITHUB + "opentoonz/opentoonz/issues/1046", GITHUB + "allenai/medicat/issues/6",
        "A PNG has a profile with a mistake that changes nothing, as another white point of its connection space.",
        right="The colours of the profile, and no warning that it is ignored.", before="wrong")
def profiles_with_harmless_mistakes(trial):
    profile = profiles.display_p3()
    shown = []
    for name, data in (("right", profile), ("white", profile[:68] + struct.pack(">3i", 63190, 65530, 54061) + profile[80:])):
        path = trial.folder / f"{name}.png"
        path.write_bytes(pictures.png(quadrants.rows(), pictures.chunk(b"iCCP", b"p\0\0" + zlib.compress(data))))
        avatar, text = pictures.draw(trial, path)
        trial.expect(f"{name}: messages", text, "")
        shown.append([avatar.at(*point) for point in quadrants.points(quadrants.UPRIGHT)])
    trial.expect("colours", shown[1], shown[0])
    trial.require("the profile counts", shown[0][0] != (*quadrants.RED, 255))


@report(GITHUB + "reupen/columns_ui/pull/1405", GITHUB + "libvips/libvips/issues/676",
        "A picture of red, green and blue carries the profile of printing inks that it had before it was converted.",
        right="The picture without the profile, and a warning.", before="right")
def profile_of_inks_in_a_picture_of_colours(trial):
    inks = profiles._profile(b"CMYK", [(b"cprt", profiles._text()), (b"wtpt", profiles._xyz(0.9642, 1, 0.8249)),
                                       (b"A2B0", profiles._tag(b"mft1", bytes(100)))], b"Lab ")
    quadrants.expect_warned(trial, "a.png", pictures.png(quadrants.rows(), pictures.chunk(b"iCCP", b"p\0\0" + zlib.compress(inks))), "profile ignored")
    quadrants.expect_warned(trial, "a.jpg", jpegs.insert(PHOTO, *jpegs.icc(inks)), "profile ignored")


@report(GITHUB + "image-rs/image-png/issues/536", GITHUB + "google/zopfli/issues/97",
        "A PNG has notes for other programs: a background, pixels that are no squares, a palette that is only suggested, bits that count, an offset, a time.",
        right="The picture: transparent where it is, in its own shape and colours.", before="right")
def notes_for_other_programs(trial):
    notes = [(b"bKGD", struct.pack(">3H", 255, 0, 255)), (b"pHYs", struct.pack(">IIB", 1000, 3000, 1)), (b"sPLT", b"p\0\x08" + bytes(60)), (b"sBIT", b"\5\6\5\4"),
             (b"oFFs", struct.pack(">iiB", 5, 5, 0)), (b"tIME", b"\x07\xea\x0b\x1e\0\0\0")]
    rows = [[(*pixel, 0 if pixel == quadrants.RED else 255) for pixel in row] for row in quadrants.rows()]
    data = pictures.png(rows, *[pictures.chunk(*note) for note in notes], color_type=6)
    quadrants.expect(trial, "a.png", data, ((0, 0, 0, 0), *quadrants.UPRIGHT[1:]))


@report(GITHUB + "image-rs/image-png/issues/696", GITHUB + "drewnoakes/metadata-extractor/issues/379", GITHUB + "python-pillow/Pillow/pull/1060",
        "A small PNG has texts and a profile that unpack to many megabytes, or thousands of texts.",
        right="The picture, in no time and with little memory: nothing of it is shown.", before="right")
def texts_that_unpack_to_many_megabytes(trial):
    bomb = zlib.compress(bytes(60_000_000), 9)
    for name, chunks in (("profile", [(b"iCCP", b"x\0\0" + bomb)]), ("text", [(b"zTXt", b"x\0\0" + bomb)]), ("international", [(b"iTXt", b"x\0\1\0\0\0" + bomb)]),
                         ("many", [(b"tEXt", b"k\0v")] * 5000)):
        quadrants.expect(trial, f"{name}.png", pictures.png(quadrants.rows(), *[pictures.chunk(*each) for each in chunks]), quadrants.UPRIGHT, "--max-memory", "32MB")
