#!/usr/bin/env python3
"""How close an avatar comes to the reference: PSNR inside the circle.

    quality.py OUTPUT.png PHOTO...      the picture against each photo
    quality.py FOLDER PHOTO...          FOLDER/STEM.png against the photo with that stem

Needs Pillow and numpy. See reference.py for what the reference is.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from pathlib import Path

from PIL import Image

from reference import psnr, reference


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path, help="a PNG, or a folder of them named after the photos")
    parser.add_argument("photos", type=Path, nargs="+", metavar="PHOTO")
    parser.add_argument("--inset", type=int, default=0,
                        help="pixels from the canvas's edge to the photo's square: ring width + gap (default 0)")
    parser.add_argument("--min", type=float, metavar="DB", help="exit with status 1 when a figure is below this")
    parser.add_argument("--min-median", type=float, metavar="DB", help="the same for the median")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of lines")
    options = parser.parse_args()

    figures = []
    for photo in options.photos:
        output = options.output / f"{photo.stem}.png" if options.output.is_dir() else options.output
        with Image.open(output) as image:
            if image.width != image.height:
                parser.error(f"{output} is not square: {image.width} x {image.height}")
            side = image.width - 2 * options.inset
        figures.append(psnr(output, reference(photo, side), options.inset))

    median = statistics.median(figures)
    if options.json:
        names = [str(photo) for photo in options.photos]
        print(json.dumps({"psnr": dict(zip(names, figures)), "median": median, "min": min(figures)}))
    else:
        for photo, figure in zip(options.photos, figures):
            print(f"{figure:7.2f} dB  {photo}")
        if len(figures) > 1:
            print(f"{median:7.2f} dB  median\n{min(figures):7.2f} dB  minimum")
    if options.min is not None and min(figures) < options.min:
        return 1
    if options.min_median is not None and median < options.min_median:
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
