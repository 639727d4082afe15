"""A tiny painting kit: smooth shapes drawn at four times the size, reduced to soft masks and
laid over each other in floating point.

A canvas has a unit of its own: the origin is where the caller puts it, y points down. Shapes
are masks (float arrays 0...1 of the canvas size), so that they can be blurred, cut with one
another and reused before any colour is applied.
"""

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

OVERSAMPLING = 4


def hex_colour(text):
    """'#rrggbb' -> three floats."""
    return np.array([int(text[i:i + 2], 16) for i in (1, 3, 5)]) / 255


def mix(a, b, amount):
    """The colour between two."""
    return np.asarray(a) * (1 - amount) + np.asarray(b) * amount


def spline(points, closed=True, steps=14):
    """Points along the Catmull-Rom curve through `points`."""
    p = np.asarray(points, dtype=np.float64)
    if closed:
        p = np.concatenate([p[-1:], p, p[:2]])
    else:
        p = np.concatenate([2 * p[:1] - p[1:2], p, 2 * p[-1:] - p[-2:-1]])
    t = np.linspace(0, 1, steps, endpoint=False)[:, None]
    pieces = []
    for a, b, c, d in zip(p, p[1:], p[2:], p[3:]):
        pieces.append(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t ** 2
                             + (3 * b - a - 3 * c + d) * t ** 3))
    if not closed:
        pieces.append(p[-2:-1])
    return np.concatenate(pieces)


def mirrored(right):
    """A closed outline from its right half, listed from top to bottom (x = 0 points once)."""
    left = [(-x, y) for x, y in reversed(right) if x != 0]
    return list(right) + left


def _bounds(mask, margin=0):
    """The slices around everything that is not zero, so that work stays local."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if rows.size == 0:
        return slice(0, 0), slice(0, 0)
    return (slice(max(rows[0] - margin, 0), rows[-1] + 1 + margin),
            slice(max(columns[0] - margin, 0), columns[-1] + 1 + margin))


class Canvas:
    """A float picture (height, width, 4; straight alpha) with painting operations."""

    def __init__(self, width, height, centre, unit, tilt=0.0):
        self.width, self.height = width, height
        self.centre, self.unit = np.asarray(centre, dtype=np.float64), unit
        self.tilt = tilt
        self.pixels = np.zeros((height, width, 4))

    # Shapes -----------------------------------------------------------------------------------

    def _to_pixels(self, points, tilt):
        points = np.asarray(points, dtype=np.float64)
        angle = np.deg2rad(self.tilt if tilt is None else tilt)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        return (points @ turn.T * self.unit + self.centre) * OVERSAMPLING

    def polygon(self, points, tilt=None):
        """The mask of a straight-edged polygon."""
        corners = self._to_pixels(points, tilt)
        mask = np.zeros((self.height, self.width))
        left, top = np.maximum(np.floor(corners.min(axis=0) / OVERSAMPLING).astype(int) - 1, 0)
        right, bottom = np.minimum(np.ceil(corners.max(axis=0) / OVERSAMPLING).astype(int) + 2,
                                   (self.width, self.height))
        if left >= right or top >= bottom:
            return mask
        image = Image.new("L", ((right - left) * OVERSAMPLING, (bottom - top) * OVERSAMPLING))
        corners -= np.array([left, top]) * OVERSAMPLING
        ImageDraw.Draw(image).polygon([tuple(p) for p in corners], fill=255)
        mask[top:bottom, left:right] = np.asarray(image.reduce(OVERSAMPLING)) / 255
        return mask

    def blob(self, points, tilt=None):
        """The mask of a smooth closed outline."""
        return self.polygon(spline(points), tilt)

    def ellipse(self, x, y, rx, ry=None, turn=0.0, tilt=None):
        """The mask of an ellipse."""
        ry = rx if ry is None else ry
        t = np.linspace(0, 2 * np.pi, 90, endpoint=False)
        a = np.deg2rad(turn)
        px, py = rx * np.cos(t), ry * np.sin(t)
        return self.polygon(np.stack([x + px * np.cos(a) - py * np.sin(a),
                                      y + px * np.sin(a) + py * np.cos(a)], axis=1), tilt)

    def stroke(self, points, width, taper=(0.25, 0.25), tilt=None):
        """The mask of a brush stroke through `points`, thinner towards its ends."""
        line = spline(points, closed=False)
        along = np.gradient(line, axis=0)
        normal = np.stack([-along[:, 1], along[:, 0]], axis=1)
        normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-9)
        t = np.linspace(0, 1, len(line))
        swell = np.sin(np.pi * t) ** 0.6
        ends = taper[0] * (1 - t) + taper[1] * t
        half = (width / 2 * (ends + (1 - ends) * swell))[:, None]
        return self.polygon(np.concatenate([line + normal * half, (line - normal * half)[::-1]]),
                            tilt)

    def blur(self, mask, radius):
        """The mask, softened by `radius` units."""
        part = _bounds(mask, margin=int(radius * self.unit * 3) + 2)
        if mask[part].size == 0:
            return np.zeros_like(mask)
        image = Image.fromarray(np.clip(mask[part] * 255 + 0.5, 0, 255).astype(np.uint8))
        image = image.filter(ImageFilter.GaussianBlur(radius * self.unit))
        result = np.zeros_like(mask)
        result[part] = np.asarray(image) / 255
        return result

    def ramp(self, start, end, tilt=0.0):
        """0 at point `start`, 1 at point `end`, linear between and clamped."""
        a = self._to_pixels([start], tilt)[0] / OVERSAMPLING
        b = self._to_pixels([end], tilt)[0] / OVERSAMPLING
        y, x = np.mgrid[0:self.height, 0:self.width]
        along = ((x - a[0]) * (b - a)[0] + (y - a[1]) * (b - a)[1]) / ((b - a) @ (b - a))
        return np.clip(along, 0, 1)

    def glow(self, x, y, radius):
        """A round light: 1 in its centre, falling off softly."""
        c = self._to_pixels([(x, y)], None)[0] / OVERSAMPLING
        py, px = np.mgrid[0:self.height, 0:self.width]
        d2 = ((px - c[0]) ** 2 + (py - c[1]) ** 2) / (radius * self.unit) ** 2
        return np.exp(-d2)

    # Paint ------------------------------------------------------------------------------------

    def fill(self, mask, colour, amount=1.0):
        """Lays a colour (three floats, or a picture of them) over the canvas."""
        part = _bounds(mask)
        pixels, colour = self.pixels[part], np.asarray(colour)
        if colour.ndim == 3:
            colour = colour[part]
        a = (mask[part] * amount)[:, :, None]
        below = pixels[:, :, 3:4].copy()
        alpha = a + below * (1 - a)
        mixed = colour * a + pixels[:, :, :3] * below * (1 - a)
        pixels[:, :, :3] = np.where(alpha > 0, mixed / np.maximum(alpha, 1e-9), 0)
        pixels[:, :, 3:4] = alpha

    def light(self, mask, amount):
        """Brightens (amount > 0) or darkens what is there, never its alpha."""
        part = _bounds(mask)
        target = 1.0 if amount > 0 else 0.0
        a = (mask[part] * abs(amount))[:, :, None]
        self.pixels[part][:, :, :3] = self.pixels[part][:, :, :3] * (1 - a) + target * a

    def tint(self, mask, colour, amount):
        """Multiplies what is there by a colour."""
        part = _bounds(mask)
        a = (mask[part] * amount)[:, :, None]
        self.pixels[part][:, :, :3] *= 1 - a * (1 - np.asarray(colour))

    # Finish -----------------------------------------------------------------------------------

    def grain(self, amount, seed):
        """Film grain: slightly soft luminance noise and a little colour noise."""
        random = np.random.default_rng(seed)
        fine = random.standard_normal((self.height, self.width))
        below = np.roll(fine, 1, 0)
        soft = (fine + below + np.roll(fine, 1, 1) + np.roll(below, 1, 1)) / 2
        tone = random.standard_normal((self.height, self.width, 3)) * 0.35
        self.pixels[:, :, :3] += amount * (soft[:, :, None] * 0.8 + tone)
        np.clip(self.pixels, 0, 1, out=self.pixels)
