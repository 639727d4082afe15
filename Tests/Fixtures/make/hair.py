"""The hair (or headscarf) of a portrait: one part behind the head, one in front of it."""

import numpy as np

from .paint import hex_colour, mirrored, mix


def paint_back(c, person):
    """What is seen behind the head and shoulders."""
    hair = hex_colour(person.hair)
    style = person.hairstyle
    if style == "afro":
        random = np.random.default_rng(person.seed)
        for ring, count, r in ((0.98, 34, 0.27), (0.8, 26, 0.3)):
            for i in range(count):
                a = np.pi * 2 * i / count + random.uniform(-0.06, 0.06)
                x, y = ring * 1.12 * np.cos(a), -0.42 + ring * 0.98 * np.sin(a)
                if y < 0.42:
                    tone = hair * random.uniform(0.82, 1.12)
                    c.fill(c.ellipse(x, y, r * random.uniform(0.85, 1.1)), np.clip(tone, 0, 1))
        c.fill(c.ellipse(0, -0.42, 1.0, 0.92), hair * 0.9)
    elif style == "bob":
        shape = mirrored([(0, -1.26), (0.6, -1.14), (0.95, -0.72), (1.03, -0.1), (1.05, 0.5),
                          (0.98, 0.92), (0.74, 0.98), (0.4, 0.9), (0, 0.9)])
        c.fill(c.blob(shape), hair * 0.72)
    elif style == "long":
        shape = [(0, -1.24), (0.56, -1.13), (0.92, -0.75), (1.0, -0.2), (1.06, 0.3), (0.96, 0.8),
                 (1.1, 1.3), (1.0, 1.85), (0.6, 2.02), (0, 1.6), (-0.6, 2.05), (-1.02, 1.8),
                 (-1.08, 1.25), (-0.98, 0.8), (-1.06, 0.3), (-1.0, -0.2), (-0.92, -0.75),
                 (-0.56, -1.13)]
        c.fill(c.blob(shape), hair * 0.8)
    elif style == "bun":
        c.fill(c.ellipse(0.06, -1.34, 0.4, 0.34), hair * 0.86)
        for dx, bend in ((-0.16, -0.1), (0.02, 0.02), (0.2, 0.12)):
            curl = c.stroke([(0.06 + dx - 0.16, -1.5), (0.06 + dx + bend, -1.36),
                             (0.06 + dx + 0.1, -1.14)], 0.035)
            c.light(curl, 0.25)
        c.fill(c.ellipse(0, -0.32, 0.84, 0.86), hair * 0.82)
    elif style == "scarf":
        shape = mirrored([(0, -1.3), (0.62, -1.18), (0.97, -0.72), (1.04, -0.05), (0.95, 0.6),
                          (0.84, 1.1), (0.98, 1.55), (0.6, 1.85), (0, 1.95)])
        c.fill(c.blob(shape), hair * 0.82)
    elif style == "waves":
        c.fill(c.ellipse(0, -0.42, 0.86, 0.84), hair * 0.75)
    else:
        c.fill(c.ellipse(0, -0.38, 0.8, 0.74), hair * 0.75)


def _lit(hair):
    """Hair where the light catches it: brighter and a little warmer, never gray."""
    return np.clip(hair * 1.5 + np.array([0.10, 0.07, 0.05]), 0, 1)


def _strands(c, mask, hair, paths, amount, width=0.02):
    """Light or dark hair lines inside a mask."""
    lit = _lit(hair)
    for points in paths:
        strand = c.blur(c.stroke(points, width, (0, 0)), 0.004) * mask
        if amount > 0:
            c.fill(strand, lit, amount * 1.7)
        else:
            c.light(strand, amount)


def _cast_shadow(c, shape, skin):
    """The soft shadow hair throws on the forehead, before the hair itself is painted."""
    moved = np.roll(shape, int(0.05 * c.unit), axis=0)
    c.tint(c.blur(moved, 0.05) * c.head, mix(skin, [0.35, 0.12, 0.14], 0.5), 0.5)


def paint_front(c, person):
    """What falls over the head; `c.head` is its mask."""
    hair, skin = hex_colour(person.hair), hex_colour(person.skin)
    painters = {"afro": _afro, "bob": _bob, "long": _long, "bun": _bun, "scarf": _scarf,
                "waves": _waves, "fade": _fade, "short": _short}
    painters[person.hairstyle](c, person, hair, skin)


def _afro(c, person, hair, skin):
    cap = c.blob(mirrored([(0, -0.66), (0.34, -0.62), (0.6, -0.42), (0.74, -0.1), (0.86, -0.1),
                           (0.86, -0.5), (0.66, -0.9), (0.34, -1.08), (0, -1.13)]))
    _cast_shadow(c, cap, skin)
    c.fill(cap, hair * 0.95)
    random = np.random.default_rng(person.seed + 2)
    for _ in range(210):
        a, d = random.uniform(0, 2 * np.pi), np.sqrt(random.uniform(0, 1))
        x, y = 1.22 * d * np.cos(a), -0.45 + 1.1 * d * np.sin(a)
        inside = (x / 0.72) ** 2 + ((y + 0.02) / 0.68) ** 2 < 1
        if inside or y > 0.35:
            continue
        r = random.uniform(0.07, 0.13)
        lit = np.clip(0.95 - 0.35 * (x + y + 0.6), 0.55, 1.5)
        curl = c.ellipse(x, y, r)
        c.fill(curl, np.clip(hair * lit, 0, 1), 0.85)
        arc = c.stroke([(x - r * 0.6, y), (x - r * 0.2, y - r * 0.55), (x + r * 0.5, y - r * 0.3)],
                       r * 0.25, (0, 0))
        c.light(arc, 0.16 if lit > 0.8 else 0.07)


def _bob(c, person, hair, skin):
    fringe = c.blob([(0, -1.24), (0.58, -1.1), (0.92, -0.68), (0.98, -0.1), (0.97, 0.5),
                     (0.86, 0.86), (0.72, 0.72), (0.745, 0.3), (0.72, -0.16), (0.66, -0.42),
                     (0.5, -0.36), (0.25, -0.37), (0, -0.385), (-0.25, -0.37), (-0.5, -0.36),
                     (-0.66, -0.42), (-0.72, -0.16), (-0.745, 0.3), (-0.72, 0.72), (-0.86, 0.86),
                     (-0.97, 0.5), (-0.98, -0.1), (-0.92, -0.68), (-0.58, -1.1)])
    _cast_shadow(c, fringe, skin)
    c.fill(fringe, hair)
    shine = c.blur(c.stroke([(-0.72, -0.62), (-0.35, -0.84), (0.05, -0.88), (0.4, -0.8)], 0.16,
                            (0, 0)), 0.05)
    c.light(shine * fringe, 0.3)
    paths = [[(x * 0.3, -1.2), (x * 0.8, -0.85), (x, -0.38)] for x in np.linspace(-0.6, 0.6, 13)]
    _strands(c, fringe, hair, paths, -0.25)
    paths = [[(s * 0.62, -0.9), (s * (0.84 + d), -0.2), (s * (0.84 + d), 0.8)]
             for s in (-1, 1) for d in (-0.06, 0.0, 0.06)]
    _strands(c, fringe, hair, paths, 0.12)


def _long(c, person, hair, skin):
    left = [(-0.16, -1.22), (-0.62, -1.08), (-0.94, -0.62), (-1.02, 0.0), (-1.07, 0.5),
            (-1.0, 0.95), (-1.1, 1.45), (-0.92, 1.98), (-0.62, 1.86), (-0.5, 1.4), (-0.6, 0.95),
            (-0.66, 0.6), (-0.74, 0.2), (-0.71, -0.2), (-0.5, -0.55), (-0.2, -0.86)]
    right = [(-0.22, -1.2), (0.2, -1.23), (0.66, -1.07), (0.96, -0.62), (1.03, 0.0), (1.08, 0.5),
             (1.0, 0.95), (1.12, 1.45), (0.95, 2.0), (0.64, 1.88), (0.5, 1.4), (0.62, 0.95),
             (0.67, 0.6), (0.76, 0.2), (0.73, -0.16), (0.58, -0.48), (0.25, -0.7), (-0.1, -0.82),
             (-0.26, -0.95)]
    for side, outline in ((-1, left), (1, right)):
        lock = c.blob(outline)
        _cast_shadow(c, lock, skin)
        c.fill(lock, hair)
        c.light(c.ramp((0.2, 0), (1.2, 0.4), tilt=person.tilt) * lock, -0.22)
        _strands(c, lock, hair, [_lock_line(side, d) for d in np.linspace(-0.1, 0.24, 7)], -0.22,
                 0.03)
        _strands(c, lock, hair, [_lock_line(side, d) for d in np.linspace(-0.07, 0.2, 5)], 0.16,
                 0.045)
        shine = c.blur(c.stroke([(side * 0.4, -0.98), (side * 0.78, -0.66), (side * 0.9, -0.3)],
                                0.2, (0, 0)), 0.07)
        c.fill(shine * lock, _lit(hair), 0.35)


def _lock_line(side, d):
    """One line down a long strand of hair, `d` away from its middle."""
    return [(side * (0.05 + d * 0.4), -1.12), (side * (0.6 + d), -0.74), (side * (0.8 + d), -0.1),
            (side * (0.82 + d), 0.5), (side * (0.72 + d * 1.3), 1.0),
            (side * (0.82 + d * 1.4), 1.5), (side * (0.76 + d), 1.9)]


def _bun(c, person, hair, skin):
    cap = c.blob([(0, -1.16), (0.5, -1.06), (0.82, -0.64), (0.86, -0.12), (0.74, 0.02),
                  (0.69, -0.3), (0.45, -0.62), (0.12, -0.76), (-0.3, -0.68), (-0.62, -0.4),
                  (-0.72, 0.02), (-0.86, -0.12), (-0.82, -0.64), (-0.5, -1.06)])
    _cast_shadow(c, cap, skin)
    c.fill(cap, hair)
    paths = [[(0.12 + d * 0.2, -0.78), (s * (0.4 + d), -0.86 + d * 0.4),
              (s * (0.72 + d * 0.2), -0.2)]
             for s in (-1, 1) for d in (0, 0.1, 0.2, 0.3)]
    _strands(c, cap, hair, paths[::2], 0.35)
    _strands(c, cap, hair, paths[1::2], -0.16)


def _scarf(c, person, hair, skin):
    head = c.head
    hole = c.blob(mirrored([(0, -0.7), (0.36, -0.64), (0.58, -0.38), (0.66, 0.0), (0.63, 0.38),
                            (0.5, 0.7), (0.26, 0.95), (0, 1.03)]))
    cloth = c.blob(mirrored([(0, -1.28), (0.6, -1.16), (0.93, -0.7), (0.98, -0.05), (0.9, 0.55),
                             (0.7, 1.0), (0.72, 1.4), (0.4, 1.72), (0, 1.8)]))
    ring = cloth * (1 - hole)
    c.tint(c.blur(1 - hole, 0.06) * head, mix(skin, [0.35, 0.12, 0.14], 0.5), 0.55)
    c.fill(ring, hair)
    c.light(c.ramp((-0.3, -0.4), (1.1, 1.1), tilt=person.tilt) * ring, -0.3)
    c.light(c.glow(-0.55, -0.85, 0.4) * ring, 0.22)
    folds = [[(-0.72, -0.6), (-0.82, 0.1), (-0.66, 0.8), (-0.2, 1.24), (0.3, 1.42)],
             [(-0.84, -0.4), (-0.92, 0.2), (-0.78, 0.9), (-0.3, 1.4), (0.2, 1.58)],
             [(0.72, -0.6), (0.82, 0.1), (0.72, 0.7), (0.4, 1.1), (-0.1, 1.3)],
             [(0.86, -0.3), (0.9, 0.3), (0.74, 0.95), (0.35, 1.35)],
             [(-0.6, -0.78), (0, -1.0), (0.6, -0.78)]]
    for fold in folds:
        c.light(c.blur(c.stroke(fold, 0.07, (0, 0)), 0.025) * ring, -0.22)
        lifted = [(x - 0.05, y - 0.03) for x, y in fold]
        c.light(c.blur(c.stroke(lifted, 0.045, (0, 0)), 0.018) * ring, 0.18)
    wrap = c.blob([(-0.78, 0.95), (-0.3, 1.2), (0.25, 1.14), (0.72, 0.86), (0.86, 1.2), (0.7, 1.7),
                   (0.1, 2.0), (-0.5, 1.86), (-0.92, 1.5)])
    c.fill(np.clip(c.blur(wrap, 0.05) - wrap, 0, 1), hair * 0.4, 0.5)
    c.fill(wrap, hair * 1.03)
    for k in range(4):
        y = 1.26 + 0.17 * k
        line = [(-0.8, y - 0.1), (-0.2, y + 0.1), (0.3, y + 0.03), (0.78, y - 0.2)]
        c.light(c.blur(c.stroke(line, 0.06, (0, 0)), 0.025) * wrap, -0.22)
        c.light(c.blur(c.stroke([(x, v - 0.06) for x, v in line], 0.04, (0, 0)), 0.02) * wrap, 0.16)


def _waves(c, person, hair, skin):
    top = c.blob([(-0.78, -0.2), (-0.88, -0.62), (-0.72, -1.06), (-0.3, -1.3), (0.2, -1.34),
                  (0.66, -1.14), (0.88, -0.7), (0.8, -0.2), (0.72, -0.06), (0.7, -0.34),
                  (0.6, -0.6), (0.4, -0.7), (0.16, -0.6), (-0.1, -0.72), (-0.36, -0.6),
                  (-0.58, -0.62), (-0.68, -0.36), (-0.71, -0.05)])
    _cast_shadow(c, top, skin)
    c.fill(top, hair)
    paths = [[(0.62 - d * 0.2, -0.55 - d * 0.5), (0.3 - d * 0.5, -0.82 - d * 0.3),
              (-0.05 - d * 0.6, -0.78 - d * 0.4), (-0.4 - d * 0.3, -0.98 + d * 0.1),
              (-0.72, -0.5 - d * 0.2)] for d in np.linspace(0, 0.75, 9)]
    _strands(c, top, hair, paths[::2], 0.22, 0.05)
    _strands(c, top, hair, paths[1::2], -0.35, 0.04)


def _fade(c, person, hair, skin):
    top = c.blob(mirrored([(0, -1.24), (0.42, -1.2), (0.72, -0.92), (0.76, -0.6), (0.56, -0.56),
                           (0.28, -0.66), (0, -0.68)]))
    sides = c.blob(mirrored([(0, -1.05), (0.5, -0.98), (0.8, -0.6), (0.82, -0.06), (0.72, 0.1),
                             (0.7, -0.25), (0.6, -0.5), (0.3, -0.62), (0, -0.64)]))
    c.fill(c.blur(sides, 0.01) * np.maximum(c.head, top), mix(hair, skin, 0.3), 0.85)
    _cast_shadow(c, top, skin)
    c.fill(top, hair)
    random = np.random.default_rng(person.seed + 4)
    for _ in range(230):
        x, y = random.uniform(-0.7, 0.7), random.uniform(-1.2, -0.56)
        r = random.uniform(0.02, 0.036)
        if random.uniform() > 0.5:
            c.fill(c.ellipse(x, y, r) * top, _lit(hair), 0.5)
        else:
            c.light(c.ellipse(x, y, r) * top, -0.3)


def _short(c, person, hair, skin):
    top = c.blob([(-0.76, -0.12), (-0.85, -0.55), (-0.7, -0.98), (-0.3, -1.24), (0.22, -1.28),
                  (0.66, -1.08), (0.86, -0.66), (0.78, -0.1), (0.7, -0.1), (0.68, -0.4),
                  (0.52, -0.68), (0.2, -0.64), (-0.2, -0.74), (-0.5, -0.56), (-0.66, -0.5),
                  (-0.7, -0.1)])
    _cast_shadow(c, top, skin)
    c.fill(top, hair)
    paths = [[(0.6 - d * 0.6, -0.62 - d * 0.15), (0.3 - d, -0.98),
              (-0.3 - d * 0.4, -1.08 + d * 0.4)]
             for d in np.linspace(-0.25, 0.5, 9)]
    _strands(c, top, hair, paths[::2], 0.26, 0.032)
    _strands(c, top, hair, paths[1::2], -0.22, 0.03)
