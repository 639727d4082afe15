"""The coded pictures inside the HEIC and AVIF fixtures. They are kept in make/coded/, because each version of an encoder
writes other bytes; `make_fixtures.py --encode` makes them again, and needs heif-enc (libheif-examples) and avifenc
(libavif-bin)."""

import os
import subprocess
import tempfile

import numpy as np

from . import pictures, png_writer
from .colour import to_bytes
from .heif_tools import pictures as coded

WIDTH, HEIGHT = 96, 64
# Of the pictures that are divided into four tiles; heif-enc codes none below 64 pixels as it is.
SIDE = 128
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "coded")


def card():
    return pictures.card(WIDTH, HEIGHT)


def large():
    return pictures.card(SIDE, SIDE)


def small():
    """What the thumbnails show: another picture, so that it is seen which one was drawn."""
    return 1 - pictures.card(SIDE // 2, SIDE // 2)


def _png(picture, bits=8):
    if bits == 8:
        samples = to_bytes(picture)
    else:
        samples = np.round(picture * 65535).astype(">u2")
    kind = {1: 0, 3: 2, 4: 6}[samples.shape[2]]
    return png_writer.encode(samples, kind, bits)


# Name -> the picture, its bits, and further options of (heif-enc, avifenc).
def _sources():
    half = np.array_split(large(), 2)
    tiles = {f"tile-{y}{x}": tile for y, row in enumerate(half) for x, tile in enumerate(np.array_split(row, 2, axis=1))}
    gray = np.repeat(card()[:, :, 1:2], 3, axis=2)
    return {
        "card": (card(), 8, ["-p", "chroma=444"], ["-y", "444"]),
        "card-420": (card(), 8, ["-p", "chroma=420"], ["-y", "420"]),
        "deep": (card(), 16, ["-b", "10", "-p", "chroma=444"], ["-d", "10", "-y", "444"]),
        "alpha": (pictures.card_with_alpha(WIDTH, HEIGHT), 8, ["-p", "chroma=444"], ["-y", "444"]),
        "gray": (gray, 8, ["-p", "chroma=420"], ["-y", "400"]),
        "odd": (pictures.card(51, 37), 8, ["-p", "chroma=444"], ["-y", "444"]),
        "small": (small(), 8, ["-p", "chroma=444"], ["-y", "444"]),
        **{name: (tile, 8, ["-p", "chroma=444"], ["-y", "444"]) for name, tile in tiles.items()},
    }


def encode():
    """Makes all of make/coded/ again."""
    os.makedirs(FOLDER, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "picture.png")
        for name, (picture, bits, heic, avif) in _sources().items():
            with open(source, "wb") as file:
                file.write(_png(picture, bits))
            commands = {
                "heic": ["heif-enc", "-q", "80", *heic, "-p", "preset=slow", source, "-o"],
                "avif": ["avifenc", "--min", "4", "--max", "12", "--minalpha", "0", "--maxalpha", "8", "-s", "4", *avif, source],
            }
            for kind, command in commands.items():
                target = os.path.join(FOLDER, f"{name}.{kind}")
                subprocess.run([*command, target], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def file(name, kind):
    """One of them as its encoder wrote it."""
    with open(os.path.join(FOLDER, f"{name}.{kind}"), "rb") as source:
        return source.read()


def load(name, kind):
    """The pictures of one of them: the primary one, and its alpha, if it has one."""
    return coded(file(name, kind))
