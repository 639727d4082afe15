"""The WebP part of decodes-like-reference/; expected pictures are Pillow's decode, or the samples themselves."""

import numpy as np

from . import colour, exif, expected, geometry, icc, pictures, webp_tools
from .colour import to_bytes
from .webp_tools import anmf, animation, chunk, encode, extended, frame

# A filter of alpha (RFC 9649 section 2.7.1.2).
HORIZONTAL = 1


def add_to(folder):
    """Adds the files."""
    def add(name, data, picture=None, tolerance=expected.LOSSY, floor=None, source=None):
        picture = webp_tools.decoded(data) if picture is None else picture
        if floor:
            quality = expected.psnr(expected.rgba(picture), expected.rgba(source))
            assert quality >= floor, f"{name}: only {quality:.1f} dB from its source"
        shown = folder.add_expected(name, expected.file(picture))
        folder.add(f"{name}.webp", data, **shown, **tolerance)
        return shown

    exact = expected.LOSSLESS
    # Odd differences of the sides, so that the centre square begins at an odd pixel.
    for width, height in ((49, 36), (51, 36), (36, 51), (50, 50), (3, 2), (1, 1), (2, 5)):
        card = pictures.card(width, height)
        samples = to_bytes(card)
        size = f"{width}x{height}"
        add(f"webp-lossy-{size}", encode(samples), floor=15.0 if width < 12 else 22.0, source=card)
        add(f"webp-lossless-{size}", encode(samples, lossless=True), samples / 255, exact)
    card, width, height = pictures.card(51, 36), 51, 36
    samples = to_bytes(card)
    add("webp-lossy-quality-5", encode(samples, quality=5))
    add("webp-lossy-quality-100", encode(samples, quality=100))
    seen = to_bytes(pictures.card_with_alpha(width, height))
    add("webp-lossy-alpha", encode(seen))
    add("webp-lossless-alpha", encode(seen, lossless=True), seen / 255, exact)
    # Below other rows, libwebp 1.2.4 gives wrong alpha for a horizontal filter; a centre square begins there.
    y, x = np.mgrid[:60, :40]
    grain = (x * 2654435761 + y * 40503 * 65537 >> 13) % 8
    data = encode(np.dstack([to_bytes(pictures.card(40, 60)), (60 + x * 3 + grain).astype(np.uint8)]))
    assert dict(webp_tools.split(data))[b"ALPH"][0] >> 2 & 3 == HORIZONTAL
    add("webp-alpha-filtered-horizontally", data)
    few = (samples // 64) * 85
    add("webp-lossless-palette", encode(few, lossless=True), few / 255, exact)
    gray = np.repeat(samples[:, :, 1:2], 3, axis=2)
    add("webp-lossless-gray", encode(gray, lossless=True), gray / 255, exact)

    lossless = encode(samples, lossless=True)
    canvas = add("webp-canvas", extended(lossless, width, height), samples / 255, exact)
    unknown = chunk(b"XMP ", b"<x/>") + chunk(b"new!", b"odd")
    add("webp-unknown-chunks", extended(lossless, width, height, before=unknown, after=unknown), samples / 255, exact)
    folder.add("webp-called-jpg.jpg", lossless, **canvas, **exact)
    folder.add("webp-text-behind.webp", lossless + b"text", **canvas, **exact)
    profile = chunk(b"ICCP", icc.display_p3(4))
    shown = colour.rgb_to_srgb(samples / 255, colour.DISPLAY_P3, colour.srgb_decode)
    add("webp-icc-p3", extended(lossless, width, height, webp_tools.ICC, before=profile), shown, expected.MANAGED)
    for value, label in ((6, b""), (3, b"Exif\0\0")):
        stored = to_bytes(geometry.stored_for(card, value))
        data = extended(encode(stored, lossless=True), stored.shape[1], stored.shape[0], webp_tools.EXIF,
                        after=chunk(b"EXIF", label + exif.block(value, ">")))
        add(f"webp-exif-{value}", data, samples / 255, exact)

    second = encode(255 - samples, lossless=True)
    add("webp-animated", animation(width, height, anmf(lossless, 0, 0, width, height), anmf(second, 0, 0, width, height)),
        samples / 255, exact)
    # The rest of the canvas is transparent, whatever background the file suggests, as browsers show it.
    small = seen[:20, :23]
    for name, x, y in (("inside", 10, 8), ("at-the-edge", 28, 16), ("outside-the-square", 0, 0)):
        canvas = np.zeros((height, width + 20, 4), np.uint8)
        canvas[y:y + 20, x:x + 23] = small
        add(f"webp-animated-{name}", animation(width + 20, height, anmf(encode(small, lossless=True), x, y, 23, 20)),
            canvas / 255, exact)
    assert frame(lossless)[:4] == b"VP8L"
