"""ICC profiles written by hand: matrix/curve RGB, gray, and CMYK tables, version 2 or 4."""

import struct

import numpy as np

from . import colour

RGB, GRAY, CMYK = b"RGB ", b"GRAY", b"CMYK"
LAB, XYZ = b"Lab ", b"XYZ "


def s15(values):
    """s15Fixed16 numbers."""
    return b"".join(struct.pack(">i", round(float(v) * 65536)) for v in values)


# Tag types ------------------------------------------------------------------------------------

def text(value):
    """textType."""
    return b"text\0\0\0\0" + value.encode("ascii") + b"\0"


def description_v2(value):
    """textDescriptionType, ASCII part only."""
    ascii_part = value.encode("ascii") + b"\0"
    return (b"desc\0\0\0\0" + struct.pack(">I", len(ascii_part)) + ascii_part
            + b"\0" * 8 + b"\0" * 3 + b"\0" * 67)


def unicode_text(value):
    """multiLocalizedUnicodeType with one English record."""
    data = value.encode("utf-16-be")
    return b"mluc\0\0\0\0" + struct.pack(">II2s2sII", 1, 12, b"en", b"US", len(data), 28) + data


def xyz(values):
    """XYZType."""
    return b"XYZ \0\0\0\0" + s15(values)


def curve_gamma(gamma):
    """curveType holding one u8Fixed8 exponent (an empty curve when it is exactly 1)."""
    if gamma == 1:
        return b"curv\0\0\0\0" + struct.pack(">I", 0)
    return b"curv\0\0\0\0" + struct.pack(">IH", 1, round(gamma * 256))


def curve_table(function, size):
    """curveType holding a table."""
    values = np.floor(np.clip(function(np.linspace(0, 1, size)), 0, 1) * 65535 + 0.5)
    return b"curv\0\0\0\0" + struct.pack(f">I{size}H", size, *values.astype(int))


def curve_srgb():
    """parametricCurveType 3 with the sRGB constants."""
    return b"para\0\0\0\0" + struct.pack(">HH", 3, 0) + s15(
        [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])


def curve_power(gamma):
    """parametricCurveType 0."""
    return b"para\0\0\0\0" + struct.pack(">HH", 0, 0) + s15([gamma])


# Profiles -------------------------------------------------------------------------------------

def profile(space, pcs, version, kind, tags):
    """Header, tag table and tags (equal tags share their bytes)."""
    table, body, places = [], b"", {}
    start = 128 + 4 + 12 * len(tags)
    for name, data in tags:
        if data not in places:
            body += b"\0" * (-len(body) % 4)
            places[data] = start + len(body)
            body += data
        table.append(struct.pack(">4sII", name, places[data], len(data)))
    body += b"\0" * (-len(body) % 4)
    head = struct.pack(
        ">I4sI4s4s4s6H4s4sI4s4sQI", start + len(body), b"\0\0\0\0",
        {2: 0x02100000, 4: 0x04300000}[version], kind, space, pcs,
        2024, 1, 1, 0, 0, 0, b"acsp", b"\0\0\0\0", 0, b"\0\0\0\0", b"\0\0\0\0", 0, 0)
    head += s15(colour.D50)
    return head.ljust(128, b"\0") + struct.pack(">I", len(tags)) + b"".join(table) + body


def _common(name, version):
    words = unicode_text if version == 4 else description_v2
    right = unicode_text if version == 4 else text
    return [(b"desc", words(name)), (b"cprt", right("CC0, made by make_fixtures.py")),
            (b"wtpt", xyz(colour.D50))]


def rgb(name, primaries, curve, version=4):
    """A display profile: matrix and one curve for all three channels."""
    matrix = colour.rgb_to_xyz_d50(primaries)
    tags = _common(name, version)
    tags += [(tag, xyz(matrix[:, i])) for i, tag in enumerate((b"rXYZ", b"gXYZ", b"bXYZ"))]
    tags += [(tag, curve) for tag in (b"rTRC", b"gTRC", b"bTRC")]
    if version == 4:
        adapt = colour.bradford(colour.xy_to_xyz(colour.D65_XY))
        tags.append((b"chad", b"sf32\0\0\0\0" + s15(adapt.ravel())))
    return profile(RGB, XYZ, version, b"mntr", tags)


def srgb(version=2):
    """sRGB."""
    curve = curve_srgb() if version == 4 else curve_table(colour.srgb_decode, 256)
    return rgb("sRGB by hand", colour.SRGB, curve, version)


def display_p3(version=4):
    """Display P3: P3 primaries, D65 white, the sRGB curve."""
    curve = curve_srgb() if version == 4 else curve_table(colour.srgb_decode, 1024)
    return rgb("Display P3 by hand", colour.DISPLAY_P3, curve, version)


def adobe_rgb(version=2):
    """Adobe RGB (1998)."""
    curve = curve_power(colour.ADOBE_GAMMA) if version == 4 else curve_gamma(colour.ADOBE_GAMMA)
    return rgb("Adobe RGB by hand", colour.ADOBE_RGB, curve, version)


def gray(gamma, version=2):
    """A gray profile with a pure power curve."""
    curve = curve_power(gamma) if version == 4 else curve_gamma(gamma)
    return profile(GRAY, XYZ, version, b"mntr",
                   _common(f"Gray gamma {gamma} by hand", version) + [(b"kTRC", curve)])


# CMYK -----------------------------------------------------------------------------------------

# How much linear red, green and blue light a full layer of each ink lets through.
_INKS = np.array([[0.02, 0.32, 0.72], [0.62, 0.03, 0.21], [0.92, 0.78, 0.03], [0.03, 0.03, 0.03]])
GRID = 6  # nodes a side: the 8-bit values 0, 51, 102, 153, 204, 255 lie exactly on nodes


def ink_lab(cmyk):
    """The Lab colour of our invented press for inks 0...1 (each ink multiplies the light)."""
    light = 1 - np.asarray(cmyk)[..., :, None] * (1 - _INKS)
    return colour.xyz_to_lab(np.prod(light, axis=-2) @ colour.SRGB_TO_XYZ.T)


def _nodes():
    axis = np.linspace(0, 1, GRID)
    return np.stack(np.meshgrid(axis, axis, axis, axis, indexing="ij"), axis=-1)


def cmyk_lookup(cmyk):
    """What the table holds for inks 0...1: Lab, interpolated linearly along all four axes."""
    table = ink_lab(_nodes())
    at = np.clip(np.asarray(cmyk, dtype=np.float64), 0, 1) * (GRID - 1)
    low = np.minimum(at.astype(int), GRID - 2)
    part = at - low
    result = np.zeros(at.shape[:-1] + (3,))
    for corner in range(16):
        bits = [(corner >> axis) & 1 for axis in range(4)]
        weight = np.prod([part[..., a] if bits[a] else 1 - part[..., a] for a in range(4)], axis=0)
        index = tuple(low[..., a] + bits[a] for a in range(4))
        result += weight[..., None] * table[index]
    return result


def cmyk(precision=16):
    """A CMYK press profile with an A2B0 table of type mft1 (8 bit) or mft2 (16 bit) to Lab."""
    lab = ink_lab(_nodes()).reshape(-1, 3)
    head = struct.pack(">BBBB", 4, 3, GRID, 0) + s15(np.eye(3).ravel())
    if precision == 8:
        # mft1: L 0...100 as 0...255, a and b shifted by 128.
        coded = np.stack([lab[:, 0] * 255 / 100, lab[:, 1] + 128, lab[:, 2] + 128], axis=1)
        ramp = bytes(range(256))
        data = (b"mft1\0\0\0\0" + head + ramp * 4
                + np.clip(np.floor(coded + 0.5), 0, 255).astype(np.uint8).tobytes() + ramp * 3)
    else:
        # mft2 (in versions 2 and 4 alike): L 100 is 0xFF00, a and b 0 are 0x8000.
        coded = np.stack([lab[:, 0] * 652.8, (lab[:, 1] + 128) * 256, (lab[:, 2] + 128) * 256],
                         axis=1)
        ramp = struct.pack(">HH", 0, 65535)
        data = (b"mft2\0\0\0\0" + head + struct.pack(">HH", 2, 2) + ramp * 4
                + np.clip(np.floor(coded + 0.5), 0, 65535).astype(">u2").tobytes() + ramp * 3)
    return profile(CMYK, LAB, 2, b"prtr", _common("Invented press by hand", 2) + [(b"A2B0", data)])
