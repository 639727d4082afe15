#!/usr/bin/env python3
"""Tondo against libvips, Pillow, OpenCV, ImageMagick and GraphicsMagick. See README.md."""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import re
import shutil
import statistics
import sys
import tempfile
from functools import lru_cache
from pathlib import Path

import numpy as np
from PIL import Image

import report
import sets
import targets
from commands import COMMANDS, Assets
from contestants import Before, Contestant, Floor, InProcess, Ours, Program, WithFaces, in_process, jpeg_scale
from geometry import NORMAL, SELECTED, SIX, RING, Spec, canvas_mask, ring_canvas
from native import Native
from peers import PEERS, versions
from reference import psnr, reference
from tondo import Tondo

ONE_128, ONE_144 = SELECTED, Spec(144, **RING)
SIX_PEERS = ("pyvips", "pyvips-load", "pillow", "opencv")


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tondo", type=Path, default=sets.ROOT / ".build/release/tondo",
                        help="the program (default .build/release/tondo); without it only the peers run")
    parser.add_argument("--before", type=Path, metavar="PATH", help="another build of the program, in the same rounds")
    parser.add_argument("--data", type=Path, help="the photo folder (default ../shared/data beside the project)")
    parser.add_argument("--samples", type=Path, help="make the sets from this folder's JPEGs instead")
    parser.add_argument("--sets", default=",".join(sets.NAMES), help="comma-separated: %(default)s")
    parser.add_argument("--peers", help="comma-separated names; default: all that are installed")
    parser.add_argument("--rounds", type=int, help="rounds after the warm-up (default 7; 2 with --quick)")
    parser.add_argument("--quick", action="store_true", help="6 photos a set, 2 rounds, no 100 MP photo, no --jobs")
    parser.add_argument("--no-extras", action="store_true", help="no start time, peak RSS, --jobs and stages")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything measured")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables of docs/benchmarks.md")
    options = parser.parse_args()
    options.rounds = options.rounds or (2 if options.quick else 7)
    options.sets = tuple(name for name in options.sets.split(",") if name)
    for name in options.sets:
        if name not in sets.NAMES:
            parser.error(f"no set {name}; there are {', '.join(sets.NAMES)}")
    if options.before and not options.before.is_file():
        parser.error(f"not a program: {options.before}")
    for folder in (options.data, options.samples):
        if folder and not folder.is_dir():
            parser.error(f"not a folder: {folder}")
    return options


def cpu_name() -> str:
    """The processor's maker and family, without model numbers."""
    try:
        model = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.M).group(1)
        words = [word for word in re.sub(r"\(.*?\)|@.*", "", model).split() if not re.search(r"\d", word)]
        words = [word for word in words if word.lower() not in ("cpu", "processor")]
        return f"{' '.join(words)}, {platform.machine()}"
    except (OSError, AttributeError):
        return platform.machine()


@lru_cache(maxsize=None)
def reference_128(file: Path) -> np.ndarray:
    return reference(file, NORMAL.size)


def alpha_error(pictures: list[Path]) -> int:
    """How far the alpha of ring pictures of opaque photos is from the coverage of circle and ring."""
    expected = canvas_mask(SELECTED).astype(int) + ring_canvas(SELECTED)[..., 3]
    worst = 0
    for picture in pictures:
        with Image.open(picture) as image:
            actual = np.asarray(image.convert("RGBA"))[..., 3].astype(int)
        worst = max(worst, int(np.abs(actual - expected).max()) if actual.shape == expected.shape else 255)
    return worst


class Bench:
    def __init__(self, options: argparse.Namespace, folder: Path):
        self.options, self.folder = options, folder
        self.native = Native(folder)
        self.assets = Assets(folder / "assets")
        self.photos = sets.load(options.data, options.samples, folder / "photos", options.sets, options.quick)
        self.tondo = Tondo(options.tondo, self.native, folder / "tondo") if options.tondo.is_file() else None
        self.before = Tondo(options.before, self.native, folder / "before") if options.before else None
        self.wanted = set(options.peers.split(",")) if options.peers else None

    def chosen(self, name: str) -> bool:
        return self.wanted is None or name in self.wanted

    def contestants(self, files: list[Path]) -> list[Contestant]:
        ours = [Ours(self.tondo), WithFaces(self.tondo)] if self.tondo else []
        ours += [Before(self.before)] if self.before else []
        inside = [peer for peer in in_process(files) if self.chosen(peer.name)]
        outside = [Program(command, self.native, self.assets, self.folder) for command in COMMANDS
                   if self.chosen(command.name) and command.available()]
        return [*ours, *inside, *outside, Floor(self.native, jpeg_scale(files[0], 2))]

    def rounds(self, jobs: dict) -> dict:
        """`jobs`: key -> function giving a figure. One warm-up, then A B C ... A B C ..."""
        figures: dict = {key: [] for key in jobs}
        for turn in range(self.options.rounds + 1):
            for key, job in jobs.items():
                figure = job()
                if turn:
                    figures[key].append(figure)
        return figures

    def quality(self, contestant: Contestant, files: list[Path], row: dict) -> None:
        folder = self.folder / "pictures"
        made = {}
        for label, spec in (("normal", NORMAL), ("selected", SELECTED)):
            out = folder / label
            shutil.rmtree(out, ignore_errors=True)
            out.mkdir(parents=True)
            made[label] = contestant.pictures(files, spec, out)
        figures = [psnr(picture, reference_128(file)) for picture, file in zip(made["normal"], files)]
        row["psnr"] = {"median": statistics.median(figures), "min": min(figures)}
        sizes = [picture.stat().st_size for picture in made["selected"]]
        libpng = self.native.png_sizes(made["selected"])
        row["png"] = {"total": sum(sizes) / sum(libpng), "max": max(a / b for a, b in zip(sizes, libpng)),
                      "mean_bytes": sum(sizes) / len(sizes)}
        if contestant.kind == "tondo":
            row["alpha_error"] = alpha_error(made["selected"]) if files[0].suffix != ".png" else 0

    def one_set(self, name: str, files: list[Path]) -> dict:
        contestants = self.contestants(files)
        jobs = {c.name: (lambda c=c: c.time(files, (SELECTED,))) for c in contestants}
        singles = []
        if self.tondo:
            def single():
                cost = self.tondo.convert(files[:1], SELECTED, self.tondo.out("single"))
                singles.append(cost)
                return cost.cpu * 1e3
            jobs["tondo, one file"] = single
        figures = self.rounds(jobs)
        rows = []
        for contestant in contestants:
            row = {"name": contestant.name, "kind": contestant.kind, "note": contestant.note, "ring": contestant.ring,
                   "fast_png": contestant.fast_png, "ms": figures[contestant.name], "psnr": None, "png": None}
            if contestant.is_judged:
                self.quality(contestant, files, row)
            if contestant.kind == "tondo":
                row["single_ms"] = figures["tondo, one file"]
                row["single_wall_ms"] = [cost.wall * 1e3 for cost in singles[1:]]
            rows.append(row)
        return {"files": len(files), "rows": rows}

    def six(self, files: list[Path]) -> list[dict]:
        makers = [lambda peer=peer: InProcess(peer) for peer in PEERS
                  if peer.name in SIX_PEERS and self.chosen(peer.name)]
        if self.tondo:
            makers.insert(0, lambda: Ours(self.tondo))
        jobs, names = {}, []
        for make in makers:
            names.append(make().name)
            for key, specs in (("six", SIX), ("one-144", (ONE_144,)), ("one-128", (ONE_128,))):
                contestant = make()
                jobs[names[-1], key] = lambda c=contestant, specs=specs: c.time(files, specs)
        figures = self.rounds(jobs)
        return [{"name": name, **{key: figures[name, key] for key in ("six", "one-144", "one-128")}} for name in names]

    def extras(self) -> dict:
        found: dict = {}
        if not self.tondo or self.options.no_extras:
            return found
        found["start_ms"] = [self.tondo.start().wall * 1e3 for _ in range(21)][1:]
        stages = {name: self.tondo.stages(files, SELECTED) for name, files in self.photos.sets.items()
                  if name != "six-renditions"}
        found["stages"] = {name: times for name, times in stages.items() if times}
        found["instructions"] = {name: self.tondo.instructions(files[:4], SELECTED)
                                 for name, files in self.photos.sets.items() if name != "six-renditions"}
        if self.options.quick:
            return found
        found["jobs"] = {}
        for name in ("portraits-1024", "phone-12mp"):
            files = self.photos.sets.get(name)
            if files:
                batch = self.tondo.batch(files, 12)
                jobs = {n: (lambda n=n: self.tondo.convert(batch, SELECTED, self.tondo.out("jobs"), jobs=n).wall)
                        for n in (1, 2)}
                figures = self.rounds(jobs)
                found["jobs"][name] = targets.ratios(figures[1], figures[2])
        large = sets.make_100mp(next(iter(self.photos.sets.values())), self.folder)
        found["rss_kb"] = {"tondo": self.tondo.convert([large], SELECTED, self.tondo.out("large")).rss,
                           "floor": self.native.measure([self.folder / "floor", "-s", "8", large]).rss}
        if shutil.which("vipsthumbnail"):
            found["rss_kb"]["vipsthumbnail"] = self.native.measure(
                ["vipsthumbnail", "--size", "128x128", "--smartcrop", "centre", "-o", f"{self.folder}/%s-thumb.png",
                 large], environment={"VIPS_CONCURRENCY": "1"}).rss
        return found

    def run(self) -> dict:
        options = self.options
        results = {"date": datetime.date.today().isoformat(), "cores": os.cpu_count(), "cpu": cpu_name(),
                   "rounds": options.rounds, "quick": options.quick, "source": self.photos.source,
                   "load": [os.getloadavg()[0]], "versions": versions(), "sets": {}}
        if self.tondo:
            results["versions"] = {"tondo": self.tondo.version(), **results["versions"]}
        print(f"{results['date']}, {results['cores']} cores ({results['cpu']}), {options.rounds} rounds, "
              f"load {results['load'][0]:.1f}\nphotos: {results['source']}\n"
              f"{', '.join(results['versions'].values())}" + ("" if self.tondo else "\nno tondo: only the peers run"))
        for name, files in self.photos.sets.items():
            if name == "six-renditions":
                results["six"] = self.six(files)
                text = report.six_table(results["six"])
            else:
                results["sets"][name] = self.one_set(name, files)
                text = report.set_table(name, results["sets"][name])
            print(f"\n{text}", flush=True)
        results["extras"] = self.extras()
        results["load"].append(os.getloadavg()[0])
        results["targets"] = targets.judge(results)
        if results["extras"]:
            print(f"\n{report.extras_text(results['extras'])}")
        if results["targets"]:
            print(f"\n{report.verdict_table(results['targets'])}")
        print(f"\nload at the end {results['load'][1]:.1f}")
        return results


def main() -> int:
    options = parse()
    # In memory where possible: the in-process peers write no files, so no disk shall be measured.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="tondo-bench-", dir=memory) as folder:
        results = Bench(options, Path(folder)).run()
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n")
    if options.markdown:
        options.markdown.write_text(report.markdown(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
