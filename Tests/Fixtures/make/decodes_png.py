"""The PNG half of decodes-like-reference/; expected pictures come from the samples themselves."""

import struct
import zlib

import numpy as np
from PIL import Image

from . import colour, exif, expected, geometry, icc, pictures, png_writer
from .colour import to_bytes
from .png_writer import CHANNELS, chunk

DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
NAMES = {0: "gray", 2: "rgb", 3: "palette", 4: "gray-alpha", 6: "rgba"}
WIDTH, HEIGHT = 33, 24


def _gray(picture):
    return picture[:, :, :3] @ np.array([[0.3], [0.6], [0.1]])


def _samples(colour_type, depth, width=WIDTH, height=HEIGHT):
    """(samples, palette or None, floats they stand for) of one kind of PNG."""
    picture = pictures.card_with_alpha(width, height)
    if colour_type == 3:
        image = Image.fromarray(to_bytes(picture[:, :, :3]))
        image = image.quantize(2 ** depth, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        indices = np.asarray(image)[:, :, None]
        palette = np.array(image.getpalette()[:3 * (int(indices.max()) + 1)]).reshape(-1, 3)
        return indices, palette, palette[indices[:, :, 0]] / 255
    floats = {0: _gray(picture), 2: picture[:, :, :3], 6: picture,
              4: np.concatenate([_gray(picture), picture[:, :, 3:]], axis=-1)}[colour_type]
    top = 2 ** depth - 1
    samples = np.floor(floats * top + 0.5).astype(int)
    assert samples.shape[2] == CHANNELS[colour_type]
    return samples, None, samples / top


def add_to(folder):
    """Adds the files."""
    _kinds(folder)
    _transparency(folder)
    _colour(folder)
    _containers(folder)
    _sizes(folder)
    _apple(folder)


def _pair(folder, name, data, floats, **expect):
    shown = folder.add_expected(name, expected.file(floats))
    folder.add(f"{name}.png", data, **shown, **expect)


def _kinds(folder):
    """Every colour type and depth, in rows and in Adam7; both show the same picture."""
    for colour_type, depths in DEPTHS.items():
        for depth in depths:
            samples, palette, floats = _samples(colour_type, depth)
            name = f"png-{NAMES[colour_type]}-{depth}"
            _pair(folder, name, png_writer.encode(samples, colour_type, depth, palette=palette),
                  floats)
            _pair(folder, f"{name}-adam7",
                  png_writer.encode(samples, colour_type, depth, True, palette=palette), floats)


def _transparency(folder):
    """tRNS."""
    for depth in (1, 2, 4, 8, 16):
        samples, _, floats = _samples(0, depth)
        key = int(samples[HEIGHT // 2, WIDTH // 2, 0])
        if depth == 16:
            samples = samples.copy()
            samples[5:9, 12:20] = key
            samples[12:16, 12:20] = key ^ 1     # same high byte: must stay opaque
            floats = samples / 65535
        alpha = (samples != key).astype(float)
        trns = chunk("tRNS", struct.pack(">H", key))
        for suffix, interlace in (("", False), ("-adam7", True)):
            data = png_writer.encode(samples, 0, depth, interlace, before_idat=trns)
            _pair(folder, f"png-trns-gray-{depth}{suffix}", data,
                  np.concatenate([floats, alpha], axis=-1))
            if depth not in (1, 16):
                break
    for depth in (8, 16):
        samples = _samples(2, depth)[0].copy()
        key = samples[0, WIDTH // 2].copy()
        samples[6:12, 14:22] = key
        samples[14:18, 14:22] = key + np.array([0, 0, 1])
        alpha = (samples != key).any(axis=-1, keepdims=True).astype(float)
        trns = chunk("tRNS", struct.pack(">3H", *[int(v) for v in key]))
        _pair(folder, f"png-trns-rgb-{depth}",
              png_writer.encode(samples, 2, depth, before_idat=trns),
              np.concatenate([samples / (2 ** depth - 1), alpha], axis=-1))
    for depth in (1, 2, 4, 8):
        indices, palette, floats = _samples(3, depth)
        table = (np.arange(len(palette)) * 97 + 40) % 256
        table = table[:max(1, len(palette) * 2 // 3)]     # shorter: the rest is opaque
        full = np.concatenate([table, np.full(len(palette) - len(table), 255)]) / 255
        alpha = full[indices[:, :, 0]][:, :, None]
        trns = chunk("tRNS", bytes(int(a) for a in table))
        for suffix, interlace in (("", False), ("-adam7", True)):
            data = png_writer.encode(indices, 3, depth, interlace, palette=palette,
                                     before_idat=trns)
            _pair(folder, f"png-trns-palette-{depth}{suffix}", data,
                  np.concatenate([floats, alpha], axis=-1))
            if depth != 4:
                break


def _colour(folder):
    """gAMA, cHRM, sRGB, iCCP."""
    managed = expected.MANAGED

    def add(name, colour_type, depth, chunks, convert, **expect):
        samples, palette, floats = _samples(colour_type, depth)
        channels = 1 if colour_type in (0, 4) else 3
        shown = np.concatenate([convert(floats[:, :, :channels]), floats[:, :, channels:]], axis=-1)
        data = png_writer.encode(samples, colour_type, depth, palette=palette, before_plte=chunks)
        _pair(folder, f"png-{name}", data, shown, **{**managed, **expect})

    def power(exponent):
        return lambda v: colour.srgb_encode(v ** exponent)

    def matrix(primaries, decode):
        return lambda v: colour.rgb_to_srgb(v, primaries, decode)

    linear = png_writer.gama(100_000)
    for colour_type, depth in ((2, 8), (2, 16), (0, 8), (0, 16), (3, 8), (4, 8), (6, 8), (6, 16)):
        add(f"gama-1.0-{NAMES[colour_type]}-{depth}", colour_type, depth, linear, power(1))
    add("gama-0.55", 2, 8, png_writer.gama(55_000), power(1 / 0.55))
    # Readers may take 1/2.2 for sRGB (most do) or for a pure power: both pass.
    add("gama-45455", 2, 8, png_writer.gama(45_455), lambda v: v, mae=2.5, psnr=33.0)
    add("gama-45455-with-srgb", 2, 8, png_writer.srgb() + png_writer.gama(45_455), lambda v: v,
        **expected.LOSSLESS)
    add("srgb", 6, 8, png_writer.srgb(), lambda v: v, **expected.LOSSLESS)
    srgb_chrm = png_writer.chrm(colour.SRGB, colour.D65_XY)
    add("srgb-gama-chrm", 2, 8, png_writer.srgb() + png_writer.gama(45_455) + srgb_chrm,
        lambda v: v, **expected.LOSSLESS)
    p3 = png_writer.chrm(colour.DISPLAY_P3, colour.D65_XY)
    add("chrm-p3-gama-45455", 2, 8, png_writer.gama(45_455) + p3,
        matrix(colour.DISPLAY_P3, colour.gamma_decode(2.2)), mae=2.5, psnr=33.0)
    add("chrm-p3-gama-1.0", 2, 16, linear + p3, matrix(colour.DISPLAY_P3, colour.gamma_decode(1)))
    space = matrix(colour.DISPLAY_P3, colour.srgb_decode)
    profile = png_writer.iccp(icc.display_p3(4))
    for colour_type, depth in ((2, 8), (2, 16), (3, 4), (6, 8)):
        add(f"iccp-p3-{NAMES[colour_type]}-{depth}", colour_type, depth, profile, space)
    add("iccp-adobe-rgb", 2, 8, png_writer.iccp(icc.adobe_rgb(2)),
        matrix(colour.ADOBE_RGB, colour.gamma_decode(colour.ADOBE_GAMMA)))
    add("iccp-srgb", 2, 8, png_writer.iccp(icc.srgb(2)), lambda v: v)
    gray = png_writer.iccp(icc.gray(1.75))
    for colour_type, depth in ((0, 4), (0, 8), (0, 16), (4, 8)):
        add(f"iccp-gray-{NAMES[colour_type]}-{depth}", colour_type, depth, gray, power(1.75))


def _containers(folder):
    """How the chunks are laid out."""
    samples, _, floats = _samples(2, 8)
    _pair(folder, "png-idat-of-1-byte", png_writer.encode(samples[:9, :11], 2, 8, idat_size=1),
          floats[:9, :11])
    _pair(folder, "png-idat-of-100-bytes", png_writer.encode(samples, 2, 8, idat_size=100), floats)
    _pair(folder, "png-not-compressed", png_writer.encode(samples, 2, 8, level=0), floats)
    split = png_writer.encode(samples, 2, 8, idat_size=700)
    at = split.index(b"IDAT") - 4
    _pair(folder, "png-empty-idats", split[:at] + chunk("IDAT") * 2
          + split[at:-12] + chunk("IDAT") + split[-12:], floats)
    text = chunk("tEXt", b"Title\0fixture") + chunk("tIME", b"\x07\xe8\1\1\0\0\0")
    text += chunk("zTXt", b"Comment\0\0" + zlib.compress(b"small")) + chunk("prVt", b"?")
    _pair(folder, "png-other-chunks", png_writer.encode(samples, 2, 8, before_idat=text,
                                                        after_idat=text[:25]), floats)
    _pair(folder, "png-bkgd-ignored", png_writer.encode(
        _samples(6, 8)[0], 6, 8, before_idat=chunk("bKGD", struct.pack(">3H", 255, 0, 0))),
        _samples(6, 8)[2])
    plain = png_writer.encode(samples, 2, 8)
    _pair(folder, "png-trailing-bytes", plain + b"trailing" * 20, floats)
    suggested = png_writer.plte(np.array([[255, 0, 0], [0, 0, 255]]))
    _pair(folder, "png-plte-in-rgb", png_writer.encode(samples, 2, 8, before_plte=suggested),
          floats)
    block = png_writer.exif(exif.block(6, ">"))
    turned = geometry.upright(floats, 6)
    _pair(folder, "png-exif-before-idat", png_writer.encode(samples, 2, 8, before_idat=block),
          turned)
    _pair(folder, "png-exif-after-idat", png_writer.encode(samples, 2, 8, after_idat=block), turned)
    _pair(folder, "png-exif-adam7", png_writer.encode(samples, 2, 8, True, after_idat=block),
          turned)
    _animated(folder, samples, floats)


def _animated(folder, samples, floats):
    """APNG: the first frame, be it in IDAT or in fdAT."""
    height, width = samples.shape[:2]
    other = zlib.compress(png_writer.raw_image_data(255 - samples, 8), 9)

    def control(number, size=(width, height), place=(0, 0)):
        return chunk("fcTL", struct.pack(">5I2H2B", number, *size, *place, 1, 10, 0, 0))

    def frame(number):
        return chunk("fdAT", struct.pack(">I", number) + other)

    count = chunk("acTL", struct.pack(">II", 2, 0))
    _pair(folder, "apng-first-frame-is-idat", png_writer.encode(
        samples, 2, 8, before_idat=count + control(0), after_idat=control(1) + frame(2)), floats)
    _pair(folder, "apng-default-image-not-played", png_writer.encode(
        samples, 2, 8, before_idat=count,
        after_idat=control(0) + frame(1) + control(2) + frame(3)), 1 - floats)
    _pair(folder, "apng-default-image-and-no-frame", png_writer.encode(
        samples, 2, 8, before_idat=count), floats)
    _small_frames(folder, samples, floats, control, count)


def _small_frames(folder, samples, floats, control, count):
    """The first frame behind a hidden default image covers a part of the canvas."""
    height, width = samples.shape[:2]
    for name, (left, top, right, bottom) in {
            "inside": (8, 5, 20, 17), "at-the-edge": (0, 0, 10, height), "outside-the-square": (0, 0, 3, 3)}.items():
        part = zlib.compress(png_writer.raw_image_data(samples[top:bottom, left:right], 8), 9)
        first = control(0, (right - left, bottom - top), (left, top))
        # In two chunks, each with a number of its own.
        data = b"".join(chunk("fdAT", struct.pack(">I", number) + piece)
                        for number, piece in ((1, part[:9]), (2, part[9:])))
        shown = np.zeros((height, width, 4))
        shown[top:bottom, left:right] = np.concatenate(
            [floats[top:bottom, left:right], np.ones((bottom - top, right - left, 1))], axis=-1)
        _pair(folder, f"apng-frame-{name}", png_writer.encode(
            255 - samples, 2, 8, before_idat=count, after_idat=first + data), shown)
    # A frame that sticks out is none.
    beyond = control(0, (width, height), (1, 0)) + chunk("fdAT", b"\0\0\0\1")
    _pair(folder, "apng-frame-beyond-the-canvas", png_writer.encode(
        samples, 2, 8, before_idat=count, after_idat=beyond), floats)


def _sizes(folder):
    """Sizes that leave Adam7 passes or bytes half empty."""
    for width, height in ((1, 1), (1, 19), (23, 1), (2, 2), (3, 5), (4, 4), (5, 3), (8, 8), (9, 7)):
        for colour_type, depth in ((2, 8), (0, 1)):
            samples, _, floats = _samples(colour_type, depth, width, height)
            name = f"png-size-{width}x{height}-{NAMES[colour_type]}-{depth}"
            _pair(folder, name, png_writer.encode(samples, colour_type, depth), floats)
            _pair(folder, f"{name}-adam7", png_writer.encode(samples, colour_type, depth, True),
                  floats)


def _apple(folder):
    """CgBI, what Xcode makes of PNG files in an app."""
    picture = pictures.card_with_alpha(WIDTH, HEIGHT)
    alpha = to_bytes(picture[:, :, 3:])
    stored = np.concatenate([to_bytes(picture[:, :, :3] * (alpha / 255)), alpha], axis=-1)
    plain = stored[:, :, :3] / np.maximum(alpha, 1)
    floats = np.concatenate([np.clip(plain, 0, 1), alpha / 255], axis=-1)
    _pair(folder, "cgbi-rgba", png_writer.encode_cgbi(stored, 6), floats, mae=1.0, psnr=45.0)
    opaque = to_bytes(picture[:, :, :3])
    _pair(folder, "cgbi-rgb", png_writer.encode_cgbi(opaque, 2), opaque / 255)
    filled = np.concatenate([opaque, np.full(alpha.shape, 255, np.uint8)], axis=-1)
    _pair(folder, "cgbi-rgba-opaque", png_writer.encode_cgbi(filled, 6), opaque / 255)
