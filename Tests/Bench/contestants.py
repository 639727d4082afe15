"""Whatever is timed in a round, behind one interface: seconds of CPU a picture, and pictures to judge."""

from __future__ import annotations

import math
import shutil
import time
from pathlib import Path

from PIL import Image

from commands import Assets, Command
from geometry import SELECTED, Spec
from native import Native
from peers import PEERS, Peer, decode_scale
from tondo import Tondo

# Seconds of CPU a contestant works in a round, by going over the set again. Tondo's start counts, and that of Python does not: it is
# 2 to 4 % of such a run, and was 7 to 13 % of runs of 0.3 s, which no batch of photos is.
AT_LEAST = 1.0
MOST_TURNS = 100


def turns_for(seconds_a_turn: float) -> int:
    return max(1, min(MOST_TURNS, math.ceil(AT_LEAST / max(seconds_a_turn, 1e-6))))


class Contestant:
    kind = "peer"
    name = note = ""
    ring = True
    fast_png = False
    # Whether its pictures are compared with the reference.
    is_judged = True

    def __init__(self):
        self.turns = 0

    def time(self, files: list[Path], specs: tuple[Spec, ...]) -> float:
        """CPU milliseconds a photo. The first call is the warm-up and settles the number of turns."""
        if not self.turns:
            seconds = self.seconds(files, specs, 1)
            self.turns = turns_for(seconds * len(files))
            return seconds * 1e3
        return self.seconds(files, specs, self.turns) * 1e3

    def seconds(self, files: list[Path], specs: tuple[Spec, ...], turns: int) -> float:
        raise NotImplementedError

    def pictures(self, files: list[Path], spec: Spec, folder: Path) -> list[Path]:
        """One PNG a photo, in `folder`."""
        raise NotImplementedError


class InProcess(Contestant):
    def __init__(self, peer: Peer):
        super().__init__()
        self.peer, self.name, self.note, self.fast_png = peer, peer.name, peer.note, peer.fast_png

    def seconds(self, files, specs, turns):
        start = time.process_time()
        for _ in range(turns):
            for file in files:
                self.peer.render(file, specs)
        return (time.process_time() - start) / (turns * len(files))

    def pictures(self, files, spec, folder):
        made = []
        for index, file in enumerate(files):
            made.append(folder / f"{index}.png")
            made[-1].write_bytes(self.peer.render(file, (spec,))[0])
        return made


class Program(Contestant):
    def __init__(self, command: Command, native: Native, assets: Assets, folder: Path):
        super().__init__()
        self.command, self.native, self.assets, self.folder = command, native, assets, folder
        self.name, self.note, self.ring = command.name, command.note, command.ring
        self.turns = 1

    def seconds(self, files, specs, turns):
        out = self.folder / f"command-{self.name}"
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        return self.command.run(self.native, files, specs, self.assets, out)

    def pictures(self, files, spec, folder):
        self.command.run(self.native, files, (spec,), self.assets, folder)
        return [folder / f"{index}.png" for index in range(len(files))]


class Ours(Contestant):
    kind = "tondo"
    name = "tondo"
    note = "one run for the whole batch, start-up included"

    def __init__(self, tondo: Tondo):
        super().__init__()
        self.tondo = tondo

    def seconds(self, files, specs, turns):
        batch = self.tondo.batch(files, turns)
        if len(specs) > 1:
            cost = self.tondo.convert_six(batch, self.tondo.out("six"))
        else:
            cost = self.tondo.convert(batch, specs[0], self.tondo.out("time"))
        return cost.cpu / len(batch)

    def pictures(self, files, spec, folder):
        links = self.tondo.batch(files, 1)
        self.tondo.convert(links, spec, folder)
        return [folder / f"{link.stem}.png" for link in links]


class WithFaces(Ours):
    """By default photos are cropped to faces, which no peer looks for: what that costs."""

    kind = "faces"
    name = "tondo, faces"
    note = "cropped to the face, as without --crop"
    # The reference is the centre of the photo.
    is_judged = False

    def seconds(self, files, specs, turns):
        batch = self.tondo.batch(files, turns)
        return self.tondo.convert(batch, specs[0], self.tondo.out("time"), crop="face").cpu / len(batch)


class Before(Ours):
    """Another build, with the crop to the centre."""

    kind = "before"
    name = "before"
    note = "the build of --before"


class Floor(Contestant):
    kind = "floor"
    is_judged = False
    name = "floor"

    def __init__(self, native: Native, scale: int | None):
        super().__init__()
        self.native, self.scale = native, scale or 1
        self.note = f"only decodes, libjpeg at 1/{scale}" if scale else "only decodes, libpng"

    def seconds(self, files, specs, turns):
        return self.native.floor(files, self.scale, turns)


def jpeg_scale(file: Path, gap: float, spec: Spec = SELECTED) -> int | None:
    """The scale 1/N at which a JPEG leaves `gap` times the target; nothing for other formats."""
    with Image.open(file) as image:
        return decode_scale(min(image.size), spec.side, gap) if image.format == "JPEG" else None


def in_process(files: list[Path]) -> list[InProcess]:
    """The peers that make sense for a set: one that settles for a smaller decode only where there is one."""
    careful = jpeg_scale(files[0], 2)
    return [InProcess(peer) for peer in PEERS if peer.gap == 2 or jpeg_scale(files[0], peer.gap) != careful]
