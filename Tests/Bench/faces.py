#!/usr/bin/env python3
"""What the circle shows of faces: Tondo against autocrop, smartcrop and libvips, on labelled pictures. See README.md."""

from __future__ import annotations

import argparse
import ctypes
import io
import json
import os
import resource
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, NamedTuple

from PIL import Image, ImageOps

import sets

# The side of an avatar, in pixels.
SIDE = 96
# Of drawn pictures: longest sides of about 640 pixels.
SCALE = 2
DRAWN = sets.ROOT / ".build-bench/release/DrawnFaces"
# The eight directions in which the outline of a face is looked at, and how far it goes in half sides of the box.
DIRECTIONS = ((0, -1), (0.7, -0.7), (1, 0), (0.7, 0.7), (0, 1), (-0.7, 0.7), (-1, 0), (-0.7, -0.7))
OUTLINE = 0.94


class Square(NamedTuple):
    """Pixels of the upright photo."""
    x: float
    y: float
    side: float

    def holds(self, x: float, y: float) -> bool:
        """The circle in it does."""
        radius = self.side / 2
        return (x - self.x - radius) ** 2 + (y - self.y - radius) ** 2 <= radius ** 2


def square_in(x: float, y: float, width: float, height: float) -> Square:
    """The square in the middle of a rectangle."""
    side = min(width, height)
    return Square(x + (width - side) / 2, y + (height - side) / 2, side)


@dataclass(frozen=True)
class Picture:
    file: Path
    width: int
    height: int
    # box, crown and chin of each, the largest first.
    faces: list[dict]

    @property
    def centre(self) -> Square:
        return square_in(0, 0, self.width, self.height)

    @property
    def large_faces(self) -> list[dict]:
        """The largest face, and those of about its size."""
        return [face for face in self.faces if face["box"][3] >= 0.6 * self.faces[0]["box"][3]]

    def shown(self, square: Square) -> dict:
        """One of them that the circle holds whole, or else the largest."""
        return next((face for face in self.large_faces if is_whole(face, square)), self.faces[0])


def is_whole(face: dict, square: Square) -> bool:
    x, y, width, height = face["box"]
    return all(square.holds(x + width / 2 * (1 + OUTLINE * across), y + height / 2 * (1 + OUTLINE * down))
               for across, down in DIRECTIONS)


class Score:
    """What the circles of one contestant show."""

    def __init__(self, pictures: list[Picture], squares: list[Square | None]):
        self.people = self.nobody = self.missing = 0
        self.several = self.all_shown = self.cut_faces = self.cut_crowns = self.crowns = self.small_heads = self.moved = 0
        for picture, square in zip(pictures, squares, strict=True):
            self.missing += square is None
            self.add(picture, square or picture.centre)

    def add(self, picture: Picture, square: Square) -> None:
        if not picture.faces:
            self.nobody += 1
            # Two percent may be rounded.
            far = max(abs(a - b) for a, b in zip(square, picture.centre))
            self.moved += far > 0.02 * picture.centre.side
            return
        face = picture.shown(square)
        head = face["chin"][1] - face["crown"][1]
        self.people += 1
        self.cut_faces += not is_whole(face, square)
        self.small_heads += head < 0.35 * square.side
        if len(picture.large_faces) > 1:
            self.several += 1
            self.all_shown += all(is_whole(face, square) for face in picture.large_faces)
        # Photos that are too tight themselves have no crown to show.
        if face["crown"][1] > 0.1 * head:
            self.crowns += 1
            self.cut_crowns += not square.holds(*face["crown"])

    def row(self) -> str:
        def share(part: int, whole: int) -> str:
            return f"{100 * part / whole:.1f} %" if whole else "-"
        return " | ".join((share(self.cut_faces, self.people), share(self.cut_crowns, self.crowns),
                           share(self.small_heads, self.people), share(self.all_shown, self.several),
                           f"{self.moved} of {self.nobody}"))


# MARK: The pictures

def drawn(folder: Path, every: int) -> list[Picture]:
    """The drawn pictures, as JPEGs, which most photos of contacts are."""
    made, photos = folder / "drawn", folder / "photos"
    made.mkdir()
    photos.mkdir()
    subprocess.run([DRAWN, made, str(every), str(SCALE)], check=True)
    for file in made.glob("*.png"):
        with Image.open(file) as image:
            image.convert("RGB").save(photos / f"{file.stem}.jpg", quality=90)
    pictures = labelled(made, lambda file: photos / f"{Path(file).stem}.jpg")
    shutil.rmtree(made)
    return pictures


def labelled(folder: Path, place: Callable[[str], Path] | None = None) -> list[Picture]:
    """The pictures of a folder's labels.json."""
    labels = json.loads((folder / "labels.json").read_text())
    return [Picture(place(one["file"]) if place else folder / one["file"], one["width"], one["height"], one["faces"])
            for one in labels]


# MARK: Contestants

def processor_seconds(body: Callable[[], None]) -> float:
    """User and system time of this process, and of all processes that it starts, their children included."""
    # Whose parent ends without waiting for them are waited for here.
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)

    def now() -> float:
        both = [resource.getrusage(of) for of in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return sum(use.ru_utime + use.ru_stime for use in both)

    before = now()
    body()
    try:
        while True:
            os.wait()
    except ChildProcessError:
        return now() - before


def run(*command: object, **environment: str) -> str:
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                            env={**os.environ, **environment})
    if result.returncode:
        raise SystemExit(f"{command[0]}: {result.stderr[-500:]}")
    return result.stdout


def tondo_square(event: dict) -> Square:
    """From the event of a photo, or from the text of its avatar, as programs wrote it before their events had it."""
    if crop := event.get("crop"):
        by, square = crop["by"], Square(crop["x"], crop["y"], crop["side"])
    else:
        with Image.open(event["outputs"][0]["path"]) as avatar:
            by, numbers, *_ = avatar.text.get("tondo-crop", "centre 0,0,0").split()
        square = Square(*map(int, numbers.split(",")[:3]))
    if by == "centre":
        raise SystemExit("tondo has no face model: run `make build` with a network, or set TONDO_FACE_MODEL")
    return square


class Tondo:
    """In confined processes, as without options: only they find faces. They make files."""

    def __init__(self, program: Path, folder: Path):
        self.program, self.folder, self.name = program, folder, f"**Tondo** {run(program, '--version').split()[0]}"
        self.events: dict[str, dict] = {}

    def crop(self, files: list[Path]) -> None:
        out = self.folder / "tondo"
        shutil.rmtree(out, ignore_errors=True)
        lines = run(self.program, "convert", "-o", out, "--size", SIDE, "--jobs", 1, "--json", *files).splitlines()
        self.events = {event["input"]: event for event in map(json.loads, lines) if event.get("event") == "result"}

    def squares(self, files: list[Path], _: list[Picture]) -> list[Square | None]:
        return [tondo_square(self.events[str(file)]) for file in files]


class Vips:
    """Writes PNGs of the square; no circle."""

    def __init__(self, folder: Path):
        self.folder, self.name = folder / "vips", f"`vipsthumbnail`, attention ({run('vips', '--version').strip()})"
        self.folder.mkdir()

    def thumbnails(self, files: list[Path], form: str) -> None:
        run("vipsthumbnail", "--size", f"{SIDE}x{SIDE}", "--smartcrop", "attention", "-o", f"{self.folder}/%s.{form}",
            *files, VIPS_CONCURRENCY="1")

    def crop(self, files: list[Path]) -> None:
        self.thumbnails(files, "png")

    def squares(self, files: list[Path], pictures: list[Picture]) -> list[Square | None]:
        # Its own format keeps where the cut was, in pixels of the reduced photo.
        self.thumbnails(files, "v")
        made = [self.folder / f"{file.stem}.v" for file in files]
        offsets = [[int(word) for word in run("vipsheader", "-f", field, *made).split()]
                   for field in ("xoffset", "yoffset")]
        found: list[Square | None] = []
        for x, y, picture in zip(*offsets, pictures, strict=True):
            short = min(picture.width, picture.height)
            found.append(Square(-x * short / SIDE, -y * short / SIDE, short))
        return found


class InProcess:
    """A library of Python: reads a file, and makes a PNG of the square in memory; no circle."""

    def __init__(self, name: str, cut: Callable[[Path], tuple[Image.Image, Square] | None]):
        self.name, self.cut, self.found = name, cut, []

    def crop(self, files: list[Path]) -> None:
        self.found = []
        for file in files:
            result = self.cut(file)
            self.found.append(result[1] if result else None)
            if result:
                result[0].save(io.BytesIO(), "PNG")

    def squares(self, files: list[Path], _: list[Picture]) -> list[Square | None]:
        return self.found


def autocrop() -> InProcess:
    import autocrop
    import cv2
    cv2.setNumThreads(1)
    cropper = autocrop.Cropper(width=SIDE, height=SIDE)

    def cut(file: Path) -> tuple[Image.Image, Square] | None:
        result = cropper.crop(str(file))
        if result.image is None:
            return None
        place = result.diagnostics.crop_rectangle
        return Image.fromarray(result.image), square_in(place.x, place.y, place.width, place.height)
    return InProcess(f"autocrop {version('autocrop')}", cut)


def smartcrop() -> InProcess:
    import smartcrop
    cropper = smartcrop.SmartCrop()

    def cut(file: Path) -> tuple[Image.Image, Square]:
        with Image.open(file) as stored:
            image = ImageOps.exif_transpose(stored)
            top = cropper.crop(image, SIDE, SIDE)["top_crop"]
            x, y, width, height = (top[key] for key in ("x", "y", "width", "height"))
            picture = image.crop((x, y, x + width, y + height)).resize((SIDE, SIDE), Image.Resampling.LANCZOS)
            return picture, square_in(x, y, width, height)
    return InProcess(f"smartcrop {version('smartcrop')}", cut)


def version(package: str) -> str:
    from importlib.metadata import version
    return version(package)


def contestants(tondo: Path, folder: Path) -> list:
    """Those that are installed."""
    found: list = [Tondo(tondo, folder)] if tondo.is_file() else []
    for make in (autocrop, smartcrop):
        try:
            found.append(make())
        except ImportError as error:
            print(f"without {make.__name__}: {error}")
    if all(map(shutil.which, ("vips", "vipsthumbnail", "vipsheader"))):
        found.append(Vips(folder))
    else:
        print("without vipsthumbnail: not installed")
    return found


# MARK: Tables

def table(pictures: list[Picture], contestants: list) -> None:
    files = [picture.file for picture in pictures]
    print("| | face cut | crown cut | head under 35 % of the circle | several, all whole | moved without a face "
          "| finds no square | CPU a picture |\n|---|---:|---:|---:|---:|---:|---:|---:|")
    score = Score(pictures, [picture.centre for picture in pictures])
    print(f"| centre square | {score.row()} | | |")
    for contestant in contestants:
        # What is loaded first counts for none of them.
        contestant.crop(files[:1])
        seconds = processor_seconds(lambda: contestant.crop(files))
        score = Score(pictures, contestant.squares(files, pictures))
        print(f"| {contestant.name} | {score.row()} | {score.missing} | {seconds / len(files) * 1000:.2f} ms |", flush=True)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tondo", type=Path, default=sets.ROOT / ".build/release/tondo")
    parser.add_argument("--photos", type=Path, metavar="FOLDER", help="also photos of a folder with labels.json")
    parser.add_argument("--quick", action="store_true", help="a tenth of the drawn pictures")
    return parser.parse_args()


def main() -> None:
    options = parse()
    with tempfile.TemporaryDirectory(prefix="tondo-faces-") as name:
        folder = Path(name)
        taking_part = contestants(options.tondo.resolve(), folder)
        pictures = drawn(folder, 10 if options.quick else 1)
        print(f"What circles of {len(pictures)} drawn pictures show of faces; without a square, the centre is taken\n")
        table(pictures, taking_part)
        if options.photos:
            pictures = labelled(options.photos.resolve())
            print(f"\n{len(pictures)} photos of {options.photos.name}/\n")
            table(pictures, taking_part)


if __name__ == "__main__":
    main()
