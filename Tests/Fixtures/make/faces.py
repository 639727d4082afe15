"""Illustrated portraits of invented people: every face is a handful of numbers.

The unit is half a head: the face's centre is (0, 0), the chin lies at y = 1, the crown at y = -1.
"""

from dataclasses import dataclass, field

import numpy as np

from . import clothes, hair
from .paint import Canvas, hex_colour, mirrored, mix

HEAD = mirrored([(0, -1.02), (0.42, -0.95), (0.69, -0.66), (0.77, -0.2), (0.745, 0.22),
                 (0.62, 0.6), (0.38, 0.89), (0.16, 1.0), (0, 1.015)])


@dataclass
class Person:
    """What makes one portrait."""

    skin: str
    hair: str
    eyes: str
    clothes: str
    background: tuple            # two colours, top left and bottom right
    hairstyle: str
    backdrop: str = "plain"      # plain, dots, hills, leaves, window
    outfit: str = "crew"         # crew, turtleneck, collar, jacket, cardigan
    second: str = "#ffffff"      # shirt under a jacket, frame of the glasses ...
    beard: str = ""              # "", stubble, full
    glasses: str = ""            # "", round, square
    earrings: str = ""           # "", hoops, studs
    smile: str = "soft"          # soft, open
    lips: str = "#b5574f"
    lashes: bool = False
    freckles: bool = False
    wrinkles: bool = False
    tilt: float = 0.0
    seed: int = 1
    extras: dict = field(default_factory=dict)


def paint(person, width, height, centre=None, unit=None, transparent=False, grain=0.012):
    """The portrait as floats (height, width, 4)."""
    short = min(width, height)
    unit = unit or short * 0.25
    centre = centre or (width / 2, height * 0.47)
    c = Canvas(width, height, centre, unit, person.tilt)
    if not transparent:
        _background(c, person)
    hair.paint_back(c, person)
    clothes.paint(c, person)
    _head(c, person)
    _features(c, person)
    hair.paint_front(c, person)
    _extras(c, person)
    _finish(c, person, transparent, grain)
    return c.pixels


# Behind ---------------------------------------------------------------------------------------

def _background(c, person):
    top, bottom = (hex_colour(x) for x in person.background)
    whole = np.ones((c.height, c.width))
    reach = max(c.width, c.height) / c.unit / 2
    fall = c.ramp((-reach, -reach), (reach, reach))[:, :, None]
    c.fill(whole, top * (1 - fall) + bottom * fall)
    random = np.random.default_rng(person.seed)
    if person.backdrop == "dots":
        for _ in range(26):
            x, y = random.uniform(-reach, reach), random.uniform(-reach, reach * 0.9)
            r = random.uniform(0.12, 0.42)
            spot = c.blur(c.ellipse(x, y, r, tilt=0), 0.03)
            c.fill(spot, mix(top, [1, 0.97, 0.86], random.uniform(0.3, 0.9)), 0.20)
    elif person.backdrop == "hills":
        sun = c.blur(c.ellipse(-1.55, -0.75, 0.36, tilt=0), 0.02)
        c.fill(c.glow(-1.55, -0.75, 1.5), hex_colour("#fff3cf"), 0.55)
        c.fill(sun, hex_colour("#fff7e2"), 0.95)
        for level, tone in ((0.2, "#d99a7c"), (0.62, "#a8748a"), (1.1, "#5f5f8c")):
            x = np.linspace(-reach - 1, reach + 1, 9)
            y = level + 0.22 * np.sin(x * 1.7 + level * 9)
            ridge = list(zip(x, y)) + [(reach + 1, 9), (-reach - 1, 9)]
            c.fill(c.blur(c.polygon(ridge, tilt=0), 0.025), hex_colour(tone), 0.9)
    elif person.backdrop == "leaves":
        for _ in range(34):
            x, y = random.uniform(-reach, reach), random.uniform(-reach, reach)
            a, r = random.uniform(0, 2 * np.pi), random.uniform(0.35, 0.8)
            d, n = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)])
            o = np.array([x, y])
            leaf = c.blob([o - d * r, o + n * r * 0.3, o + d * r, o - n * r * 0.3], tilt=0)
            tone = mix(bottom, top, random.uniform(-0.25, 1.1))
            c.fill(c.blur(leaf, random.uniform(0.02, 0.07)), np.clip(tone, 0, 1), 0.6)
    elif person.backdrop == "window":
        for x in (-2.35, -1.2, 1.2, 2.35):
            pane = c.polygon([(x - 0.5, -2.4), (x + 0.5, -2.4), (x + 0.5, 0.8), (x - 0.5, 0.8)],
                             tilt=0)
            c.fill(c.blur(pane, 0.05), hex_colour("#fff6e3"), 0.42)
    halo = c.glow(0, 0, 1.9)
    c.light(halo, 0.16)


# Head -----------------------------------------------------------------------------------------

def _head(c, person):
    skin = hex_colour(person.skin)
    warm = mix(skin, [0.86, 0.25, 0.2], 0.5)
    if person.hairstyle not in ("bob", "scarf", "long"):
        for side in (-1, 1):
            ear = c.ellipse(side * 0.78, 0.06, 0.13, 0.23, turn=side * 8)
            c.fill(ear, skin * 0.96)
            c.tint(c.blur(c.ellipse(side * 0.79, 0.06, 0.06, 0.13), 0.02), warm, 0.45)
            if person.earrings == "hoops":
                x, y = side * 0.82, 0.47
                hoop = c.ellipse(x, y, 0.15, 0.19) - c.ellipse(x, y, 0.115, 0.155)
                c.fill(hoop, hex_colour("#e7b64a"))
                c.light(hoop * c.glow(side * 0.82 - 0.1, 0.36, 0.1), 0.6)
            elif person.earrings == "studs":
                c.fill(c.ellipse(side * 0.81, 0.27, 0.05), hex_colour("#f5f0e6"))
                c.light(c.blur(c.ellipse(side * 0.81 + 0.015, 0.285, 0.03), 0.01), -0.2)
    head = c.blob(HEAD)
    c.head = head
    c.fill(head, skin)
    # Form: light from the upper left, shade along the right cheek and under the cheekbones.
    side_shade = c.ramp((0.05, -0.2), (0.9, 0.25), tilt=person.tilt)
    c.tint(side_shade ** 1.6 * head, mix(skin, [0.45, 0.16, 0.18], 0.45), 0.42)
    c.tint(c.ramp((0, 0.62), (0, 1.1), tilt=person.tilt) * head, mix(skin, [0.4, 0.15, 0.15], 0.4),
           0.35)
    c.light(c.glow(-0.3, -0.5, 0.55) * head, 0.15)
    c.light(c.glow(-0.42, 0.22, 0.22) * head, 0.10)
    for side, amount in ((-1, 0.42), (1, 0.36)):
        c.tint(c.glow(side * 0.45, 0.34, 0.24) * head, warm, amount)
    if person.beard:
        _beard(c, person, head)
    if person.freckles:
        random = np.random.default_rng(person.seed + 5)
        for _ in range(46):
            x, y = random.normal(0, 0.3), random.normal(0.26, 0.09)
            c.tint(c.ellipse(x, y, random.uniform(0.008, 0.017)) * head, [0.72, 0.42, 0.25], 0.5)


def _beard(c, person, head):
    hair = hex_colour(person.hair)
    shape = mirrored([(0, 0.44), (0.2, 0.43), (0.4, 0.58), (0.58, 0.42), (0.72, 0.1),
                      (0.82, 0.16), (0.78, 0.5), (0.62, 0.92), (0.3, 1.16), (0, 1.2)])
    mask = c.blob(shape)
    if person.beard == "stubble":
        c.tint(c.blur(mask, 0.06) * head, mix(hair, hex_colour(person.skin), 0.35), 0.62)
        return
    c.fill(c.blur(mask, 0.015), hair * 0.92)
    c.light(c.ramp((-0.2, 0.5), (0.8, 1.1), tilt=person.tilt) * mask, -0.3)
    random = np.random.default_rng(person.seed + 9)
    for _ in range(150):
        x = random.uniform(-0.68, 0.68)
        y = random.uniform(0.5, 1.1)
        hair_stroke = c.stroke([(x, y - 0.09), (x * 1.03, y), (x * 0.98, y + 0.09)], 0.016, (0, 0))
        c.light(hair_stroke * mask, random.choice([0.14, -0.16]))


def _features(c, person):
    skin, hair_colour = hex_colour(person.skin), hex_colour(person.hair)
    dark = mix(skin * 0.3, [0.14, 0.05, 0.06], 0.5)
    line = mix(skin, [0.30, 0.08, 0.08], 0.62)
    for side in (-1, 1):
        _eye(c, person, side, skin, dark)
        brow = c.stroke([(side * 0.14, -0.285), (side * 0.32, -0.355), (side * 0.52, -0.27)],
                        0.08 if not person.lashes else 0.06, (0.6, 0.05))
        tone = hair_colour * 0.7 if person.hairstyle != "scarf" else hex_colour("#3a2620")
        c.fill(c.blur(brow, 0.006), mix(tone, skin, 0.12), 0.92)
    # Nose: a soft bridge shade, a lit tip, two nostrils and the wing line.
    c.tint(c.blur(c.stroke([(0.06, -0.16), (0.1, 0.1), (0.15, 0.29)], 0.11), 0.045),
           mix(skin, line, 0.55), 0.4)
    c.light(c.glow(-0.03, 0.25, 0.09), 0.2)
    c.tint(c.blur(c.ellipse(0.01, 0.36, 0.16, 0.05), 0.025), line, 0.35)
    nose = c.stroke([(-0.13, 0.28), (-0.11, 0.35), (-0.03, 0.345), (0.02, 0.37), (0.07, 0.345),
                     (0.135, 0.34), (0.145, 0.27)], 0.032, (0, 0))
    c.fill(c.blur(nose, 0.006), line, 0.62)
    _mouth(c, person, skin, line)
    if person.wrinkles:
        for side in (-1, 1):
            for a, b in (((0.6, 0.02), (0.69, -0.02)), ((0.6, 0.08), (0.69, 0.09))):
                fold = c.stroke([(side * a[0], a[1]), (side * b[0], b[1])], 0.016)
                c.fill(c.blur(fold, 0.006), line, 0.4)
            fold = c.stroke([(side * 0.2, 0.33), (side * 0.34, 0.46), (side * 0.36, 0.6)], 0.02)
            c.fill(c.blur(fold, 0.012), line, 0.4)
        fold = c.stroke([(-0.26, -0.58), (0, -0.61), (0.26, -0.57)], 0.014)
        c.fill(c.blur(fold, 0.01), line, 0.28)


def _eye(c, person, side, skin, dark):
    x, y = side * 0.315, -0.02
    socket = c.blur(c.ellipse(x, y - 0.02, 0.2, 0.13), 0.05)
    c.tint(socket, mix(skin, [0.42, 0.18, 0.2], 0.5), 0.28)
    white = c.blob([(x - 0.155, y + 0.02), (x - 0.08, y - 0.075), (x + 0.015 * side, y - 0.1),
                    (x + 0.09, y - 0.07), (x + 0.155, y + 0.01), (x + 0.07, y + 0.075),
                    (x - 0.07, y + 0.08)])
    c.fill(white, [0.975, 0.965, 0.95])
    iris = c.ellipse(x - 0.008, y - 0.012, 0.088) * white
    eyes = hex_colour(person.eyes)
    c.fill(iris, eyes * 0.55)
    c.fill(c.ellipse(x - 0.008, y - 0.008, 0.07) * white, eyes)
    c.light(c.glow(x + 0.01, y + 0.04, 0.045) * iris, 0.28)
    c.fill(c.ellipse(x - 0.008, y - 0.012, 0.04) * white, [0.05, 0.035, 0.035])
    lid_shadow = c.stroke([(x - 0.15, y - 0.05), (x, y - 0.09), (x + 0.15, y - 0.05)], 0.07)
    c.light(c.blur(lid_shadow, 0.02) * white, -0.22)
    c.fill(c.ellipse(x - 0.035, y - 0.045, 0.022), [1, 1, 1])
    c.fill(c.ellipse(x + 0.025, y + 0.025, 0.010), [1, 1, 1], 0.7)
    outer = x + side * 0.175
    lid = c.stroke([(x - side * 0.15, y + 0.02), (x - side * 0.07, y - 0.085), (x, y - 0.107),
                    (x + side * 0.09, y - 0.08), (outer, y - 0.002)],
                   0.05 if person.lashes else 0.038, (0.15, 0.35))
    c.fill(lid, dark)
    if person.lashes:
        for k, lift in ((0.17, 0.06), (0.135, 0.1), (0.09, 0.115)):
            lash = c.stroke([(x + side * (k - 0.04), y - 0.07 + k * 0.25),
                             (x + side * (k + 0.045), y - lift - 0.02)], 0.022, (0.9, 0))
            c.fill(lash, dark)
    crease = c.stroke([(x - side * 0.12, y - 0.11), (x, y - 0.155), (x + side * 0.14, y - 0.09)],
                      0.02, (0, 0))
    c.fill(c.blur(crease, 0.006), mix(skin, dark, 0.5), 0.55)
    low = c.stroke([(x - 0.09, y + 0.085), (x, y + 0.098), (x + 0.09, y + 0.08)], 0.013, (0, 0))
    c.fill(c.blur(low, 0.006), mix(skin, dark, 0.5), 0.5)


def _mouth(c, person, skin, line):
    lips = mix(hex_colour(person.lips), skin, 0.12)
    if person.smile == "open":
        mouth = c.blob([(-0.31, 0.52), (-0.15, 0.545), (0, 0.555), (0.15, 0.545), (0.31, 0.52),
                        (0.2, 0.7), (0, 0.77), (-0.2, 0.7)])
        rim = c.blob([(-0.335, 0.51), (-0.15, 0.505), (-0.05, 0.49), (0, 0.5), (0.05, 0.49),
                      (0.15, 0.505), (0.335, 0.51), (0.23, 0.74), (0, 0.825), (-0.23, 0.74)])
        c.fill(c.blur(rim, 0.006), lips)
        c.light(c.glow(-0.05, 0.8, 0.08) * rim, 0.22)
        c.fill(mouth, hex_colour("#5a1c22"))
        teeth = c.blob([(-0.27, 0.525), (0, 0.552), (0.27, 0.525), (0.19, 0.625), (0, 0.655),
                        (-0.19, 0.625)])
        c.fill(teeth * mouth, [0.985, 0.975, 0.955])
        c.fill(c.blur(c.ellipse(0, 0.77, 0.13, 0.06), 0.012) * mouth, hex_colour("#c9605f"), 0.9)
    else:
        full = 1.0 if person.lashes else 0.8
        upper = c.blob([(-0.3, 0.515), (-0.15, 0.535), (-0.05, 0.535), (0, 0.548), (0.05, 0.535),
                        (0.15, 0.535), (0.3, 0.515), (0.14, 0.6), (0, 0.617), (-0.14, 0.6)])
        lower = c.blob([(-0.27, 0.535), (-0.14, 0.6), (0, 0.617), (0.14, 0.6), (0.27, 0.535),
                        (0.17, 0.655), (0, 0.617 + 0.1 * full), (-0.17, 0.655)])
        strength = 0.95 if person.lashes else 0.75
        c.fill(c.blur(upper, 0.006), lips * 0.86, strength)
        c.fill(c.blur(lower, 0.006), lips, strength)
        c.light(c.glow(-0.05, 0.66, 0.06) * lower, 0.26)
        seam = c.stroke([(-0.34, 0.482), (-0.27, 0.53), (-0.14, 0.597), (0, 0.617), (0.14, 0.597),
                         (0.27, 0.53), (0.34, 0.482)], 0.026, (0.3, 0.3))
        c.fill(seam, line * 0.7, 0.9)
    c.tint(c.blur(c.ellipse(0, 0.80 if person.smile != "open" else 0.87, 0.13, 0.03), 0.03), line,
           0.25)
    for side in (-1, 1):
        dimple = c.stroke([(side * 0.345, 0.43), (side * 0.39, 0.485), (side * 0.375, 0.555)], 0.02,
                          (0, 0))
        c.fill(c.blur(dimple, 0.008), line, 0.4)


# In front ---------------------------------------------------------------------------------------

def _extras(c, person):
    if person.glasses:
        _glasses(c, person)
    flower = person.extras.get("flower")
    if flower:
        x, y = 0.74, -0.72
        for k in range(6):
            a = k * np.pi / 3
            c.fill(c.ellipse(x + 0.12 * np.cos(a), y + 0.12 * np.sin(a), 0.09), hex_colour(flower))
        c.light(c.blur(c.ellipse(x + 0.05, y + 0.07, 0.14), 0.04), -0.1)
        c.fill(c.ellipse(x, y, 0.07), hex_colour("#f6d04d"))


def _glasses(c, person):
    frame = hex_colour(person.extras.get("frame", "#3b2a25"))
    for side in (-1, 1):
        x, y = side * 0.33, 0.0
        if person.glasses == "round":
            outer, inner = c.ellipse(x, y, 0.275, 0.27), c.ellipse(x, y, 0.24, 0.235)
        else:
            def box(r, s):
                return c.blob([(x - r, y - s * 0.6), (x - r * 0.75, y - s), (x + r * 0.75, y - s),
                               (x + r, y - s * 0.6), (x + r * 0.9, y + s * 0.6),
                               (x + r * 0.6, y + s), (x - r * 0.6, y + s),
                               (x - r * 0.9, y + s * 0.6)])
            outer, inner = box(0.29, 0.215), box(0.245, 0.17)
        c.light(c.blur(np.roll(outer - inner, int(0.03 * c.unit) + 1, axis=0), 0.02) * c.head, -0.2)
        c.light(inner, 0.06)
        c.light(inner * c.polygon([(x - 0.22, y + 0.1), (x + 0.02, y - 0.3), (x + 0.12, y - 0.3),
                                   (x - 0.14, y + 0.16)]), 0.13)
        c.fill(outer - inner * outer, frame)
        arm = c.stroke([(side * 0.59, -0.06), (side * 0.78, -0.08)], 0.05, (1, 1))
        c.fill(arm, frame * 0.85)
    c.fill(c.stroke([(-0.1, -0.04), (0, -0.075), (0.1, -0.04)], 0.04, (1, 1)), frame)


def _finish(c, person, transparent, grain):
    warm = c.glow(-1.2, -1.2, 2.2)[:, :, None] * np.array([0.035, 0.022, 0.0])
    c.pixels[:, :, :3] += warm
    if not transparent:
        y, x = np.mgrid[0:c.height, 0:c.width]
        d = np.hypot((x - c.width / 2) / c.width, (y - c.height / 2) / c.height)
        c.light(np.clip(d - 0.42, 0, 1), -0.5)
    np.clip(c.pixels, 0, 1, out=c.pixels)
    if grain:
        c.grain(grain, person.seed)
