"""The in-process peers: pyvips, Pillow and OpenCV, each as a function from a photo to PNG bytes.

All of them read the file, turn it upright, cut the centre square, convert an embedded profile to sRGB on
the small picture, draw the same circle and ring from masks computed once a size, and encode a PNG in
memory. A peer decodes once for all renditions of a photo where its library can.

`gap` is how many times the target the decoded picture has to be at least before the final resize when the
decoder shrinks (libjpeg's 1/2, 1/4, 1/8): 2 keeps the quality, 1 is the quickest.
"""

from __future__ import annotations

import io
import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Callable

os.environ["VIPS_CONCURRENCY"] = "1"

import cv2
import numpy as np
import pyvips
from PIL import Image, ImageChops, ImageCms

from geometry import Spec, canvas_mask, photo_mask, ring_canvas, square_box
from reference import SRGB, TURN, exif_orientation

cv2.setNumThreads(1)
pyvips.cache_set_max(0)

Renderer = Callable[[Path, tuple[Spec, ...]], list[bytes]]


@dataclass(frozen=True)
class Peer:
    name: str
    render: Renderer
    fast_png: bool = False  # not the library's default PNG settings
    note: str = ""
    gap: float = 2


def decode_scale(square: int, target: int, gap: float) -> int:
    """libjpeg's N in 1/N: the largest that leaves `gap` times the target."""
    return next((n for n in (8, 4, 2) if square >= n * target * gap), 1)


# Pillow

@lru_cache(maxsize=8)
def transform_to_srgb(profile: bytes):
    return ImageCms.buildTransform(ImageCms.ImageCmsProfile(io.BytesIO(profile)), SRGB, "RGB", "RGB")


@lru_cache(maxsize=None)
def pillow_layers(spec: Spec) -> tuple[Image.Image, Image.Image, Image.Image]:
    mask = photo_mask(spec)
    covered = np.where(mask > 0, 255, 0).astype(np.uint8)
    return Image.fromarray(mask), Image.fromarray(covered), Image.fromarray(ring_canvas(spec))


def pillow_finish(small: Image.Image, spec: Spec, save: dict) -> bytes:
    mask, covered, ring = pillow_layers(spec)
    if small.mode == "RGBA":
        mask = ImageChops.multiply(small.getchannel("A"), mask)
    small.putalpha(mask)
    canvas = ring.copy()
    canvas.paste(small, (spec.inset, spec.inset), covered)
    buffer = io.BytesIO()
    canvas.save(buffer, "PNG", **save)
    return buffer.getvalue()


def pillow(gap: float, **save) -> Renderer:
    def render(path: Path, specs: tuple[Spec, ...]) -> list[bytes]:
        image = Image.open(io.BytesIO(path.read_bytes()))
        profile = image.info.get("icc_profile")
        orientation = exif_orientation(image)
        width, height = image.size
        x, y, square = square_box(width, height, orientation)
        scale = 1
        if image.format == "JPEG":
            scale = decode_scale(square, max(spec.side for spec in specs), gap)
            image.draft("RGB", (width // scale, height // scale))
        if image.mode not in ("RGB", "RGBA"):
            image = image.convert("RGBA" if "A" in image.mode or "transparency" in image.info else "RGB")
        box = (x / scale, y / scale, min((x + square) / scale, image.width),
               min((y + square) / scale, image.height))
        results, resized = [], {}
        for spec in specs:
            if spec.side not in resized:
                small = image.resize((spec.side, spec.side), Image.Resampling.LANCZOS, box)
                if orientation in TURN:
                    small = small.transpose(TURN[orientation])
                if profile and small.mode == "RGB":
                    ImageCms.applyTransform(small, transform_to_srgb(profile), inPlace=True)
                resized[spec.side] = small
            results.append(pillow_finish(resized[spec.side].copy(), spec, save))
        return results
    return render


# pyvips

@lru_cache(maxsize=None)
def vips_layers(spec: Spec) -> tuple[pyvips.Image, pyvips.Image, pyvips.Image]:
    def image(array):
        return pyvips.Image.new_from_array(array).copy_memory()
    ring = image(ring_canvas(spec)).copy(interpretation="srgb")
    return image(photo_mask(spec)), image(canvas_mask(spec)), ring


def vips_finish(small: pyvips.Image, spec: Spec, save: dict) -> bytes:
    mask, whole_mask, ring = vips_layers(spec)
    if small.bands < 3:
        small = small.colourspace("srgb")
    if small.bands == 4:
        alpha = ((small[3] * mask) / 255).rint().cast("uchar")
        small = small.extract_band(0, n=3).bandjoin(alpha)
    else:
        small = small.bandjoin(mask)
    canvas = small
    if spec.ring_width:
        canvas = whole_mask.ifthenelse(small.embed(spec.inset, spec.inset, spec.size, spec.size), ring)
    return canvas.pngsave_buffer(keep="none", **save)


def vips_thumbnail(**save) -> Renderer:
    """The usual call; it rounds the crop to whole target pixels."""
    def render(path: Path, specs: tuple[Spec, ...]) -> list[bytes]:
        data = path.read_bytes()
        return [vips_finish(pyvips.Image.thumbnail_buffer(data, spec.side, height=spec.side, crop="centre",
                                                          output_profile="srgb"), spec, save)
                for spec in specs]
    return render


def vips_load(gap: float, **save) -> Renderer:
    """libvips with the crop at source resolution: shrink on load, extract, resize, turn, profile."""
    def render(path: Path, specs: tuple[Spec, ...]) -> list[bytes]:
        data = path.read_bytes()
        access = {} if len(specs) > 1 else {"access": "sequential"}
        image = pyvips.Image.new_from_buffer(data, "", **access)
        width, height = image.width, image.height
        orientation = image.get("orientation") if image.get_typeof("orientation") else 1
        x, y, square = square_box(width, height, orientation)
        if data[:2] == b"\xff\xd8":
            scale = decode_scale(square, max(spec.side for spec in specs), gap)
            if scale > 1:
                image = pyvips.Image.new_from_buffer(data, "", shrink=scale, **access)
                x, y = min(round(x / scale), image.width), min(round(y / scale), image.height)
                square = min(round(square / scale), image.width - x, image.height - y)
        if len(specs) > 1:
            image = image.copy_memory()
        image = image.extract_area(x, y, square, square)
        if image.hasalpha():
            image = image.premultiply()
        results = []
        for spec in specs:
            small = image.resize(spec.side / square, kernel="lanczos3")
            if small.hasalpha():
                small = small.unpremultiply().cast("uchar")
            small = small.copy_memory().autorot()
            if small.get_typeof("icc-profile-data"):
                small = small.icc_transform("srgb")
            results.append(vips_finish(small, spec, save))
        return results
    return render


# OpenCV

CV_FLAGS = {1: cv2.IMREAD_COLOR, 2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4,
            8: cv2.IMREAD_REDUCED_COLOR_8}


def jpeg_size(data: bytes) -> tuple[int, int]:
    """Width and height from the frame header: OpenCV cannot report them without decoding."""
    at = 2
    while data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2:at + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(data[at + 7:at + 9], "big"), int.from_bytes(data[at + 5:at + 7], "big")
        at += 2 + length
    raise ValueError("no frame header")


@lru_cache(maxsize=None)
def cv_layers(spec: Spec) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mask, where the photo shows, and the ring's canvas as BGRA."""
    mask = photo_mask(spec)
    return mask, mask > 0, np.ascontiguousarray(ring_canvas(spec)[..., [2, 1, 0, 3]])


def cv_finish(small: np.ndarray, spec: Spec, save: list[int]) -> bytes:
    mask, covered, ring = cv_layers(spec)
    if small.shape[2] == 4:
        picture = small.copy()
        picture[..., 3] = cv2.multiply(small[..., 3], mask, scale=1 / 255)
    else:
        picture = cv2.merge([*cv2.split(small), mask])
    canvas = ring.copy()
    inset = spec.inset
    np.copyto(canvas[inset:inset + spec.side, inset:inset + spec.side].view(np.uint32)[..., 0],
              picture.view(np.uint32)[..., 0], where=covered)
    return cv2.imencode(".png", canvas, save)[1].tobytes()


def cv_premultiplied_resize(square: np.ndarray, side: int) -> np.ndarray:
    alpha = square[..., 3]
    colour = cv2.multiply(square[..., :3], cv2.merge([alpha] * 3), scale=1 / 255)
    small_alpha = cv2.resize(alpha, (side, side), interpolation=cv2.INTER_AREA)
    small = cv2.resize(colour, (side, side), interpolation=cv2.INTER_AREA).astype(np.float32)
    small = np.rint(small * (255 / np.maximum(small_alpha, 1))[..., None])
    return np.dstack([np.minimum(small, 255).astype(np.uint8), small_alpha])


def opencv(gap: float, *save: int) -> Renderer:
    settings = list(save)

    def render(path: Path, specs: tuple[Spec, ...]) -> list[bytes]:
        data = path.read_bytes()
        buffer = np.frombuffer(data, np.uint8)
        profile = None
        if data[:2] == b"\xff\xd8":
            scale = decode_scale(min(jpeg_size(data)), max(spec.side for spec in specs), gap)
            image, kinds, blobs = cv2.imdecodeWithMetadata(buffer, flags=CV_FLAGS[scale])
            for kind, blob in zip(kinds, blobs):
                if kind == cv2.IMAGE_METADATA_ICCP:
                    profile = np.asarray(blob).tobytes()
        else:
            image = cv2.imdecode(buffer, cv2.IMREAD_UNCHANGED)
        height, width = image.shape[:2]
        side = min(width, height)
        x, y = (width - side) // 2, (height - side) // 2
        square = image[y:y + side, x:x + side]
        results, resized = [], {}
        for spec in specs:
            if spec.side not in resized:
                if square.shape[2] == 4:
                    small = cv_premultiplied_resize(square, spec.side)
                else:
                    small = cv2.resize(square, (spec.side, spec.side), interpolation=cv2.INTER_AREA)
                    if profile:
                        picture = Image.fromarray(cv2.cvtColor(small, cv2.COLOR_BGR2RGB))
                        ImageCms.applyTransform(picture, transform_to_srgb(profile), inPlace=True)
                        small = cv2.cvtColor(np.asarray(picture), cv2.COLOR_RGB2BGR)
                resized[spec.side] = small
            results.append(cv_finish(resized[spec.side], spec, settings))
        return results
    return render


LEVEL_6 = (cv2.IMWRITE_PNG_COMPRESSION, 6, cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_ALL_FILTERS,
           cv2.IMWRITE_PNG_STRATEGY, cv2.IMWRITE_PNG_STRATEGY_DEFAULT)

PEERS = [
    Peer("pyvips", vips_thumbnail(), note="thumbnail_buffer, crop=centre"),
    Peer("pyvips-fast", vips_thumbnail(compression=1), True, note="the same, PNG compression=1"),
    Peer("pyvips-load", vips_load(2), note="shrink on load >= 2x, exact crop, Lanczos3"),
    Peer("pyvips-load-fast", vips_load(2, compression=1), True, note="the same, PNG compression=1"),
    Peer("pillow", pillow(2), note="draft >= 2x, LANCZOS with box"),
    Peer("pillow-fast", pillow(2, compress_level=1), True, note="the same, PNG compress_level=1"),
    Peer("pillow-1x", pillow(1), note="draft >= 1x", gap=1),
    Peer("pillow-1x-fast", pillow(1, compress_level=1), True, "draft >= 1x, PNG compress_level=1", 1),
    Peer("opencv", opencv(2), note="reduced >= 2x, INTER_AREA"),
    Peer("opencv-1x", opencv(1), note="reduced >= 1x, INTER_AREA", gap=1),
    Peer("opencv-png6", opencv(2, *LEVEL_6), note="reduced >= 2x, PNG level 6, all filters"),
]


def versions() -> dict[str, str]:
    return {"pyvips": f"libvips {'.'.join(str(pyvips.version(part)) for part in range(3))}",
            "pillow": f"Pillow {Image.__version__}", "opencv": f"OpenCV {cv2.__version__}"}
