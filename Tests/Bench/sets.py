"""The sets of photos: from the data folder, or enlarged from the project's own samples."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data"
SAMPLES = ROOT / "assets" / "samples"
NAMES = ("portraits-256", "portraits-1024", "phone-12mp", "progressive-18mp", "png-rgba", "six-renditions")


@dataclass(frozen=True)
class Photos:
    """Files by set, and one line on where they come from."""

    sets: dict[str, list[Path]]
    source: str


def load(data: Path | None, samples: Path | None, folder: Path, names: tuple[str, ...], quick: bool) -> Photos:
    """The sets asked for. What has to be made is made in `folder`."""
    folder.mkdir(exist_ok=True)
    if data is None and samples is None and DATA.is_dir():
        data = DATA
    if data is not None:
        sets = from_data(data)
        source = f"data folder ({data.resolve().name}/)"
    else:
        sets = from_samples(samples or SAMPLES, folder, names)
        source = "the project's own samples, enlarged: smoother than real photos, so decoding is quicker"
    if quick:
        sets = {name: files[:6] for name, files in sets.items()}
    if "png-rgba" in names:
        sets["png-rgba"] = make_rgba(sets["portraits-1024"], folder / "png-rgba")
    sets["six-renditions"] = sets["portraits-1024"]
    for name in names:
        if not sets[name]:
            raise SystemExit(f"no photos for the set {name}")
    return Photos({name: sets[name] for name in names}, source)


def from_data(data: Path) -> dict[str, list[Path]]:
    return {"portraits-256": sorted((data / "portraits").glob("*-256.jpg")),
            "portraits-1024": sorted((data / "portraits").glob("*-1024.jpg")),
            "phone-12mp": sorted((data / "phone").glob("phone-*.jpg")),
            "progressive-18mp": sorted((data / "phone").glob("progressive-*.jpg"))}


def from_samples(samples: Path, folder: Path, names: tuple[str, ...]) -> dict[str, list[Path]]:
    originals = sorted(file for kind in ("*.jpg", "*.jpeg") for file in samples.rglob(kind))
    if not originals:
        raise SystemExit(f"no data folder and no JPEG in {samples.name}/: give --data DIR or --samples DIR")
    sets: dict[str, list[Path]] = {name: [] for name in NAMES}
    for index, original in enumerate(originals):
        with Image.open(original) as image:
            picture = ImageOps.exif_transpose(image).convert("RGB")
        for side in (256, 1024):
            file = folder / f"sample-{index}-{side}.jpg"
            ImageOps.fit(picture, (side, side), Image.Resampling.BICUBIC).save(file, quality=88)
            sets[f"portraits-{side}"].append(file)
        if index < 3 and "phone-12mp" in names:
            file = folder / f"phone-{index}.jpg"
            exif = Image.Exif()
            exif[0x0112] = 6
            grainy(ImageOps.fit(picture, (4032, 3024), Image.Resampling.BICUBIC), index).save(
                file, quality=90, exif=exif)
            sets["phone-12mp"].append(file)
        if index < 1 and "progressive-18mp" in names:
            file = folder / f"progressive-{index}.jpg"
            ImageOps.fit(picture, (5250, 3450), Image.Resampling.BICUBIC).save(
                file, quality=80, subsampling=0, progressive=True)
            sets["progressive-18mp"].append(file)
    return sets


def grainy(picture: Image.Image, seed: int) -> Image.Image:
    """An enlarged picture compresses to nothing; a sensor's grain makes its entropy-coded data real again."""
    pixels = np.asarray(picture).astype(np.int16)
    grain = np.random.default_rng(seed).normal(0, 4, pixels.shape[:2])
    pixels += np.rint(grain).astype(np.int16)[..., None]
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))


def make_rgba(portraits: list[Path], folder: Path) -> list[Path]:
    """Cut-outs of the portraits: sides 512...650, alpha a soft-edged oval, colours kept below it."""
    folder.mkdir(exist_ok=True)
    files = []
    for index, portrait in enumerate(portraits):
        side = 512 + round(index * 138 / max(1, len(portraits) - 1))
        with Image.open(portrait) as image:
            picture = image.convert("RGB").resize((side, side), Image.Resampling.LANCZOS)
        axis = (np.arange(side) + 0.5) / side * 2 - 1
        distance = np.hypot(axis[None, :] / 0.78, axis[:, None] / 0.94)
        alpha = np.clip((1 - distance) / 0.06 + 0.5, 0, 1)
        picture.putalpha(Image.fromarray(np.rint(alpha * 255).astype(np.uint8)))
        file = folder / f"{portrait.stem}-rgba.png"
        picture.save(file)
        files.append(file)
    return files


def make_100mp(photos: list[Path], folder: Path) -> Path:
    """A baseline JPEG of 10000 x 10000 pixels, 4:2:0, tiled from photos."""
    tiles = []
    for photo in photos[:8]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(photo) as image:
                tiles.append(ImageOps.fit(image.convert("RGB"), (1000, 1000)))
    picture = Image.new("RGB", (10000, 10000))
    for row in range(10):
        for column in range(10):
            picture.paste(tiles[(row * 3 + column) % len(tiles)], (column * 1000, row * 1000))
    file = folder / "baseline-100mp.jpg"
    picture.save(file, quality=85, subsampling=2, progressive=False)
    return file
