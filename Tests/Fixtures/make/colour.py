"""Colour arithmetic in double precision, used to compute what a decoder should produce.

All functions take and return numpy arrays whose last axis holds the channels, with values
nominally in 0...1. Matrices take linear RGB to XYZ relative to D50 (the ICC connection space).
"""

import numpy as np

D50 = np.array([0.9642, 1.0, 0.8249])
D65_XY = (0.3127, 0.3290)

# (red x, y), (green x, y), (blue x, y)
SRGB = ((0.640, 0.330), (0.300, 0.600), (0.150, 0.060))
DISPLAY_P3 = ((0.680, 0.320), (0.265, 0.690), (0.150, 0.060))
ADOBE_RGB = ((0.640, 0.330), (0.210, 0.710), (0.150, 0.060))
REC_2020 = ((0.708, 0.292), (0.170, 0.797), (0.131, 0.046))

ADOBE_GAMMA = 563 / 256  # 2.19921875, as Adobe RGB (1998) defines it


def xy_to_xyz(xy):
    """The XYZ of a chromaticity, with Y = 1."""
    x, y = xy
    return np.array([x / y, 1.0, (1 - x - y) / y])


def bradford(white):
    """The matrix that adapts XYZ from `white` to D50."""
    cone = np.array([[0.8951, 0.2664, -0.1614],
                     [-0.7502, 1.7135, 0.0367],
                     [0.0389, -0.0685, 1.0296]])
    gain = (cone @ D50) / (cone @ white)
    return np.linalg.inv(cone) @ np.diag(gain) @ cone


def rgb_to_xyz_d50(primaries, white_xy=D65_XY):
    """The matrix from linear RGB with these primaries to XYZ adapted to D50."""
    white = xy_to_xyz(white_xy)
    columns = np.stack([xy_to_xyz(p) for p in primaries], axis=1)
    scaled = columns * np.linalg.solve(columns, white)
    return bradford(white) @ scaled


SRGB_TO_XYZ = rgb_to_xyz_d50(SRGB)
XYZ_TO_SRGB = np.linalg.inv(SRGB_TO_XYZ)


def srgb_decode(v):
    """sRGB encoded value -> linear light."""
    v = np.asarray(v, dtype=np.float64)
    return np.where(v <= 0.04045, v / 12.92, ((np.maximum(v, 0) + 0.055) / 1.055) ** 2.4)


def srgb_encode(v):
    """Linear light -> sRGB encoded value, clipped to 0...1."""
    v = np.clip(np.asarray(v, dtype=np.float64), 0, 1)
    return np.where(v <= 0.0031308, v * 12.92, 1.055 * v ** (1 / 2.4) - 0.055)


def gamma_decode(gamma):
    """A decoding function that raises to `gamma`."""
    return lambda v: np.asarray(v, dtype=np.float64) ** gamma


def xyz_to_srgb(xyz):
    """XYZ relative to D50 -> encoded sRGB."""
    return srgb_encode(xyz @ XYZ_TO_SRGB.T)


def rgb_to_srgb(rgb, primaries, decode, white_xy=D65_XY):
    """Encoded RGB in some matrix/curve space -> encoded sRGB."""
    return xyz_to_srgb(decode(rgb) @ rgb_to_xyz_d50(primaries, white_xy).T)


def srgb_to_rgb(rgb, primaries, encode):
    """Encoded sRGB -> encoded RGB in some other space (clipped to its gamut)."""
    linear = srgb_decode(rgb) @ SRGB_TO_XYZ.T @ np.linalg.inv(rgb_to_xyz_d50(primaries)).T
    return encode(np.clip(linear, 0, 1))


def lab_to_xyz(lab):
    """CIE L*a*b* (D50) -> XYZ."""
    fy = (lab[..., 0] + 16) / 116
    f = np.stack([fy + lab[..., 1] / 500, fy, fy - lab[..., 2] / 200], axis=-1)
    return np.where(f > 6 / 29, f ** 3, 3 * (6 / 29) ** 2 * (f - 4 / 29)) * D50


def xyz_to_lab(xyz):
    """XYZ relative to D50 -> CIE L*a*b*."""
    t = xyz / D50
    f = np.where(t > (6 / 29) ** 3, np.cbrt(t), t / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]),
                     200 * (f[..., 1] - f[..., 2])], axis=-1)


def naive_cmyk_to_rgb(cmyk):
    """CMYK without a profile (0 = no ink): each ink takes its share of the light away."""
    return (1 - cmyk[..., :3]) * (1 - cmyk[..., 3:4])


def rgb_to_ycbcr(rgb):
    """JFIF full-range Y'CbCr of encoded RGB, all channels in 0...1."""
    m = np.array([[0.299, 0.587, 0.114],
                  [-0.168735892, -0.331264108, 0.5],
                  [0.5, -0.418687589, -0.081312411]])
    return rgb @ m.T + np.array([0, 128 / 255, 128 / 255])


def to_bytes(v):
    """0...1 -> 8-bit integers, rounded to nearest."""
    return np.clip(np.floor(np.asarray(v) * 255 + 0.5), 0, 255).astype(np.uint8)
