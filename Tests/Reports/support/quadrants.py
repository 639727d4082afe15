"""The picture of most photo cases: four quadrants, red, green, blue and yellow. `photos/inputs` has it coded."""
from pathlib import Path

from support import pictures

RED, GREEN, BLUE, YELLOW = (220, 40, 40), (40, 180, 60), (40, 70, 220), (230, 210, 40)
UPRIGHT = (RED, GREEN, BLUE, YELLOW)
"""Upper left, upper right, lower left, lower right."""
TURNED = (BLUE, RED, YELLOW, GREEN)
"""What orientation 6 makes of it: turned to the right."""
UPSIDE_DOWN = (YELLOW, BLUE, GREEN, RED)
INPUTS = Path(__file__).resolve().parent.parent / "photos/inputs"


def coded(name):
    """The bytes of a file of `photos/inputs`."""
    return (INPUTS / name).read_bytes()


def rows(side=64, colours=UPRIGHT):
    """Rows of pixels."""
    return [[colours[(2 * x >= side) + 2 * (2 * y >= side)] for x in range(side)] for y in range(side)]


def points(colours):
    """For `pictures.expect_drawn`."""
    return dict(zip([(.3, .3), (.7, .3), (.3, .7), (.7, .7)], colours))


def expect(trial, name, data, colours=UPRIGHT, *options, tolerance=8):
    """The photo with these bytes shows these quadrants."""
    path = trial.folder / name
    path.write_bytes(data)
    pictures.expect_drawn(trial, path, points(colours), *options, tolerance=tolerance)


def expect_refused(trial, name, data, *words):
    """The photo with these bytes is refused with these words."""
    path = trial.folder / name
    path.write_bytes(data)
    pictures.expect_refused(trial, path, *words)


def expect_warned(trial, name, data, word, colours=UPRIGHT):
    """The photo is drawn, and a warning has this word."""
    path = trial.folder / name
    path.write_bytes(data)
    avatar, text = pictures.draw(trial, path)
    trial.require(f"{name} is drawn ({text})", avatar is not None)
    trial.require(f"{text!r} has {word!r}", word in text)
    for (x, y), wanted in points(colours).items():
        near = avatar is not None and max(abs(a - b) for a, b in zip(avatar.at(x, y), wanted)) <= 8
        trial.require(f"{name} at {x}, {y} is {wanted}", near)
