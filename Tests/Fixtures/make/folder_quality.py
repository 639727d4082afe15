"""quality/: the samples at 128 pixels as a slow, exact resize draws them."""

import os
import sys

import numpy as np

from . import png_writer

ABOUT = """
What each photo of `assets/samples/` looks like at 128 pixels, before any circle: full-size decode
by Pillow, turned upright, in sRGB, centre square, Lanczos3 in float64 on colours multiplied by
alpha (`Tests/Bench/reference.py`), rounded once. Drawn photos must come near them: in the circle
at least 41 dB each and 47 dB in the median.
"""
SIDE = 128


def straight(picture):
    """Floats 0...255, premultiplied, 3 or 4 channels -> 8-bit RGBA with straight alpha."""
    if picture.shape[2] == 3:
        alpha = np.full(picture.shape[:2] + (1,), 255.0)
    else:
        alpha = picture[:, :, 3:]
    colours = picture[:, :, :3] * (255 / np.maximum(alpha, 1e-9))
    pixels = np.concatenate([np.clip(colours, 0, 255), alpha], axis=-1)
    pixels = np.rint(pixels).astype(np.uint8)
    pixels[pixels[:, :, 3] == 0] = 0
    return pixels


def write(root):
    """Writes the folder; returns (number of pictures, bytes)."""
    top = os.path.join(root, "..", "..")
    sys.path.append(os.path.join(top, "Tests", "Bench"))
    import reference  # the same reference that `make bench` judges by
    folder, samples = os.path.join(root, "quality"), os.path.join(top, "assets", "samples")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "README.md"), "w") as file:
        file.write(ABOUT.lstrip())
    names, total = sorted(os.listdir(samples)), 0
    for name in names:
        data = png_writer.encode_rgba(
            straight(reference.reference(os.path.join(samples, name), SIDE)))
        total += len(data)
        stem = name.rsplit(".", 1)[0]
        with open(os.path.join(folder, f"{stem}-{SIDE}.expected.png"), "wb") as file:
            file.write(data)
    return len(names), total
