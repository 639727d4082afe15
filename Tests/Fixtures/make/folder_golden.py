"""golden/: pictures whose avatars must keep every byte. The avatars themselves are Tondo's."""

import os

import numpy as np

from . import pictures, png_writer
from .colour import to_bytes

ABOUT = """
`rgb.png` and `rgba.png` are drawn by `make_fixtures.py`: 8 bits a sample, no profile, so that no
library can change a pixel between its versions. `*.golden.png` are Tondo's avatars of them, which
must keep every byte: an address book that was drawn once is not drawn again, because the recipe
in its pictures still fits.

If the drawing was meant to change, raise `Recipe.rendererVersion` and make the goldens again:

    TONDO_MAKE_GOLDENS=1 swift test --filter GoldenTests
"""


def write(root):
    """Writes the inputs and the README; returns (number of pictures, bytes)."""
    folder = os.path.join(root, "golden")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "README.md"), "w") as file:
        file.write(ABOUT.lstrip())
    inputs = {"rgb.png": (2, to_bytes(pictures.card(150, 121))),
              "rgba.png": (6, to_bytes(pictures.card_with_alpha(117, 140)))}
    total = 0
    for name, (colour_type, picture) in inputs.items():
        data = png_writer.encode(np.asarray(picture), colour_type, 8, filters="best")
        total += len(data)
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
    return len(inputs), total
