"""Lays finished avatars side by side: the picture at the top of the README.

    tondo convert assets/samples --output FOLDER --size 104 --state normal,selected
    python3 Tests/Fixtures/make/sheet.py FOLDER assets/faces.png
"""

import sys
from pathlib import Path

from PIL import Image

GAP = 16


def sheet(folder, target):
    """Normal faces above, selected ones below; transparent around them."""
    rows = [sorted(Path(folder).glob(f"*-{state}.png")) for state in ("normal", "selected")]
    faces = [[Image.open(path).convert("RGBA") for path in row] for row in rows]
    side = faces[0][0].width
    step = side + GAP
    picture = Image.new("RGBA", (len(faces[0]) * step - GAP, len(faces) * step - GAP))
    for y, row in enumerate(faces):
        for x, face in enumerate(row):
            picture.paste(face, (x * step, y * step))
    picture.save(target, optimize=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sheet(sys.argv[1], sys.argv[2])
