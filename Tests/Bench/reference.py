"""The reference every rendition is judged against, and PSNR.

Decoded at full size, turned upright, converted to sRGB from its embedded profile at full size, cut to the
centre square at x=(W-s)//2, then resized with Lanczos3 in float64 on premultiplied sRGB values, the
kernel stretched by the shrink factor and renormalised where it hangs over an edge. Nothing is rounded
before the comparison.
"""

from __future__ import annotations

import io
import math
import warnings
from functools import lru_cache
from pathlib import Path

import numpy as np
from PIL import Image, ImageCms

SRGB = ImageCms.createProfile("sRGB")

TURN = {2: Image.Transpose.FLIP_LEFT_RIGHT, 3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM, 5: Image.Transpose.TRANSPOSE, 6: Image.Transpose.ROTATE_270,
        7: Image.Transpose.TRANSVERSE, 8: Image.Transpose.ROTATE_90}


PROFILE_MODE = {"GRAY": "L", "RGB": "RGB", "CMYK": "CMYK"}


def lanczos3(x: np.ndarray) -> np.ndarray:
    return np.where(np.abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0.0)


@lru_cache(maxsize=None)
def kernel_rows(source: int, target: int) -> tuple[tuple[int, np.ndarray], ...]:
    """For each target sample: the first source sample it reads, and the weights from there on."""
    ratio = source / target
    stretch = max(ratio, 1.0)
    rows = []
    for i in range(target):
        centre = (i + 0.5) * ratio
        first = max(0, math.floor(centre - 3 * stretch))
        last = min(source, math.ceil(centre + 3 * stretch))
        weights = lanczos3((np.arange(first, last) + 0.5 - centre) / stretch)
        rows.append((first, weights / weights.sum()))
    return tuple(rows)


def resize_rows(plane: np.ndarray, target: int) -> np.ndarray:
    rows = kernel_rows(plane.shape[0], target)
    return np.stack([weights @ plane[first:first + len(weights)] for first, weights in rows])


def resize(plane: np.ndarray, target: int) -> np.ndarray:
    """A square plane of float64 samples to target x target."""
    return resize_rows(resize_rows(plane, target).T, target).T


def exif_orientation(image: Image.Image) -> int:
    """1...8 from EXIF alone. Pillow's own getexif() falls back on XMP's tiff:Orientation, which editors
    leave behind and viewers ignore."""
    exif = Image.Exif()
    exif.load(image.info.get("exif") or b"")
    orientation = exif.get(0x0112, 1)
    return orientation if orientation in range(1, 9) else 1


def upright_srgb(path: Path) -> Image.Image:
    """The full-size picture as RGB or RGBA, upright, in sRGB."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        image = Image.open(path)
        profile = image.info.get("icc_profile")
        image.load()
        orientation = exif_orientation(image)
        if orientation in TURN:
            image = image.transpose(TURN[orientation])
    if image.mode.startswith("I"):  # 16-bit gray, which convert() would clip
        image = Image.fromarray(np.rint(np.asarray(image) / 257).astype(np.uint8))
    alpha = None
    if image.mode in ("LA", "PA", "RGBA") or "transparency" in image.info:
        alpha = image.convert("RGBA").getchannel("A")
    if profile:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        mode = PROFILE_MODE.get(source.profile.xcolor_space.strip(), "RGB")
        colour = image if image.mode == mode else image.convert(mode)
        image = ImageCms.profileToProfile(colour, source, SRGB, outputMode="RGB")
    image = image.convert("RGB")
    if alpha is not None:
        image.putalpha(alpha)
    return image


def reference(path: Path, side: int) -> np.ndarray:
    """side x side x 3 (opaque) or 4 float64 samples, premultiplied, 0...255 (Lanczos may overshoot)."""
    image = upright_srgb(Path(path))
    width, height = image.size
    square = min(width, height)
    x, y = (width - square) // 2, (height - square) // 2
    pixels = np.asarray(image.crop((x, y, x + square, y + square)))
    alpha = pixels[..., 3].astype(np.float64) if pixels.shape[2] == 4 else None
    planes = []
    for channel in range(3):
        plane = pixels[..., channel].astype(np.float64)
        if alpha is not None:
            plane *= alpha / 255
        planes.append(resize(plane, side))
    if alpha is not None:
        planes.append(resize(alpha, side))
        # Where alpha overshoots, so do the colours that it multiplies: clipped by themselves, they would be too bright.
        over = np.maximum(planes[3] / 255, 1)
        planes[:3] = [plane / over for plane in planes[:3]]
    return np.clip(np.stack(planes, axis=-1), 0, 255)


def photo_square(png: Path | bytes, inset: int = 0) -> np.ndarray:
    """The photo's square in a rendition: float64 premultiplied RGBA."""
    source = io.BytesIO(png) if isinstance(png, bytes) else png
    with Image.open(source) as image:
        pixels = np.asarray(image.convert("RGBA")).astype(np.float64)
    if inset:
        pixels = pixels[inset:-inset, inset:-inset]
    pixels[..., :3] *= pixels[..., 3:] / 255
    return pixels


def inside_circle(side: int, shrink: float = 1) -> np.ndarray:
    """Pixels whose centre lies in the photo's circle shrunk by `shrink` pixels."""
    axis = np.arange(side) + 0.5 - side / 2
    return axis[:, None] ** 2 + axis[None, :] ** 2 <= (side / 2 - shrink) ** 2


def psnr(png: Path | bytes, expected: np.ndarray, inset: int = 0) -> float:
    """dB between a rendition and `reference(...)`, within the circle shrunk by one pixel. Over R, G and B for
    an opaque photo; over premultiplied R, G, B and alpha for one with transparency."""
    actual = photo_square(png, inset)
    if actual.shape[:2] != expected.shape[:2]:
        raise ValueError(f"the photo's square is {actual.shape[1]} x {actual.shape[0]}, "
                         f"the reference {expected.shape[1]} x {expected.shape[0]}")
    where = inside_circle(expected.shape[0])
    difference = actual[..., :expected.shape[2]][where] - expected[where]
    error = float(np.mean(difference * difference))
    return math.inf if error == 0 else 10 * math.log10(255 * 255 / error)
