"""The small pictures inside the fixtures: a face with marks that distinguish its sides."""

from functools import lru_cache

import numpy as np

from . import faces
from .faces import Person

_SITTER = Person(skin="#d9a279", hair="#4a2a1e", eyes="#4a6f55", clothes="#c8403a",
                 background=("#8fd0c4", "#e8d58c"), hairstyle="waves", smile="open", seed=3)


@lru_cache(maxsize=None)
def _card(width, height):
    picture = faces.paint(_SITTER, width, height, unit=min(width, height) * 0.29, grain=0)
    picture = picture[:, :, :3].copy()
    s = max(2, min(width, height) // 7)
    # Blue block top left, yellow top right, violet bottom left, white bottom right; inside the
    # centre square of every upright picture stands a green bar on the left only.
    picture[:s, :s] = [0.12, 0.25, 0.80]
    picture[:s, -s:] = [0.96, 0.82, 0.12]
    picture[-s:, :s] = [0.50, 0.18, 0.62]
    picture[-s:, -s:] = [0.95, 0.95, 0.95]
    side = min(width, height)
    x, y = (width - side) // 2, (height - side) // 2
    picture[y + side // 4:y + side * 3 // 4, x + s // 2:x + s] = [0.10, 0.55, 0.22]
    picture[y:y + s // 2 + 1, x + side // 2:x + side // 2 + s] = [0.85, 0.20, 0.15]
    picture.setflags(write=False)
    return picture


def card(width, height):
    """An asymmetric RGB picture, floats 0...1, (height, width, 3)."""
    if min(width, height) < 12:
        y, x = np.mgrid[0:height, 0:width]
        return np.stack([0.2 + 0.7 * x / max(1, width), 0.9 - 0.7 * y / max(1, height),
                         0.3 + 0.05 * ((x + 2 * y) % 7)], axis=-1)
    return _card(width, height)


def card_with_alpha(width, height):
    """The same with an alpha channel: an opaque disc, a soft edge, clear corners, a ramp."""
    y, x = np.mgrid[0:height, 0:width]
    d = np.hypot(x - width / 2 + 0.5, y - height / 2 + 0.5) / (min(width, height) / 2)
    alpha = np.clip((1.15 - d) * 3.3, 0, 1) * (0.35 + 0.65 * np.clip(2.2 * x / width, 0, 1))
    return np.concatenate([card(width, height), alpha[:, :, None]], axis=-1)


def ink_card(width, height):
    """A CMYK picture, 0 = no ink, with some black in it."""
    rgb = card(width, height)
    black = 0.8 * (1 - rgb.max(axis=-1, keepdims=True))
    cmy = 1 - rgb / np.maximum(1 - black, 1e-6)
    return np.concatenate([np.clip(cmy, 0, 1) * 0.95, black], axis=-1)
