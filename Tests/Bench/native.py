"""The C helpers: compiled into a temporary folder, and called."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIBRARIES = {"floor": ["-ljpeg", "-lpng"], "pngsize": ["-lpng"], "measure": []}


@dataclass(frozen=True)
class Cost:
    """What one run of a command cost."""

    status: int
    cpu: float
    wall: float
    rss: int
    stdout: str
    stderr: str


class Native:
    def __init__(self, folder: Path):
        self.folder = folder
        for name, libraries in LIBRARIES.items():
            compiler = os.environ.get("CC", "cc")
            subprocess.run([compiler, "-O2", "-o", folder / name, HERE / f"{name}.c", *libraries], check=True)

    def measure(self, command: list, stdin: str | None = None, environment: dict | None = None,
                check: bool = True) -> Cost:
        """Runs `command` and returns its CPU seconds (user + system), wall seconds, peak RSS in KB, output."""
        report = self.folder / "measure.txt"
        report.unlink(missing_ok=True)
        done = subprocess.run([self.folder / "measure", report, *map(str, command)], input=stdin, text=True,
                              capture_output=True, env={**os.environ, **(environment or {})})
        status, user, system, wall, rss = report.read_text().split()
        cost = Cost(int(status), float(user) + float(system), float(wall), int(rss), done.stdout, done.stderr)
        if check and cost.status:
            shown = " ".join(map(str, command[:12])) + (" ..." if len(command) > 12 else "")
            raise RuntimeError(f"exit status {cost.status}: {shown}\n{cost.stderr.strip()[:2000]}")
        return cost

    def instructions(self, command: list) -> int | None:
        """Instructions of a command in user mode, in one process; None without valgrind. They repeat on a busy machine, too."""
        if not shutil.which("valgrind"):
            return None
        done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *map(str, command)],
                              capture_output=True, text=True)
        found = re.search(r"Collected\s*:\s*(\d+)", done.stderr)
        if done.returncode or not found:
            raise RuntimeError(f"valgrind: exit status {done.returncode}\n{done.stderr.strip()[-2000:]}")
        return int(found.group(1))

    def floor(self, files: list[Path], scale: int, repeat: int = 1) -> float:
        """CPU seconds a picture for decoding alone at 1/`scale`."""
        line = subprocess.run([self.folder / "floor", "-s", str(scale), "-r", str(repeat), *files],
                              check=True, capture_output=True, text=True).stdout
        pictures, seconds = line.split()
        return float(seconds) / int(pictures)

    def png_sizes(self, files: list[Path]) -> list[int]:
        """Bytes libpng needs for each of these PNGs at level 6 with all filters, as RGBA."""
        done = subprocess.run([self.folder / "pngsize", *files], check=True, capture_output=True, text=True)
        return [int(line) for line in done.stdout.split()]
