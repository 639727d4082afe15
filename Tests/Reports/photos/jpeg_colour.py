"""How the colours of a JPEG are stored, and what profiles say of them."""
from support import jpegs, pictures, profiles, quadrants
from support.report import report


@report("https://github.com/lovell/sharp/issues/1649", "https://github.com/libvips/libvips/issues/1283",
        "https://github.com/haraldk/TwelveMonkeys/issues/147",
        "A CMYK file lost Adobe's marker with its metadata.",
        right="Inks are inverted, as browsers, Pillow and ImageMagick read them.", before="wrong")
def inks_without_adobe_marker(trial):
    data = quadrants.coded("inks.jpg")
    quadrants.expect(trial, "adobe.jpg", data)
    quadrants.expect(trial, "bare.jpg", jpegs.without(data, 0xEE))
    quadrants.expect(trial, "jfif.jpg", jpegs.insert(jpegs.without(data, 0xEE), (0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0")))


@report("https://github.com/libvips/libvips/issues/831", "A CMYK file carries a profile of RGB.",
        right="The picture without the profile, and a warning.", before="right")
def inks_with_a_profile_of_rgb(trial):
    data = jpegs.insert(quadrants.coded("inks.jpg"), *jpegs.icc(profiles.display_p3()))
    quadrants.expect_warned(trial, "photo.jpg", data, "profile")


@report("https://github.com/ImageMagick/ImageMagick/issues/2070", "https://github.com/wavexx/fgallery/issues/26",
        "A gray photo kept the RGB profile it had in colour.",
        right="A gray picture.", before="right")
def gray_with_a_profile_of_rgb(trial):
    data = jpegs.insert(quadrants.coded("gray.jpg"), *jpegs.icc(profiles.display_p3()))
    path = trial.folder / "gray.jpg"
    path.write_bytes(data)
    grays = [(94, 94, 94), (124, 124, 124), (78, 78, 78), (196, 196, 196)]
    pictures.expect_drawn(trial, path, quadrants.points(grays), tolerance=8)


@report("https://github.com/SixLabors/ImageSharp/issues/3197", "A gray photo carries a profile of gray.",
        right="Its tones, neither flat nor washed out.", before="right")
def gray_with_a_profile_of_gray(trial):
    data = jpegs.insert(quadrants.coded("gray.jpg"), *jpegs.icc(profiles.gray()))
    path = trial.folder / "gray.jpg"
    path.write_bytes(data)
    grays = [(94, 94, 94), (124, 124, 124), (78, 78, 78), (196, 196, 196)]
    pictures.expect_drawn(trial, path, quadrants.points(grays), tolerance=8)


@report("https://github.com/awxkee/moxcms/issues/169", "The profile of a gray photo connects by lightness (Lab) instead of XYZ.",
        right="Its tones, by the curve of the profile.", before="right")
def gray_profile_by_lightness(trial):
    path = trial.folder / "gray.jpg"
    path.write_bytes(jpegs.insert(quadrants.coded("gray.jpg"), *jpegs.icc(profiles.gray(gamma=1, connection=b"Lab "))))
    # The values are the lightness, which sRGB writes a little darker in the middle.
    grays = [(87, 87, 87), (115, 115, 115), (72, 72, 72), (190, 190, 190)]
    pictures.expect_drawn(trial, path, quadrants.points(grays), tolerance=4)


@report("https://github.com/ktgw0316/LightZone/issues/228", "A photo carries a profile for Lab colours.",
        right="The picture without the profile, and a warning.", before="right")
def profile_of_lab_colours(trial):
    profile = bytearray(profiles.display_p3())
    profile[16:20] = b"Lab "
    data = jpegs.insert(quadrants.coded("quadrants.jpg"), *jpegs.icc(bytes(profile)))
    quadrants.expect_warned(trial, "photo.jpg", data, "profile")


@report("https://github.com/libjxl/libjxl/issues/3338", "A colour photo carries a profile of gray.",
        right="The picture without the profile, and a warning.", before="right")
def colours_with_a_profile_of_gray(trial):
    data = jpegs.insert(quadrants.coded("quadrants.jpg"), *jpegs.icc(profiles.gray()))
    quadrants.expect_warned(trial, "photo.jpg", data, "profile")


@report("https://github.com/python-pillow/Pillow/pull/4613", "https://github.com/drewnoakes/metadata-extractor/issues/65",
        "A profile is divided into segments that come in another order.",
        right="The profile is put together by the numbers of its parts.", before="right")
def profile_in_shuffled_parts(trial):
    parts = jpegs.icc(profiles.display_p3(), 150)
    wide = [(240, 0, 21), (0, 183, 30), (29, 71, 229), (234, 209, 0)]
    for name, order in (("ordered.jpg", parts), ("shuffled.jpg", parts[::-1])):
        quadrants.expect(trial, name, jpegs.insert(quadrants.coded("quadrants.jpg"), *order), wide, tolerance=14)


@report("https://github.com/etemesi254/zune-image/pull/396", "A part of the profile is missing.",
        right="The picture without the profile, and a warning.", before="right")
def part_of_a_profile_missing(trial):
    parts = jpegs.icc(profiles.display_p3(), 150)[1:]
    quadrants.expect_warned(trial, "photo.jpg", jpegs.insert(quadrants.coded("quadrants.jpg"), *parts), "profile")


@report("https://github.com/python-pillow/Pillow/pull/4613", "The same profile stands in the file twice.",
        right="It is applied once.", before="wrong")
def profile_twice(trial):
    parts = jpegs.icc(profiles.display_p3())
    segments, rest = jpegs.split(quadrants.coded("quadrants.jpg"))
    wide = [(240, 0, 21), (0, 183, 30), (29, 71, 229), (234, 209, 0)]
    quadrants.expect(trial, "photo.jpg", jpegs.join([*parts, *segments, *parts], rest), wide, tolerance=14)


@report("https://github.com/SixLabors/ImageSharp/pull/1732", "https://github.com/mozilla/pdf.js/pull/11966",
        "The components are called R, G and B, and there is no Adobe marker.",
        right="They are red, green and blue.", before="right")
def components_named_rgb(trial):
    data = jpegs.without(quadrants.coded("rgb.jpg"), 0xEE)
    quadrants.expect(trial, "rgb.jpg", data)


@report("https://github.com/nothings/stb/pull/426", "Adobe's marker says RGB, but the file begins with JFIF.",
        right="JFIF counts: the colours are YCbCr.", before="right")
def jfif_before_adobe(trial):
    data = quadrants.coded("quadrants.jpg")
    segments, rest = jpegs.split(data)
    quadrants.expect(trial, "photo.jpg", jpegs.join([segments[0], jpegs.adobe(0), *segments[1:]], rest))


@report("https://github.com/jpeg-js/jpeg-js/issues/23", "Adobe's marker says RGB, the components are numbered 1 to 3, and there is no JFIF.",
        right="They are red, green and blue.", before="right")
def adobe_rgb_numbered(trial):
    def number(payload):
        body = bytearray(payload)
        for index in range(3):
            body[6 + 3 * index] = index + 1
        return bytes(body)
    data = jpegs.changed(jpegs.without(quadrants.coded("rgb.jpg"), 0xEE, 0xE0), 0xC0, number)
    segments, rest = jpegs.split(data)
    scan = bytearray(rest)
    for index in range(3):
        scan[5 + 2 * index] = index + 1
    quadrants.expect(trial, "photo.jpg", jpegs.join([jpegs.adobe(0), *segments], bytes(scan)))
