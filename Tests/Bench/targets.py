"""What tondo is held to, and the verdict on each figure."""

from __future__ import annotations

import statistics
from dataclasses import asdict, dataclass

# Against the fastest peer of equal quality, and against Pillow with draft and Lanczos.
SPEED = {"portraits-256": 5.0, "portraits-1024": 3.0, "phone-12mp": 1.4, "progressive-18mp": 3.0, "png-rgba": 1.6}
PILLOW = {"portraits-256": 5.0, "portraits-1024": 3.4, "phone-12mp": 2.6, "progressive-18mp": 16.0, "png-rgba": 3.0}
FLOOR = {"phone-12mp": 1.1}
PSNR = {"portraits-1024": (47.0, 41.0), "phone-12mp": (49.0, 46.0)}
PSNR_MARGIN = 2.0  # a peer counts when its median is at least ours minus this
SIX = {144: 1.3, 128: 1.7}  # pixels of the one rendition
PNG_SIZE = 1.05
RSS_KB = 40 * 1024
START_MS = 5.0
JOBS = 1.8


@dataclass
class Verdict:
    what: str
    figure: str
    target: str
    met: bool


def ratios(above: list[float], below: list[float]) -> list[float]:
    return [a / b for a, b in zip(above, below)]


def spread(values: list[float], form: str = "{:.2f}") -> str:
    text = form.format(statistics.median(values))
    return f"{text} ({form.format(min(values))}..{form.format(max(values))})"


def tondo_row(rows: list[dict]) -> dict | None:
    return next((row for row in rows if row["name"] == "tondo"), None)


def equals(rows: list[dict], fast_png: bool) -> list[dict]:
    """The peers that do all of the work no worse than tondo, quickest first."""
    ours = tondo_row(rows)
    chosen = [row for row in rows if row["kind"] == "peer" and row["ring"] and (fast_png or not row["fast_png"])
              and row["psnr"] and (ours is None or row["psnr"]["median"] >= ours["psnr"]["median"] - PSNR_MARGIN)]
    return sorted(chosen, key=lambda row: statistics.median(row["ms"]))


def judge(results: dict) -> list[dict]:
    verdicts: list[Verdict] = []
    for name, photos in results["sets"].items():
        ours = tondo_row(photos["rows"])
        if ours is None:
            continue
        for fast_png, which in ((False, "default PNG settings"), (True, "any PNG settings")):
            peers = equals(photos["rows"], fast_png)
            if peers and name in SPEED:
                values = ratios(peers[0]["ms"], ours["ms"])
                verdicts.append(Verdict(f"{name}: times as fast as {peers[0]['name']}, the fastest equal peer, {which}",
                                        spread(values), f">= {SPEED[name]:g}",
                                        statistics.median(values) >= SPEED[name]))
        pillow = next((row for row in photos["rows"] if row["name"] == "pillow"), None)
        if pillow and name in PILLOW:
            values = ratios(pillow["ms"], ours["ms"])
            verdicts.append(Verdict(f"{name}: times as fast as Pillow, draft and Lanczos", spread(values),
                                    f">= {PILLOW[name]:g}", statistics.median(values) >= PILLOW[name]))
        if name in FLOOR:
            floor = next(row for row in photos["rows"] if row["kind"] == "floor")
            values = ratios(ours["ms"], floor["ms"])
            verdicts.append(Verdict(f"{name}: times the floor ({floor['note']})", spread(values),
                                    f"<= {FLOOR[name]:g}", statistics.median(values) <= FLOOR[name]))
        if name in PSNR:
            for kind, least in zip(("median", "min"), PSNR[name]):
                value = ours["psnr"][kind]
                verdicts.append(Verdict(f"{name}: PSNR {kind}", f"{value:.2f} dB", f">= {least:g} dB", value >= least))
        for kind, words in (("total", "all files"), ("max", "the largest file's")):
            value = ours["png"][kind]
            verdicts.append(Verdict(f"{name}: PNG size over libpng's, {words}", f"{value:.1%}", f"<= {PNG_SIZE:.0%}",
                                    value <= PNG_SIZE))
    for row in results.get("six", []):
        if row["name"] == "tondo":
            for size, most in SIX.items():
                values = ratios(row["six"], row[f"one-{size}"])
                verdicts.append(Verdict(f"six-renditions: times one rendition at {size}", spread(values),
                                        f"<= {most:g}", statistics.median(values) <= most))
    extras = results.get("extras", {})
    if "start_ms" in extras:
        value = statistics.median(extras["start_ms"])
        verdicts.append(Verdict("tondo --version, wall", f"{value:.1f} ms", f"<= {START_MS:g} ms", value <= START_MS))
    if "rss_kb" in extras:
        value = extras["rss_kb"]["tondo"]
        verdicts.append(Verdict("peak RSS, 100 MP baseline JPEG", f"{value / 1024:.1f} MB",
                                f"<= {RSS_KB // 1024} MB", value <= RSS_KB))
    for name, values in extras.get("jobs", {}).items():
        verdicts.append(Verdict(f"{name}: throughput of --jobs 2 over --jobs 1", spread(values), f">= {JOBS:g}",
                                statistics.median(values) >= JOBS))
    return [asdict(verdict) for verdict in verdicts]
