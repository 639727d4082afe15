"""The JPEG half of decodes-like-reference/.

Expected pictures are an independent decode (Pillow) plus numpy; each is also compared with the
picture that was encoded, so that a mistake in our own encoder cannot hide.
"""

import numpy as np

from . import colour, expected, icc, jpeg_encoder, jpeg_tools, pictures, png_writer
from .colour import rgb_to_ycbcr, to_bytes
from .jpeg_encoder import JFIF, adobe, marker

WIDTH, HEIGHT = 49, 36


class _Maker:
    """Adds pairs to the folder and checks them against their source."""

    def __init__(self, folder):
        self.folder = folder

    def pair(self, name, data, source, reference=None, convert=None, floor=24.0,
             tolerance=expected.LOSSY):
        """`reference` is what Pillow decodes when it differs from `data`; `convert` turns the
        decode into sRGB; `source` is the picture in sRGB; `floor` the PSNR it must reach."""
        picture = jpeg_tools.decoded(reference or data)
        picture = convert(picture) if convert else picture
        quality = expected.psnr(expected.rgba(picture), expected.rgba(source))
        assert quality >= floor, f"{name}: only {quality:.1f} dB from its source"
        shown = self.folder.add_expected(name, expected.file(picture))
        self.folder.add(f"{name}.jpg", data, **shown, **tolerance)


def add_to(folder):
    """Adds the files."""
    maker = _Maker(folder)
    _coding(maker)
    _sampling(maker)
    _sizes(maker)
    _colour_models(maker)
    _containers(maker)
    _profiles(maker)
    png = png_writer.encode(to_bytes(pictures.card(30, 22)), 2, 8)
    shown = folder.add_expected("called-jpg-is-png", expected.file(pictures.card(30, 22)))
    folder.add("called-jpg-is-png.jpg", png, **shown)


def _coding(maker):
    """Baseline, extended, progressive, arithmetic, restarts."""
    picture = pictures.card(WIDTH, HEIGHT)
    samples = to_bytes(picture)

    def both(name, *options, code=None, floor=24.0, **more):
        data = jpeg_tools.cjpeg(samples, *options, **more)
        maker.pair(name, jpeg_tools.with_sof(data, code) if code else data, picture, floor=floor)

    both("baseline")
    both("baseline-optimised", "-optimize")
    both("baseline-quality-30", quality=30)
    both("baseline-quality-100", quality=100)
    both("extended-16-bit-quantisation", quality=5, floor=18.0)
    both("extended", code=0xC1)
    both("progressive", "-progressive")
    both("arithmetic", "-arithmetic")
    both("arithmetic-progressive", "-arithmetic", "-progressive")
    both("restart-every-row", "-restart", "1")
    both("restart-every-mcu", "-restart", "1B")
    both("restart-progressive", "-restart", "1", "-progressive")
    both("restart-arithmetic", "-restart", "2B", "-arithmetic")
    both("restart-arithmetic-progressive", "-restart", "2B", "-arithmetic", "-progressive")
    one_by_one = "0;\n1;\n2;\n"
    both("scans-not-interleaved", scans=one_by_one)
    both("scans-not-interleaved-444", "-sample", "1x1", scans=one_by_one)
    both("scans-luma-then-chroma", scans="0;\n1 2;\n")
    slow = "0 1 2: 0-0, 0, 1;\n" + "".join(f"{c}: 1-63, 0, 1;\n" for c in (0, 1, 2))
    slow += "0 1 2: 0-0, 1, 0;\n" + "".join(f"{c}: 1-63, 1, 0;\n" for c in (2, 1, 0))
    both("progressive-chroma-refined-first", scans=slow)
    gray = picture.mean(axis=-1, keepdims=True)
    for name, options in {"gray": [], "gray-progressive": ["-progressive"],
                          "gray-arithmetic": ["-arithmetic"]}.items():
        maker.pair(name, jpeg_tools.cjpeg(to_bytes(gray[:, :, 0]), *options), gray)

    def doubled(payload):
        payload[7] = 0x22

    # A single component may carry any sampling factors; they mean nothing.
    plain = jpeg_tools.cjpeg(to_bytes(gray[:, :, 0]))
    maker.pair("gray-sampling-2x2", jpeg_tools.with_sof(plain, edit=doubled), gray)


def _sampling(maker):
    """Chroma subsampling, the usual and the unusual."""
    picture = pictures.card(WIDTH, HEIGHT)
    samples = to_bytes(picture)
    for name, option in {
        "444": "1x1", "422": "2x1", "420": "2x2", "440": "1x2", "411": "4x1", "410": "4x2",
        "441": "1x4", "3x1": "3x1", "1x3": "1x3", "3x2": "3x2",
        "2x2-2x1-1x1": "2x2,2x1,1x1", "2x2-1x2-2x1": "2x2,1x2,2x1", "2x1-1x1-2x1": "2x1,1x1,2x1",
    }.items():
        data = jpeg_tools.cjpeg(samples, "-sample", option)
        maker.pair(f"sampling-{name}", data, picture, floor=20.0)
        if name in ("444", "420", "440"):
            data = jpeg_tools.cjpeg(samples, "-sample", option, "-progressive")
            maker.pair(f"sampling-{name}-progressive", data, picture, floor=20.0)
    planes = rgb_to_ycbcr(picture) * 255
    for name, sampling in {"chroma-2x2-luma-1x1": [(1, 1), (2, 2), (2, 2)],
                           "chroma-2x1-luma-1x2": [(1, 2), (2, 1), (2, 1)],
                           "all-2x2-not-reduced": [(2, 2), (2, 2), (1, 1)]}.items():
        maker.pair(f"sampling-{name}", jpeg_encoder.encode(planes, sampling), picture, floor=20.0)


def _sizes(maker):
    """Sizes around the block edges."""
    for width, height in ((1, 1), (7, 5), (8, 8), (9, 8), (17, 33), (33, 17), (41, 41), (1, 40),
                          (50, 1), (2, 3)):
        picture = pictures.card(width, height)
        for name, option in (("444", "1x1"), ("420", "2x2")):
            data = jpeg_tools.cjpeg(to_bytes(picture), "-sample", option)
            maker.pair(f"size-{width}x{height}-{name}", data, picture, floor=15.0)
    picture = pictures.card(41, 25)
    maker.pair("size-41x25-progressive",
               jpeg_tools.cjpeg(to_bytes(picture), "-progressive"), picture)
    maker.pair("size-41x25-422", jpeg_tools.cjpeg(to_bytes(picture), "-sample", "2x1"), picture)


def _colour_models(maker):
    """What the components mean."""
    picture = pictures.card(WIDTH, HEIGHT)
    rgb, ycc = picture * 255, rgb_to_ycbcr(picture) * 255
    flat = (0, 0, 0, 0)
    encode = jpeg_encoder.encode
    maker.pair("rgb-adobe-transform-0", encode(rgb, quants=flat, before=adobe(0)), picture)
    maker.pair("rgb-component-ids-rgb", encode(rgb, quants=flat, before=b"", ids=b"RGB"), picture)
    maker.pair("ycc-adobe-transform-1", encode(ycc, before=adobe(1)), picture)
    maker.pair("ycc-no-jfif-no-adobe", encode(ycc, before=b""), picture)
    maker.pair("ycc-component-ids-0-1-2", encode(ycc, before=b"", ids=(0, 1, 2)), picture)
    maker.pair("ycc-component-ids-34-35-36", encode(ycc, before=b"", ids=(34, 35, 36)), picture)
    maker.pair("ycc-jfif-component-ids-rgb", encode(ycc, ids=b"RGB"), picture)

    inks = pictures.ink_card(WIDTH, HEIGHT)
    shown = colour.naive_cmyk_to_rgb(inks)
    straight = {"source": shown, "convert": colour.naive_cmyk_to_rgb}
    maker.pair("cmyk-adobe-inverted",
               encode((1 - inks) * 255, quants=flat, before=adobe(0)), **straight)
    ycck = np.concatenate([rgb_to_ycbcr(inks[:, :, :3]), 1 - inks[:, :, 3:]], axis=-1) * 255
    maker.pair("ycck-adobe-inverted", encode(ycck, before=adobe(2)), **straight)
    maker.pair("ycck-adobe-inverted-420", encode(
        ycck, [(2, 2), (1, 1), (1, 1), (2, 2)], before=adobe(2)), floor=20.0, **straight)
    # Inks are inverted without Adobe's marker, too, as Pillow and browsers read them.
    maker.pair("cmyk-not-adobe", encode((1 - inks) * 255, quants=flat, before=b""), **straight)


def _containers(maker):
    """Bytes around and between the segments."""
    picture = pictures.card(WIDTH, HEIGHT)
    plain = jpeg_tools.cjpeg(to_bytes(picture))
    second = jpeg_tools.cjpeg(to_bytes(pictures.card(24, 24)[::-1]))

    def pair(name, data):
        maker.pair(name, data, picture, reference=plain)

    segments = jpeg_tools.split(plain)

    def between(filler):
        parts = [segment.data() for segment in segments]
        return b"\xff\xd8" + filler.join(parts) + b"\xff\xd9"

    pair("fill-bytes-before-markers", between(b"\xff\xff\xff"))
    # libjpeg skips what is no marker; it warns.
    pair("junk-before-markers", between(b"\x00\x01junk\x02"))
    # A scanner's: the height is 0 in the frame header, and stated behind the scan (DNL).
    height = plain[plain.index(b"\xff\xc0") + 5:][:2]
    late = jpeg_tools.with_sof(plain, 0xC0, lambda payload: payload.__setitem__(slice(1, 3), b"\0\0"))
    pair("height-behind-the-scan", late[:-2] + marker(0xDC, height) + late[-2:])
    pair("two-start-markers", b"\xff\xd8" + plain)
    pair("trailing-zeros", plain + b"\0" * 300)
    pair("trailing-text", plain + b"\r\n--boundary--\r\n")
    pair("second-jpeg-behind", plain + second)
    mpf = marker(0xE2, b"MPF\0II*\0\x08\0\0\0\0\0\0\0\0\0")
    pair("mpo-like", jpeg_tools.insert(plain, mpf) + b"\0" * 6 + second)
    pair("many-app-segments", jpeg_tools.insert(
        plain, b"".join(marker(0xE3 + i % 12, b"Tondo" * 3) for i in range(24) if i % 12 != 11)))
    pair("comments", jpeg_tools.insert(plain, marker(0xFE, b"a comment") * 3))
    pair("empty-app-segment", jpeg_tools.insert(plain, marker(0xED, b"")))
    pair("no-jfif", plain[:2] + plain[20:])
    tiny = marker(0xE0, b"JFXX\0\x10" + jpeg_tools.cjpeg(to_bytes(pictures.card(12, 12))))
    pair("jfxx-thumbnail", jpeg_tools.insert(plain, tiny))
    thumbnail = marker(0xE0, JFIF[4:-2] + bytes([4, 4]) + bytes(range(48)))
    pair("jfif-thumbnail", plain[:2] + thumbnail + plain[20:])
    shown = maker.folder.add_expected("called-png-is-jpeg",
                                      expected.file(jpeg_tools.decoded(plain)))
    maker.folder.add("called-png-is-jpeg.png", plain, **shown, **expected.LOSSY)


def _profiles(maker):
    """ICC profiles."""
    picture = pictures.card(WIDTH, HEIGHT)
    p3 = (colour.DISPLAY_P3, colour.srgb_decode)
    adobe_rgb = (colour.ADOBE_RGB, colour.gamma_decode(colour.ADOBE_GAMMA))

    def pair(name, profile, space, size=65519, options=()):
        # The same numbers, read as another space: what is shown differs from the picture.
        data = jpeg_tools.cjpeg(to_bytes(picture), *options)
        data = jpeg_tools.insert(data, jpeg_tools.icc_segments(profile, size))
        maker.pair(name, data, colour.rgb_to_srgb(picture, *space),
                   convert=lambda d: colour.rgb_to_srgb(d, *space), tolerance=expected.MANAGED)

    pair("icc-p3-v4", icc.display_p3(4), p3)
    pair("icc-p3-v2-progressive", icc.display_p3(2), p3, options=["-progressive"])
    pair("icc-p3-in-many-segments", icc.display_p3(2), p3, size=100)
    pair("icc-adobe-rgb", icc.adobe_rgb(2), adobe_rgb)
    pair("icc-adobe-rgb-v4", icc.adobe_rgb(4), adobe_rgb)
    pair("icc-srgb", icc.srgb(2), (colour.SRGB, colour.srgb_decode))

    gray = picture.mean(axis=-1, keepdims=True)
    data = jpeg_tools.insert(jpeg_tools.cjpeg(to_bytes(gray[:, :, 0])),
                             jpeg_tools.icc_segments(icc.gray(1.75)))

    def from_gray(d):
        return colour.srgb_encode(d ** 1.75)

    maker.pair("icc-gray", data, from_gray(gray), convert=from_gray, tolerance=expected.MANAGED)

    inks = pictures.ink_card(WIDTH, HEIGHT)

    def from_inks(d):
        return colour.xyz_to_srgb(colour.lab_to_xyz(icc.cmyk_lookup(d)))

    for bits in (8, 16):
        data = jpeg_encoder.encode((1 - inks) * 255, quants=(0, 0, 0, 0), before=adobe(0))
        data = jpeg_tools.insert(data, jpeg_tools.icc_segments(icc.cmyk(bits)))
        maker.pair(f"icc-cmyk-{bits}-bit-table", data, from_inks(inks), convert=from_inks,
                   tolerance=expected.TABLES)
