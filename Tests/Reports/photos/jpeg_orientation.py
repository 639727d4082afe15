"""Which of several orientations of a JPEG counts."""
from support import jpegs, quadrants
from support.report import report

PHOTO = quadrants.coded("quadrants.jpg")


def expect(trial, name, colours, *segments):
    quadrants.expect(trial, name, jpegs.insert(PHOTO, *segments), colours)


@report("https://github.com/earendil-works/pi/issues/8571", "An XMP segment comes before the Exif segment, both of them APP1.",
        right="Exif's orientation is found behind it.", before="right")
def xmp_before_exif(trial):
    expect(trial, "photo.jpg", quadrants.TURNED, (0xE1, b"http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>"), jpegs.exif(6))


@report("https://github.com/ImageMagick/ImageMagick/issues/1445", "https://github.com/mattiasw/ExifReader/issues/27",
        "XMP has another orientation than Exif.",
        right="Exif's counts, as in browsers.", before="right")
def xmp_contradicts_exif(trial):
    expect(trial, "before.jpg", quadrants.UPRIGHT, jpegs.xmp(8), jpegs.exif(1))
    expect(trial, "behind.jpg", quadrants.TURNED, jpegs.exif(6), jpegs.xmp(3))


@report("https://github.com/mattes/epeg/issues/18", "https://github.com/lovell/sharp/issues/4585", "XMP alone has an orientation.",
        right="Upright as stored: browsers do not read it.", before="right")
def xmp_alone(trial):
    expect(trial, "photo.jpg", quadrants.UPRIGHT, jpegs.xmp(6))


@report("https://github.com/imgproxy/imgproxy/issues/1182", "https://github.com/remvee/exifr/issues/63",
        "An editor left two Exif segments.",
        right="The first one counts, as for browsers and libvips.", before="right")
def two_exif_segments(trial):
    expect(trial, "photo.jpg", quadrants.TURNED, jpegs.exif(6), jpegs.exif(3))


@report("https://github.com/google/sagetv/issues/204", "https://github.com/sksamuel/scrimage/issues/93",
        "The thumbnail in Exif has another orientation than the photo.",
        right="The one of the photo (first directory).", before="right")
def thumbnail_turned_otherwise(trial):
    for order in "<>":
        segment = jpegs.exif(6, order=order, thumbnail=[(0x0112, 3, 3), (0x0103, 3, 6)])
        expect(trial, f"{ord(order)}.jpg", quadrants.TURNED, segment)


@report("https://github.com/blueimp/JavaScript-Load-Image/issues/103",
        "Windows' viewer wrote a second orientation into the same directory.",
        right="The first one, as in browsers.", before="right")
def two_orientations_in_one_directory(trial):
    tiff = jpegs.tiff([(0x0112, 3, 6), (0x0112, 3, 1)])
    expect(trial, "photo.jpg", quadrants.TURNED, (0xE1, b"Exif\0\0" + tiff))


@report("https://github.com/libvips/libvips/pull/1514", "https://github.com/allgood/OpenNoteScanner/issues/248",
        "https://github.com/SixLabors/ImageSharp/issues/271",
        "The orientation is 0 or 9, which mean nothing, or has the type of a byte or a long.",
        right="Upright for values that mean nothing; the value for other types.", before="right")
def odd_orientations(trial):
    for value in (0, 9, 255):
        expect(trial, f"{value}.jpg", quadrants.UPRIGHT, jpegs.exif(value))
    for kind in (1, 4):
        for order in "<>":
            tiff = jpegs.tiff([(0x0112, kind, 6)], order=order)
            expect(trial, f"{kind}{ord(order)}.jpg", quadrants.TURNED, (0xE1, b"Exif\0\0" + tiff))


@report("https://github.com/bigcat88/pillow_heif/issues/45", "https://github.com/oozcitak/exiflibrary/issues/79",
        "The Exif segment is cut off, empty, or points beyond its end.",
        right="The picture as stored.", before="right")
def broken_exif(trial):
    whole = jpegs.exif(6)[1]
    for count in (4, 6, 10, 14, 20):
        expect(trial, f"{count}.jpg", quadrants.UPRIGHT, (0xE1, whole[:count]))
    beyond = whole[:10] + b"\xff\xff\xff\xf0" + whole[14:]
    expect(trial, "beyond.jpg", quadrants.UPRIGHT, (0xE1, beyond))


@report("https://github.com/google/libultrahdr/issues/474", "Exif stands behind profiles, comments and Photoshop's blocks.",
        right="Its orientation is found.", before="right")
def exif_behind_other_segments(trial):
    others = [(0xE2, b"ICC_PROFILE\0\1\1bad"), (0xED, b"Photoshop 3.0\x008BIM" + bytes(900)), (0xFE, b"written by hand")]
    quadrants.expect(trial, "photo.jpg", jpegs.insert(PHOTO, *others[1:], jpegs.exif(3)), quadrants.UPSIDE_DOWN)
    segments, rest = jpegs.split(PHOTO)
    quadrants.expect(trial, "late.jpg", jpegs.join([*segments, jpegs.exif(3)], rest), quadrants.UPSIDE_DOWN)
