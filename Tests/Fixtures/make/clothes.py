"""The neck, shoulders and clothes of a portrait."""

import numpy as np

from .paint import hex_colour, mirrored, mix


def _shoulders(drop=0.0, width=1.0):
    right = [(0, 1.16 + drop), (0.3, 1.2 + drop), (0.72 * width, 1.42 + drop),
             (1.2 * width, 1.6 + drop), (1.52 * width, 1.9), (1.7 * width, 2.35),
             (1.79 * width, 3.0), (1.82 * width, 4.2), (1.82 * width, 6.5), (0, 6.5)]
    return mirrored(right)


def paint(c, person):
    """Everything below the chin."""
    skin, cloth = hex_colour(person.skin), hex_colour(person.clothes)
    second = hex_colour(person.second)
    neck = c.blob(mirrored([(0, 0.4), (0.36, 0.5), (0.355, 1.0), (0.44, 1.34), (0.8, 1.62),
                            (0.5, 2.0), (0, 2.1)]), tilt=0)
    body = c.blob(_shoulders(), tilt=0)
    under = person.outfit in ("jacket", "cardigan", "collar")
    if person.hairstyle == "scarf":
        c.fill(body, cloth)
        _cloth_light(c, body, cloth)
        return
    if under:
        c.fill(body, second)
        _cloth_light(c, body, second)
    else:
        c.fill(body, cloth)
        _cloth_light(c, body, cloth)
    if person.outfit == "turtleneck":
        c.fill(neck * (1 - c.ramp((0, 1.2), (0, 1.22))), skin * 0.86)
        roll = c.blob(mirrored([(0, 1.0), (0.36, 0.98), (0.42, 1.08), (0.44, 1.42), (0.3, 1.52),
                                (0, 1.55)]), tilt=0)
        c.fill(c.blur(roll, 0.03), cloth * 0.55, 0.5)
        c.fill(roll, cloth)
        for x in np.linspace(-0.36, 0.36, 9):
            rib = c.stroke([(x, 1.04), (x * 1.06, 1.45)], 0.022, tilt=0)
            c.light(rib, -0.12)
        c.light(c.ramp((-0.5, 1), (0.55, 1.2)) * roll, -0.22)
        return
    if person.outfit == "crew":
        opening = c.blob(mirrored([(0, 0.9), (0.5, 1.0), (0.56, 1.3), (0.36, 1.55), (0, 1.64)]),
                         tilt=0)
        band = c.blob(mirrored([(0, 0.9), (0.6, 1.0), (0.66, 1.33), (0.43, 1.63), (0, 1.74)]),
                      tilt=0)
        c.fill(band * body, cloth * 0.86)
    else:
        opening = c.blob(mirrored([(0, 0.9), (0.46, 1.0), (0.5, 1.28), (0.3, 1.5), (0, 1.58)]),
                         tilt=0)
    c.fill(np.minimum(neck, 1) * np.clip(opening + (1 - body), 0, 1), skin)
    shadow = c.blur(c.ellipse(0.05, 0.86, 0.56, 0.34, tilt=0), 0.1)
    c.tint(shadow * neck * np.clip(opening + (1 - body), 0, 1), mix(skin, [0.35, 0.12, 0.12], 0.5),
           0.55)
    if under:
        _open_layer(c, person, body, cloth)


def _cloth_light(c, body, cloth):
    c.light(c.ramp((-1.6, 1.4), (1.9, 2.8)) * body, -0.28)
    c.light(c.glow(-0.95, 1.75, 0.55) * body, 0.10)
    for side in (-1, 1):
        fold = c.stroke([(side * 0.95, 2.1), (side * 0.88, 2.6), (side * 0.98, 3.4)], 0.07, tilt=0)
        c.light(c.blur(fold, 0.025) * body, -0.25)


def _open_layer(c, person, body, cloth):
    """A jacket, cardigan or collar over the shirt."""
    gap = {"jacket": 0.42, "cardigan": 0.3, "collar": 0.0}[person.outfit]
    if gap:
        for side in (-1, 1):
            half = c.blob([(side * x, y) for x, y in (
                (0.34, 1.16), (0.8, 1.36), (1.3, 1.6), (1.62, 2.0), (1.75, 2.7), (1.8, 6.5),
                (gap * 0.55, 6.5), (gap * 0.62, 2.9), (gap, 2.1), (0.5, 1.55))], tilt=0)
            edge = c.blur(half, 0.04) * body
            c.light(np.clip(edge - half, 0, 1), -0.35)
            c.fill(half, cloth)
            _cloth_light(c, half, cloth)
            if person.outfit == "jacket":
                lapel = c.polygon([(side * x, y) for x, y in (
                    (0.33, 1.18), (0.62, 1.36), (0.84, 1.72), (0.66, 1.8), (0.7, 1.95),
                    (0.36, 2.5), (0.43, 2.0))], tilt=0)
                c.fill(np.clip(c.blur(lapel, 0.03) - lapel, 0, 1) * half, cloth * 0.4, 0.8)
                c.fill(lapel, cloth * 1.08)
    if person.outfit == "collar":
        c.fill(body * c.ramp((0, 1.0), (0, 1.2)), cloth)
        opening = c.blob(mirrored([(0, 0.9), (0.42, 1.0), (0.36, 1.28), (0.12, 1.66), (0, 1.8)]),
                         tilt=0)
        skin = hex_colour(person.skin)
        c.fill(opening, skin * 0.93)
        c.tint(c.blur(c.ellipse(0.05, 0.86, 0.56, 0.38, tilt=0), 0.1) * opening,
               mix(skin, [0.35, 0.12, 0.12], 0.5), 0.6)
        _cloth_light(c, body * (1 - opening), cloth)
        placket = c.stroke([(0, 1.75), (0, 4)], 0.028, (1, 1), tilt=0)
        c.light(placket, -0.3)
        for y in (2.05, 2.55):
            c.fill(c.ellipse(0.07, y, 0.035, tilt=0), mix(cloth, [1, 1, 1], 0.65))
        for side in (-1, 1):
            flap = c.polygon([(side * x, y) for x, y in (
                (0.4, 1.02), (0.62, 1.28), (0.5, 1.8), (0.02, 1.72), (0.3, 1.35))], tilt=0)
            c.fill(np.clip(c.blur(flap, 0.05) - flap, 0, 1), cloth * 0.35, 0.6)
            c.fill(flap, np.clip(cloth * (1.16 if side < 0 else 0.98), 0, 1))
