"""colour/: solid patches whose sRGB value is known."""

import numpy as np

from . import colour, icc, jpeg_encoder, jpeg_tools, png_writer
from .book import Folder

ABOUT = """
Solid patches in other colour spaces: the middle of each must come out as the `srgb` triple of
`expect.json`, every channel within `tolerance` (out-of-gamut colours are clipped per channel).
"""
SIDE = 16


def _png(value, colour_type=2, depth=8, chunks=b""):
    samples = np.broadcast_to(np.array(value), (SIDE, SIDE, len(value)))
    return png_writer.encode(samples, colour_type, depth, before_plte=chunks)


def _triple(rgb):
    return [int(v) for v in colour.to_bytes(np.asarray(rgb))]


def _unit(value, depth=8):
    return np.array(value) / (2 ** depth - 1)


def make(root):
    """The folder, ready to be written."""
    folder = Folder(root, "colour", ABOUT, {"outcome": "draws", "tolerance": 2})
    _profiles(folder)
    _gray(folder)
    _chunks(folder)
    _inks(folder)
    return folder


def _profiles(folder):
    """Matrix profiles, in PNG and in JPEG."""
    spaces = {
        "p3": (colour.DISPLAY_P3, colour.srgb_decode, icc.display_p3(4)),
        "p3-v2": (colour.DISPLAY_P3, colour.srgb_decode, icc.display_p3(2)),
        "adobe": (colour.ADOBE_RGB, colour.gamma_decode(colour.ADOBE_GAMMA), icc.adobe_rgb(2)),
        "adobe-v4": (colour.ADOBE_RGB, colour.gamma_decode(colour.ADOBE_GAMMA), icc.adobe_rgb(4)),
        "srgb": (colour.SRGB, colour.srgb_decode, icc.srgb(2)),
        "srgb-v4": (colour.SRGB, colour.srgb_decode, icc.srgb(4)),
    }
    patches = {"red": (190, 80, 70), "green": (90, 170, 80), "blue": (70, 90, 180),
               "skin": (214, 160, 130), "gray": (128, 128, 128), "white": (255, 255, 255),
               "black": (0, 0, 0), "pure-red": (255, 0, 0), "pure-green": (0, 255, 0)}
    for space, (primaries, decode, profile) in spaces.items():
        for name, value in patches.items():
            if space not in ("p3", "adobe") and name not in ("red", "skin"):
                continue
            srgb = _triple(colour.rgb_to_srgb(_unit(value), primaries, decode))
            folder.add(f"{space}-{name}.png", _png(value, chunks=png_writer.iccp(profile)),
                       srgb=srgb)
        value = patches["red"]
        planes = np.broadcast_to(np.array(value, dtype=float), (SIDE, SIDE, 3)) / 255
        data = jpeg_encoder.encode(colour.rgb_to_ycbcr(planes) * 255, quality=100)
        srgb = _triple(colour.rgb_to_srgb(_unit(value), primaries, decode))
        folder.add(f"{space}-red.jpg", jpeg_tools.insert(data, jpeg_tools.icc_segments(profile)),
                   srgb=srgb, tolerance=3)
    profile = png_writer.iccp(icc.display_p3(4))
    srgb = _triple(colour.rgb_to_srgb(_unit((50000, 20000, 12345), 16), colour.DISPLAY_P3,
                                      colour.srgb_decode))
    folder.add("p3-16-bit.png", _png((50000, 20000, 12345), 2, 16, profile), srgb=srgb)
    folder.add("p3-with-alpha.png", _png((190, 80, 70, 255), 6, 8, profile),
               srgb=_triple(colour.rgb_to_srgb(_unit((190, 80, 70)), colour.DISPLAY_P3,
                                               colour.srgb_decode)))
    samples = np.zeros((SIDE, SIDE, 1), dtype=int)
    folder.add("p3-palette.png", png_writer.encode(samples, 3, 1, palette=[[190, 80, 70]],
                                                   before_plte=profile),
               srgb=_triple(colour.rgb_to_srgb(_unit((190, 80, 70)), colour.DISPLAY_P3,
                                               colour.srgb_decode)))


def _gray(folder):
    """Gray profiles."""
    for gamma, version in ((1.0, 2), (1.8, 2), (2.2, 2), (2.2, 4)):
        exponent = gamma if version == 4 else round(gamma * 256) / 256
        for value in (60, 128, 200):
            srgb = _triple([colour.srgb_encode((value / 255) ** exponent)] * 3)
            profile = icc.gray(gamma, version)
            name = f"gray-gamma-{gamma}-v{version}-{value}"
            folder.add(f"{name}.png", _png((value,), 0, 8, png_writer.iccp(profile)), srgb=srgb)
            if version == 2:
                planes = np.full((SIDE, SIDE, 1), float(value))
                data = jpeg_tools.insert(jpeg_encoder.encode(planes, quality=100),
                                         jpeg_tools.icc_segments(profile))
                folder.add(f"{name}.jpg", data, srgb=srgb)


def _chunks(folder):
    """gAMA, cHRM, sRGB and which of them wins."""
    linear, gamma22 = png_writer.gama(100_000), png_writer.gama(45_455)
    bright = {v: _triple([colour.srgb_encode(v / 255)] * 3) for v in (20, 128)}
    folder.add("gama-1.0-gray-128.png", _png((128,), 0, 8, linear), srgb=bright[128])
    folder.add("gama-1.0-gray-20.png", _png((20,), 0, 8, linear), srgb=bright[20])
    folder.add("gama-1.0-rgb.png", _png((128, 20, 0), 2, 8, linear),
               srgb=[bright[128][0], bright[20][0], 0])
    folder.add("gama-1.0-gray-alpha.png", _png((128, 255), 4, 8, linear), srgb=bright[128])
    # Small linear values: reduced to 8 bits before the conversion, they would come out in steps.
    folder.add("gama-1.0-gray-16-bit.png", _png((700,), 0, 16, linear),
               srgb=_triple([colour.srgb_encode(700 / 65535)] * 3))
    folder.add("gama-0.55-gray-128.png", _png((128,), 0, 8, png_writer.gama(55_000)),
               srgb=_triple([colour.srgb_encode((128 / 255) ** (1 / 0.55))] * 3))
    # 1/2.2 is what sRGB files say as well: taking it for sRGB or for a pure power are both right
    # in the middle of the scale, where they differ by one step.
    folder.add("gama-45455-gray-128.png", _png((128,), 0, 8, gamma22), srgb=[128] * 3)

    def wide(value, primaries, gamma=2.2):
        return _triple(colour.rgb_to_srgb(_unit(value), primaries, colour.gamma_decode(gamma)))

    rec2020 = png_writer.chrm(colour.REC_2020, colour.D65_XY)
    p3 = png_writer.chrm(colour.DISPLAY_P3, colour.D65_XY)
    patches = {"red": (190, 80, 70), "skin": (214, 160, 130), "gray": (140, 140, 140)}
    for name, value in patches.items():
        folder.add(f"chrm-rec2020-{name}.png", _png(value, chunks=gamma22 + rec2020),
                   srgb=wide(value, colour.REC_2020), tolerance=3)
        folder.add(f"chrm-p3-{name}.png", _png(value, chunks=gamma22 + p3),
                   srgb=wide(value, colour.DISPLAY_P3), tolerance=3)
    folder.add("chrm-rec2020-linear.png", _png((120, 60, 40), chunks=linear + rec2020),
               srgb=wide((120, 60, 40), colour.REC_2020, 1.0))
    same = {"srgb": [190, 80, 70], "tolerance": 1}
    folder.add("srgb-chunk.png", _png((190, 80, 70), chunks=png_writer.srgb()), **same)
    folder.add("srgb-chunk-wins-over-gama.png",
               _png((190, 80, 70), chunks=png_writer.srgb() + linear + rec2020), **same)
    p3_red = _triple(colour.rgb_to_srgb(_unit((190, 80, 70)), colour.DISPLAY_P3,
                                        colour.srgb_decode))
    folder.add("iccp-wins-over-gama.png", _png(
        (190, 80, 70), chunks=linear + rec2020 + png_writer.iccp(icc.display_p3(4))), srgb=p3_red)
    folder.add("no-colour-chunks.png", _png((190, 80, 70)), **same)
    _coded(folder, p3_red, same, linear + rec2020)


def _coded(folder, p3_red, same, others):
    """cICP, which wins over all other chunks about colours."""
    cicp = png_writer.cicp
    p3 = cicp(12, 13)
    for name, more in (("", b""), ("-wins-over-gama", others), ("-wins-over-srgb", png_writer.srgb()),
                       ("-wins-over-iccp", png_writer.iccp(icc.adobe_rgb(2)))):
        folder.add(f"cicp-p3{name}.png", _png((190, 80, 70), chunks=p3 + more), srgb=p3_red)
    folder.add("cicp-p3-gray.png", _png((128,), 0, 8, p3), srgb=[128] * 3)
    folder.add("cicp-srgb-wins-over-gama.png", _png((190, 80, 70), chunks=cicp(1, 13) + others), **same)
    folder.add("cicp-rec2020.png", _png((190, 120, 100), chunks=cicp(9, 13)), srgb=_triple(
        colour.rgb_to_srgb(_unit((190, 120, 100)), colour.REC_2020, colour.srgb_decode)), tolerance=3)
    folder.add("cicp-linear.png", _png((128, 20, 0), chunks=cicp(1, 8)), srgb=_triple(
        [colour.srgb_encode(v / 255) for v in (128, 20, 0)]))
    folder.add("cicp-television.png", _png((190, 80, 70), chunks=cicp(1, 1)), srgb=_triple(
        [colour.srgb_encode((v / 255) ** 2.4) for v in (190, 80, 70)]))
    # Nothing that can be used: a matrix, video's range, and half of it unspecified.
    for name, values in (("matrix", (12, 13, 1, 1)), ("video", (12, 13, 0, 0)), ("no-curve", (12, 2)),
                         ("no-primaries", (2, 8)), ("reserved", (3, 13))):
        folder.add(f"cicp-{name}.png", _png((190, 80, 70), chunks=cicp(*values)), **same)
    folder.add("cicp-wrong-checksum.png", _png((190, 80, 70), chunks=p3[:-1] + b"\0"), **same)


def _inks(folder):
    """CMYK JPEGs; the values lie on nodes of the profile's table."""
    patches = {"paper": (0, 0, 0, 0), "cyan": (204, 51, 0, 0), "magenta": (51, 204, 51, 0),
               "yellow": (0, 51, 204, 0), "skin": (51, 102, 102, 0), "dark": (102, 102, 51, 153),
               "black": (0, 0, 0, 255)}
    for name, value in patches.items():
        inks = np.broadcast_to(np.array(value, dtype=float), (SIDE, SIDE, 4))
        lab = icc.cmyk_lookup(_unit(value))
        managed = _triple(colour.xyz_to_srgb(colour.lab_to_xyz(lab)))
        plain = _triple(colour.naive_cmyk_to_rgb(_unit(value)))
        inverted = jpeg_encoder.encode(255 - inks, quality=100, quants=(0, 0, 0, 0),
                                       before=jpeg_encoder.adobe(0))
        bare = jpeg_encoder.encode(255 - inks, quality=100, quants=(0, 0, 0, 0), before=b"")
        for bits in (8, 16):
            segments = jpeg_tools.icc_segments(icc.cmyk(bits))
            if bits == 16 and name not in ("cyan", "skin", "dark"):
                continue
            folder.add(f"cmyk-{bits}-bit-table-{name}.jpg", jpeg_tools.insert(inverted, segments),
                       srgb=managed, tolerance=4)
        folder.add(f"cmyk-no-profile-{name}.jpg", inverted, srgb=plain)
        folder.add(f"cmyk-not-adobe-{name}.jpg", bare, srgb=plain)
        if name == "skin":
            folder.add("cmyk-not-adobe-8-bit-table-skin.jpg",
                       jpeg_tools.insert(bare, jpeg_tools.icc_segments(icc.cmyk(8))), srgb=managed, tolerance=4)
