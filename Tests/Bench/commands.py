"""The command-line peers: one process for the whole batch, so that start-up is shared by all pictures."""

from __future__ import annotations

import shlex
import shutil
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from PIL import Image, ImageCms

from geometry import Spec, canvas_mask, ring_canvas
from native import Native
from reference import SRGB

ONE_THREAD = {"VIPS_CONCURRENCY": "1", "MAGICK_THREAD_LIMIT": "1", "OMP_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Layers:
    """Files the commands composite with: the circle as an alpha mask, the ring, an sRGB profile."""

    mask: Path
    ring: Path
    profile: Path


class Assets:
    def __init__(self, folder: Path):
        self.folder = folder
        folder.mkdir(exist_ok=True)

    @cached_property
    def profile(self) -> Path:
        path = self.folder / "srgb.icc"
        path.write_bytes(ImageCms.ImageCmsProfile(SRGB).tobytes())
        return path

    def layers(self, spec: Spec) -> Layers:
        mask = self.folder / f"mask-{spec.size}-{spec.inset}.png"
        ring = self.folder / f"ring-{spec.size}-{spec.inset}.png"
        if not mask.exists():
            picture = Image.new("RGBA", (spec.size, spec.size), "white")
            picture.putalpha(Image.fromarray(canvas_mask(spec)))
            picture.save(mask)
            Image.fromarray(ring_canvas(spec)).save(ring)
        return Layers(mask, ring, self.profile)


def has_profile(file: Path) -> bool:
    with Image.open(file) as image:
        return bool(image.info.get("icc_profile"))


class Command:
    """A peer that is a program. `run` gives CPU seconds a picture; pictures land in OUT/0.png, 1.png, ..."""

    name = ""
    note = ""
    ring = True

    def available(self) -> bool:
        raise NotImplementedError

    def run(self, native: Native, files: list[Path], specs: tuple[Spec, ...], assets: Assets, out: Path) -> float:
        raise NotImplementedError


class VipsThumbnail(Command):
    name = "vipsthumbnail"
    note = "no ring: only the square thumbnail, less work"
    ring = False

    def available(self):
        return shutil.which("vipsthumbnail") is not None

    def run(self, native, files, specs, assets, out):
        cpu = 0.0
        for spec in specs:
            # libvips 8.14 takes untagged photos through its profile as well, and alters them.
            profile = ["--export-profile", "srgb"] if any(map(has_profile, files)) else []
            command = ["vipsthumbnail", "--size", f"{spec.side}x{spec.side}", "--smartcrop", "centre",
                       *profile, "-o", f"{out}/%s.png[strip]", *files]
            cpu += native.measure(command, environment=ONE_THREAD).cpu
        for index, file in enumerate(files):
            (out / f"{file.stem}.png").rename(out / f"{index}.png")
        return cpu / len(files)


class ImageMagick(Command):
    name = "imagemagick"
    note = "jpeg:size >= 2x"

    @cached_property
    def program(self):
        # The real program before a bare `convert`, which can be a wrapper.
        return next((name for name in ("magick", "convert-im6.q16", "convert") if shutil.which(name)), None)

    def available(self):
        return self.program is not None

    def run(self, native, files, specs, assets, out):
        (spec,) = specs
        layers = assets.layers(spec)
        side, hint, canvas = (f"{n}x{n}" for n in (spec.side, 2 * spec.side, spec.size))
        command = [self.program, "-define", f"jpeg:size={hint}",
                   "(", layers.mask, "-write", "mpr:mask", "+delete", ")",
                   "(", layers.ring, "-write", "mpr:ring", "+delete", ")"]
        for index, file in enumerate(files):
            command += ["(", file, "-auto-orient", "-filter", "Lanczos", "-resize", f"{side}^",
                        "-background", "none", "-gravity", "center", "-extent", side,
                        "-profile", layers.profile, "-strip", "-extent", canvas,
                        "mpr:mask", "-compose", "DstIn", "-composite"]
            if spec.ring_width:
                command += ["mpr:ring", "-compose", "Over", "-composite"]
            command += ["-depth", "8", "-compose", "Over", "-write", f"PNG32:{out}/{index}.png",
                        "+delete", ")"]
        return native.measure([*command, "xc:none", "null:"], environment=ONE_THREAD).cpu / len(files)


class GraphicsMagick(Command):
    name = "graphicsmagick"
    note = "-size >= 2x, one `gm batch`"

    def available(self):
        return shutil.which("gm") is not None

    def run(self, native, files, specs, assets, out):
        (spec,) = specs
        layers = assets.layers(spec)
        side, hint, canvas = (f"{n}x{n}" for n in (spec.side, 2 * spec.side, spec.size))
        lines = []
        for index, file in enumerate(files):
            target = f"PNG32:{out}/{index}.png"
            cut = "mpr:cut" if spec.ring_width else target
            lines += [["convert", "-size", hint, file, "-auto-orient", "-filter", "Lanczos", "-resize", f"{side}^",
                       "-background", "none", "-gravity", "center", "-extent", side,
                       "-profile", layers.profile, "-extent", canvas, "+profile", "*", "mpr:photo"],
                      ["composite", "-compose", "In", "mpr:photo", layers.mask, "-depth", "8", cut]]
            if spec.ring_width:
                lines += [["composite", "-compose", "Over", layers.ring, "mpr:cut", "-depth", "8", target]]
        script = "".join(shlex.join(map(str, line)) + "\n" for line in lines)
        command = ["gm", "batch", "-prompt", "off", "-stop-on-error", "on", "-"]
        return native.measure(command, stdin=script, environment=ONE_THREAD).cpu / len(files)


COMMANDS = [VipsThumbnail(), ImageMagick(), GraphicsMagick()]
