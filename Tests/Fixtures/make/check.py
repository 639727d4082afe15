"""Reads the written fixtures with Pillow and LittleCMS and compares with expect.json.

Pillow is no judge of what Tondo should do: files it cannot read or reads otherwise by design
(16-bit gray, gAMA, CgBI, non-Adobe CMYK ...) are counted as skipped, not as wrong.
"""

import io
import json
import os
import warnings

import numpy as np
from PIL import Image, ImageCms, ImageOps

from . import expected

_SRGB = ImageCms.createProfile("sRGB")
# Features Pillow does not apply, by a part of the file name.
_NOT_PILLOWS = ("gama-1.0", "gama-0.55", "chrm-", "cgbi-", "cmyk", "ycck", "jpeg-exif-count",
                "junk-before-markers", "gray-16", "gray-alpha-16", "-16-bit", "xmp-only",
                "segment-number-0", "trns-gray-2", "trns-gray-4", "trns-rgb-16",
                "iccp-gray-gray-alpha", "iccp-p3-rgba", "iccp-p3-rgb-16", "p3-with-alpha",
                "nclx-2020", "nclx-p3-linear", "avif-clap", "icc-p3-of-tiles")


def _in_srgb(image):
    """The upright picture as 8-bit RGBA, converted by LittleCMS when it has a usable profile."""
    profile = image.info.get("icc_profile")
    image = ImageOps.exif_transpose(image)
    if profile and image.mode in ("RGB", "L", "CMYK", "P"):
        image = image.convert("RGB") if image.mode == "P" else image
        source = ImageCms.getOpenProfile(io.BytesIO(profile))
        image = ImageCms.profileToProfile(image, source, _SRGB, outputMode="RGB")
    return np.asarray(image.convert("RGBA"))


def _square(picture):
    return expected.rgba(picture / 255)


def all_folders(root):
    """Checks every folder; returns the number of wrong files."""
    wrong = 0
    for name in sorted(os.listdir(root)):
        folder = os.path.join(root, name)
        if os.path.exists(os.path.join(folder, "expect.json")):
            wrong += _folder(folder)
    return wrong


def _folder(path):
    with open(os.path.join(path, "expect.json")) as file:
        book = json.load(file)
    counts = {"right": 0, "skipped": 0, "wrong": 0}
    for name in sorted(os.listdir(path)):
        if name.endswith(".expected.png") or name in ("README.md", "expect.json"):
            continue
        verdict, reason = _file(path, name, {**book["default"], **book["files"].get(name, {})})
        counts[verdict] += 1
        if verdict == "wrong":
            print(f"  {os.path.basename(path)}/{name}: {reason}")
    print(f"check {os.path.basename(path)}: {counts}")
    return counts["wrong"]


def _file(path, name, expect):
    outcomes = expect["outcome"] if isinstance(expect["outcome"], list) else [expect["outcome"]]
    stem = name.rsplit(".", 1)[0]
    shown = expect.get("expected", f"{stem}.expected.png")
    has_picture = os.path.exists(os.path.join(path, shown))
    if outcomes != ["draws"]:
        if has_picture and "expected" in expect:
            return "wrong", "names an expected picture but does not draw"
        return "skipped", ""
    if any(part in name for part in _NOT_PILLOWS):
        return "skipped", ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            image = Image.open(os.path.join(path, name))
            image.load()
            picture = _square(_in_srgb(image))
    except Exception:  # Pillow refuses many damaged files by design
        return "skipped", ""
    if "srgb" in expect:
        middle = picture[picture.shape[0] // 2, picture.shape[1] // 2, :3].astype(int)
        error = int(abs(middle - expect["srgb"]).max())
        return ("right" if error <= expect["tolerance"] else "wrong"), f"{middle} is off by {error}"
    if not has_picture:
        return "skipped", ""
    wanted = np.asarray(Image.open(os.path.join(path, shown)))
    if wanted.shape != picture.shape:
        return "wrong", f"{picture.shape} instead of {wanted.shape}"
    mae, psnr = expected.mae(picture, wanted), expected.psnr(picture, wanted)
    good = mae <= expect["mae"] and psnr >= expect["psnr"]
    return ("right" if good else "wrong"), f"mae {mae:.2f}, {psnr:.1f} dB"
