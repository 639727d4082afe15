#!/usr/bin/env python3
"""Draws the coded pictures of this folder: four quadrants, red, green, blue and yellow. Needs Pillow 12 or newer and cjpeg
(libjpeg-turbo-progs). The cases change them at the level of markers and chunks, with the standard library alone."""
import io
import random
import subprocess
import sys
from pathlib import Path

from PIL import Image

HERE = Path(__file__).resolve().parent
COLOURS = ((220, 40, 40), (40, 180, 60), (40, 70, 220), (230, 210, 40))


def quadrants(side, texture=0):
    image = Image.new("RGB", (side, side))
    noise = random.Random(7)
    for y in range(side):
        for x in range(side):
            colour = COLOURS[(2 * x >= side) + 2 * (2 * y >= side)]
            image.putpixel((x, y), tuple(value + noise.randint(-texture, texture) for value in colour))
    return image


def inverted_inks(image):
    """CMYK without black, as JPEG stores it."""
    red, green, blue = image.split()
    return Image.merge("CMYK", [band.point(lambda value: 255 - value) for band in (red, green, blue)]
                       + [Image.new("L", image.size, 0)])


def cjpeg(image, *options):
    data = io.BytesIO()
    image.save(data, "PPM")
    return subprocess.run(["cjpeg", "-quality", "95", *options], input=data.getvalue(), capture_output=True, check=True).stdout


def main():
    small, gray = quadrants(64), quadrants(64).convert("L")
    small.save(HERE / "quadrants.jpg", quality=95, subsampling="4:2:0")
    gray.save(HERE / "gray.jpg", quality=95)
    inverted_inks(small).save(HERE / "inks.jpg", quality=95)
    small.save(HERE / "progressive.jpg", quality=95, progressive=True)
    (HERE / "restarts.jpg").write_bytes(cjpeg(small, "-sample", "1x1", "-restart", "2B"))
    (HERE / "restarts-progressive.jpg").write_bytes(cjpeg(small, "-progressive", "-restart", "4B"))
    (HERE / "arithmetic.jpg").write_bytes(cjpeg(small, "-arithmetic"))
    (HERE / "rgb.jpg").write_bytes(cjpeg(small, "-rgb"))
    # Large enough for the reader of low frequencies.
    large = quadrants(384, 9)
    large.save(HERE / "large.jpg", quality=75, subsampling="4:2:0")
    large.save(HERE / "large-progressive.jpg", quality=75, progressive=True)
    small.save(HERE / "lossy.webp", quality=90, method=4)
    small.save(HERE / "lossless.webp", lossless=True)
    clear = small.convert("RGBA")
    clear.putalpha(Image.new("L", small.size, 128))
    clear.save(HERE / "alpha.webp", quality=90, method=4)
    part = quadrants(32)
    frames = [Image.new("RGBA", (64, 64)), Image.new("RGBA", (64, 64), (9, 9, 9, 255))]
    frames[0].paste(part, (32, 32))
    frames[0].save(HERE / "animated.webp", save_all=True, append_images=frames[1:], lossless=True, duration=100)


if __name__ == "__main__":
    sys.exit(main())
