#!/usr/bin/env python3
"""Avatars as WebP beside PNG, and photos in formats besides JPEG, against Pillow. See README.md."""

from __future__ import annotations

import argparse
import io
import resource
import statistics
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

import sets

# Each photo is drawn this often, so that the start of the program counts little.
COPIES = 8
SIDES = (48, 96, 192, 256)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tondo", type=Path, default=sets.ROOT / ".build/release/tondo")
    parser.add_argument("--data", type=Path, help="the photo folder (default ../shared/data beside the project)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="6 photos, 2 rounds")
    options = parser.parse_args()
    if options.quick:
        options.rounds = 2
    return options


def processor_seconds(command: list[object]) -> float:
    """User and system time of a program and its processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if result.returncode:
        raise SystemExit(result.stderr)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def copies(files: list[Path], folder: Path) -> Path:
    """Different bytes, so that each one is drawn: every decoder ignores what follows the picture."""
    folder.mkdir()
    for turn in range(COPIES):
        for file in files:
            (folder / f"{turn}-{file.name}").write_bytes(file.read_bytes() + bytes([turn]))
    return folder


def draw(tondo: Path, photos: Path, out: Path, side: int, form: str) -> float:
    return processor_seconds([tondo, "convert", photos, "-o", out, "--size", side, "--format", form, "--force",
                              "--jobs", "1", "--quiet", "--sandbox", "off"])


def psnr(one: Path, other: Path) -> float:
    """dB of the pixels inside the circle."""
    a, b = (np.asarray(Image.open(file).convert("RGBA"), dtype=float) for file in (one, other))
    assert (a[..., 3] == b[..., 3]).all(), f"{one} has another alpha than {other}"
    inside = b[..., 3] == 255
    return 10 * np.log10(255**2 / np.square(a - b)[inside][:, :3].mean())


def outputs(options: argparse.Namespace, photos: Path, count: int, folder: Path) -> None:
    print("Output: each photo drawn as PNG and as WebP of quality 85, interleaved; CPU time in one process, its start included\n")
    print("| pixels | PNG | WebP | bytes, WebP / PNG (worst) | PSNR inside the circle, mean (least) |\n|---:|---:|---:|---:|---:|")
    for side in SIDES:
        times: dict[str, list[float]] = {"png": [], "webp": []}
        for _ in range(options.rounds):
            for form, measured in times.items():
                measured.append(draw(options.tondo, photos, folder / f"{form}-{side}", side, form) / count * 1000)
        pairs = [(file, folder / f"png-{side}" / (file.stem + ".png"))
                 for file in sorted((folder / f"webp-{side}").glob("0-*.webp"))]
        bytes_of = [(one.stat().st_size, other.stat().st_size) for one, other in pairs]
        share = sum(one for one, _ in bytes_of) / sum(other for _, other in bytes_of)
        quality = [psnr(*pair) for pair in pairs]
        png, webp = (statistics.median(times[form]) for form in ("png", "webp"))
        print(f"| {side} | {png:.2f} ms | {webp:.2f} ms | {share:.3f} ({max(a / b for a, b in bytes_of):.3f}) "
              f"| {statistics.mean(quality):.1f} dB ({min(quality):.1f}) |")


def pillow(files: list[Path], side: int) -> float:
    """Decode, scale, cut to a circle, encode as PNG at its usual level."""
    mask = Image.new("L", (4 * side, 4 * side), 0)
    from PIL import ImageDraw
    ImageDraw.Draw(mask).ellipse((0, 0, 4 * side - 1, 4 * side - 1), fill=255)
    mask = mask.resize((side, side), Image.Resampling.LANCZOS)
    before = resource.getrusage(resource.RUSAGE_SELF)
    for file in files:
        with Image.open(file) as image:
            image.draft("RGB", (side, side))
            picture = ImageOps.fit(ImageOps.exif_transpose(image).convert("RGBA"), (side, side), Image.Resampling.LANCZOS)
            picture.putalpha(mask)
            picture.save(io.BytesIO(), "PNG")
    after = resource.getrusage(resource.RUSAGE_SELF)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def inputs(options: argparse.Namespace, portraits: list[Path], folder: Path) -> None:
    print("\nInput: photos of 1024 pixels to PNGs of 96, CPU time a photo; the start of tondo included\n")
    print("| format | tondo | Pillow | Pillow / tondo |\n|---|---:|---:|---:|")
    for name, save in (("webp", {"quality": 85}), ("webp, lossless", {"lossless": True, "method": 0}), ("gif", {})):
        form = name.split(",")[0]
        made = folder / f"made-{name.replace(', ', '-')}"
        made.mkdir()
        files = []
        for portrait in portraits:
            files.append(made / f"{portrait.stem}.{form}")
            Image.open(portrait).convert("P" if form == "gif" else "RGB").save(files[-1], **save)
        photos = copies(files, folder / f"in-{made.name}")
        ours, theirs = [], []
        for _ in range(options.rounds):
            ours.append(draw(options.tondo, photos, folder / f"out-{made.name}", 96, "png") / len(files) / COPIES * 1000)
            theirs.append(pillow(files, 96) / len(files) * 1000)
        one, other = statistics.median(ours), statistics.median(theirs)
        print(f"| {name} | {one:.2f} ms | {other:.2f} ms | {other / one:.1f} |")


def main() -> None:
    options = parse()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        photos = sets.load(options.data, None, folder / "made", ("portraits-256", "portraits-1024"), options.quick).sets
        portraits = photos["portraits-256"] + photos["portraits-1024"]
        outputs(options, copies(portraits, folder / "portraits"), COPIES * len(portraits), folder)
        inputs(options, photos["portraits-1024"], folder)


if __name__ == "__main__":
    main()
