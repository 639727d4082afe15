"""What has to be drawn: sizes, ring and circle, as coverage masks computed once a size."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np


@dataclass(frozen=True)
class Spec:
    """One rendition. Without a ring the circle fills the canvas; with one, the photo is fitted into the
    inner circle: ring in R-width...R, transparent gap, photo square of side size-2(width+gap), centred."""

    size: int
    ring_width: int = 0
    ring_gap: int = 0
    ring_color: tuple[int, int, int] = (0x0A, 0x84, 0xFF)

    @property
    def inset(self) -> int:
        return self.ring_width + self.ring_gap

    @property
    def side(self) -> int:
        return self.size - 2 * self.inset

    def without_ring(self) -> "Spec":
        return Spec(self.size)


RING = {"ring_width": 4, "ring_gap": 3}
SELECTED = Spec(128, **RING)
NORMAL = Spec(128)
SIX = tuple(Spec(size, **ring) for size in (48, 96, 144) for ring in ({}, RING))


def disc_coverage(size: int, radius: float, slices: int = 256) -> np.ndarray:
    """How much of each pixel of a size x size canvas lies within `radius` of its centre, 0...1.

    Every row of pixels is cut into slices, whose chords are exact."""
    heights = (np.arange(size * slices) + 0.5) / slices - size / 2
    chords = np.sqrt(np.maximum(radius * radius - heights**2, 0))[:, None]
    left = np.arange(size) - size / 2
    covered = np.clip(np.minimum(left + 1, chords) - np.maximum(left, -chords), 0, 1)
    return covered.reshape(size, slices, size).mean(axis=1)


def to_bytes(coverage: np.ndarray) -> np.ndarray:
    return np.rint(coverage * 255).astype(np.uint8)


@lru_cache(maxsize=None)
def photo_mask(spec: Spec) -> np.ndarray:
    """Coverage of the photo's circle, side x side bytes."""
    return to_bytes(disc_coverage(spec.side, spec.side / 2))


@lru_cache(maxsize=None)
def canvas_mask(spec: Spec) -> np.ndarray:
    """Coverage of the photo's circle on the whole canvas, size x size bytes."""
    return np.pad(photo_mask(spec), spec.inset)


@lru_cache(maxsize=None)
def ring_canvas(spec: Spec) -> np.ndarray:
    """The ring alone on a transparent canvas, size x size x RGBA bytes, straight alpha."""
    canvas = np.zeros((spec.size, spec.size, 4), np.uint8)
    if spec.ring_width:
        if spec.ring_gap < 1:
            raise ValueError("the peers paste ring and photo side by side: the gap must be 1 or more")
        radius = spec.size / 2
        band = disc_coverage(spec.size, radius) - disc_coverage(spec.size, radius - spec.ring_width)
        canvas[..., 3] = to_bytes(band)
        canvas[canvas[..., 3] > 0, :3] = spec.ring_color
    return canvas


def square_box(width: int, height: int, orientation: int) -> tuple[int, int, int]:
    """(x, y, side), in stored pixels, of the centre square of the upright picture: (W-s)//2 once turned."""
    side = min(width, height)
    x, y = (width - side) // 2, (height - side) // 2
    far_x, far_y = width - side - x, height - side - y
    # The upright picture's left or top edge is the stored picture's far one for these orientations.
    if orientation in (2, 3, 7, 8):
        x = far_x
    if orientation in (3, 4, 6, 7):
        y = far_y
    return x, y, side
