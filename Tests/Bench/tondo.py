"""Calling tondo: every command line the benchmark uses is here."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

from geometry import SIX, Spec
from native import Cost, Native

# How several sizes and states are asked for in one run, in the order tried.
SIX_FORMS = [["--size", "48,96,144", "--state", "normal,selected"],
             ["--size", "48", "--size", "96", "--size", "144", "--state", "normal", "--state", "selected"],
             ["--size", "48,96,144", "--state", "both"],
             ["--size", "48,96,144", "--state", "all"]]


def ring_options(spec: Spec) -> list[str]:
    if not spec.ring_width:
        return []
    return ["--ring-width", str(spec.ring_width), "--ring-gap", str(spec.ring_gap),
            "--ring-color", "#%02X%02X%02X" % spec.ring_color]


class Tondo:
    def __init__(self, program: Path, native: Native, folder: Path):
        self.program = program.resolve()
        self.native = native
        self.folder = folder
        self.six_form: list[str] | None = None
        # Builds of before the search for faces know the centre alone.
        self.has_crops = "--crop" in native.measure([self.program, "convert", "--help"]).stdout
        folder.mkdir(exist_ok=True)

    def crop(self, name: str) -> list[str]:
        return ["--crop", name] if self.has_crops else []

    def version(self) -> str:
        return self.native.measure([self.program, "--version"]).stdout.strip().splitlines()[0]

    def start(self) -> Cost:
        return self.native.measure([self.program, "--version"])

    def batch(self, files: list[Path], repeat: int) -> list[Path]:
        """The same photos `repeat` times under different names, as links."""
        folder = self.folder / f"in-{abs(hash((tuple(files), repeat)))}"
        links = [folder / f"{turn}-{file.name}" for turn in range(repeat) for file in files]
        if not folder.exists():
            folder.mkdir()
            for link, file in zip(links, [file for _ in range(repeat) for file in files]):
                link.symlink_to(file.resolve())
        return links

    def out(self, name: str) -> Path:
        folder = self.folder / f"out-{name}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        return folder

    def convert(self, files: list[Path], spec: Spec, out: Path, jobs: int = 1, extra: tuple[str, ...] = ("--quiet",),
                count: bool = True, crop: str = "centre") -> Cost:
        """One rendition of each file: OUT/STEM.png. Peers look for no faces, so the crop compared with theirs is the centre."""
        state = "selected" if spec.ring_width else "normal"
        cost = self.native.measure([self.program, "convert", "-o", out, "--size", spec.size, "--scale", "1",
                                    "--state", state, *ring_options(spec), *self.crop(crop), "--jobs", jobs, "--force", *extra,
                                    *files])
        if count:
            self.expect(out, len(files))
        return cost

    def convert_six(self, files: list[Path], out: Path) -> Cost:
        """Three sizes in two states of each file."""
        forms = [self.six_form] if self.six_form else SIX_FORMS
        problems = []
        for form in forms:
            cost = self.native.measure([self.program, "convert", "-o", out, *form, "--scale", "1",
                                        *ring_options(SIX[1]), *self.crop("centre"), "--jobs", "1", "--force", "--quiet", *files], check=False)
            made = len(list(out.glob("*.png")))
            if cost.status == 0 and made == len(SIX) * len(files):
                self.six_form = form
                return cost
            problems.append(f"{' '.join(form)}: status {cost.status}, {made} files. {cost.stderr.strip()[:200]}")
            out = self.out("six")
        raise RuntimeError("six renditions in one run: no form of the options works\n" + "\n".join(problems))

    def instructions(self, files: list[Path], spec: Spec) -> float | None:
        """Million instructions a picture, without the start of the program: a run with all files, each twice, less one with a single file.
        The worker is a part of the program here: valgrind cannot follow it into its sandbox."""
        program, out = self.folder / "stripped", self.out("instructions")
        # Valgrind does not read the debug information of all compilers.
        subprocess.run(["strip", "-o", program, self.program], check=True)
        command = [program, "convert", "-o", out, "--size", spec.size, "--scale", "1", "--state", "selected",
                   *ring_options(spec), *self.crop("centre"), "--jobs", "1", "--force", "--quiet", "--sandbox", "off"]
        links = self.batch(files, 2)
        first = self.native.instructions([*command, links[0]])
        return first and (self.native.instructions([*command, *links]) - first) / (len(links) - 1) / 1e6

    def stages(self, files: list[Path], spec: Spec) -> dict[str, float] | None:
        """Milliseconds per avatar by stage, if `convert --json` reports them."""
        try:
            cost = self.convert(files, spec, self.out("stages"), extra=("--json",), count=False)
        except RuntimeError:
            return None
        return stage_times(cost.stdout, len(files))

    @staticmethod
    def expect(out: Path, count: int) -> None:
        made = len(list(out.glob("*.png")))
        if made != count:
            raise RuntimeError(f"tondo made {made} pictures of {count}")


STAGE_KEYS = {"stages", "timings", "timing", "times", "milliseconds", "time_ms", "stage_ms", "stagesms", "timingsms"}


def stage_times(text: str, pictures: int) -> dict[str, float] | None:
    """Sums every object of numbers found under a key that names stages, from JSON or JSON lines. Figures
    are taken to be milliseconds, unless the key or the stage's name says seconds or microseconds."""
    try:
        documents = [json.loads(text)]
    except ValueError:
        try:
            documents = [json.loads(line) for line in text.splitlines() if line.strip()]
        except ValueError:
            return None
    totals: dict[str, float] = {}

    def visit(value, key=""):
        if isinstance(value, list):
            for item in value:
                visit(item, key)
        elif isinstance(value, dict):
            numbers = {k: v for k, v in value.items() if isinstance(v, (int, float)) and not isinstance(v, bool)}
            if numbers and key.replace("_", "").lower() in {k.replace("_", "") for k in STAGE_KEYS}:
                for name, number in numbers.items():
                    lower = name.lower()
                    factor = 1e3 if lower.endswith("seconds") and "milli" not in lower and "micro" not in lower \
                        else 1e-3 if lower.endswith(("us", "microseconds")) else 1
                    totals[name] = totals.get(name, 0) + number * factor
            else:
                for k, item in value.items():
                    visit(item, k)

    for document in documents:
        visit(document)
    return {name: total / pictures for name, total in totals.items()} or None
