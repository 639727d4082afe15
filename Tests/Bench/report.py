"""The results as text for a terminal and as Markdown for docs/benchmarks.md."""

from __future__ import annotations

import statistics

from targets import equals, ratios, spread, tondo_row


def columns(rows: list[list[str]], left: tuple[int, ...] = (0,)) -> str:
    """Aligned text; the columns in `left` and the last one are flush left."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    last = len(widths) - 1
    lines = ("  ".join(cell.ljust(width) if i in left or i == last else cell.rjust(width)
                       for i, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in rows)
    return "\n".join("  " + line for line in lines)


def decibels(row: dict) -> str:
    return f"{row['psnr']['median']:.1f} / {row['psnr']['min']:.1f}" if row["psnr"] else "-"


def set_table(name: str, photos: dict) -> str:
    rows = photos["rows"]
    ours = tondo_row(rows)
    floor = next(row for row in rows if row["kind"] == "floor")
    base, word = (ours, "over tondo") if ours else (floor, "over floor")
    table = [["", "ms/picture", word, "PSNR med/min", "PNG total/max", ""]]
    for row in sorted(rows, key=lambda row: statistics.median(row["ms"])):
        size = f"{row['png']['total']:.0%} / {row['png']['max']:.0%}" if row["png"] else "-"
        note = row["note"] + (" [fast PNG]" if row["fast_png"] else "")
        table.append([row["name"], spread(row["ms"]), spread(ratios(row["ms"], base["ms"])), decibels(row), size, note])
    text = f"{name}: {photos['files']} photos, 128 px with ring\n{columns(table)}"
    for fast_png, which in ((False, "default PNG settings"), (True, "any PNG settings")):
        peers = equals(rows, fast_png)
        if peers and ours:
            text += (f"\n  fastest peer within 2 dB, {which}: {peers[0]['name']}, "
                     f"{spread(ratios(peers[0]['ms'], ours['ms']))} times tondo's time")
    if ours:
        text += (f"\n  tondo, one file a run: {spread(ours['single_ms'])} ms CPU, {spread(ours['single_wall_ms'])} ms wall"
                 f"; alpha off by at most {ours['alpha_error']} of 255 from the geometry asked for")
    return text


def six_table(rows: list[dict]) -> str:
    table = [["", "six ms/photo", "one at 144", "one at 128", "six/144", "six/128"]]
    for row in rows:
        table.append([row["name"], *(spread(row[key]) for key in ("six", "one-144", "one-128")),
                      spread(ratios(row["six"], row["one-144"])), spread(ratios(row["six"], row["one-128"]))])
    return f"six-renditions: 48, 96, 144 px, normal and selected\n{columns(table)}"


def extras_text(extras: dict) -> str:
    lines = []
    if "start_ms" in extras:
        lines.append(f"tondo --version: {spread(extras['start_ms'], '{:.1f}')} ms wall")
    if "rss_kb" in extras:
        lines.append("peak RSS, 100 MP baseline JPEG: " +
                     ", ".join(f"{name} {kb / 1024:.1f} MB" for name, kb in extras["rss_kb"].items()))
    for name, values in extras.get("jobs", {}).items():
        lines.append(f"--jobs 2 over --jobs 1, {name}: {spread(values)} times the throughput")
    for name, stages in extras.get("stages", {}).items():
        lines.append(f"stages, {name}: " + ", ".join(f"{stage} {ms:.3f} ms" for stage, ms in stages.items()))
    counts = {name: count for name, count in extras.get("instructions", {}).items() if count}
    if counts:
        lines.append("million instructions a picture, sandbox off: " + ", ".join(f"{name} {count:.1f}" for name, count in counts.items()))
    return "\n".join(lines)


def verdict_table(verdicts: list[dict]) -> str:
    rows = [[v["what"], v["figure"], v["target"], "met" if v["met"] else "MISSED"] for v in verdicts]
    return "targets\n" + columns([["", "figure", "target", ""], *rows])


def markdown_table(rows: list[list[str]]) -> str:
    head, *body = rows
    rule = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, rule, *body))


def markdown(results: dict) -> str:
    """A section of docs/benchmarks.md: ratios first, then milliseconds."""
    parts = [f"Measured {results['date']} on {results['cores']} cores ({results['cpu']}), {results['rounds']} interleaved "
             f"rounds; CPU time on one thread, median (min..max). Photos: {results['source']}. "
             f"Peers: {', '.join(results['versions'].values())}. See [Tests/Bench](../Tests/Bench/README.md)."]
    if results["targets"]:
        parts.append(markdown_table([["", "figure", "target", ""],
                                     *([v["what"], v["figure"], v["target"], "met" if v["met"] else "missed"]
                                       for v in results["targets"])]))
    names = list(results["sets"])
    peers: list[str] = []
    for photos in results["sets"].values():
        peers += [row["name"] for row in photos["rows"] if row["name"] not in peers]

    def cell(photos: dict, peer: str, form) -> str:
        row = next((row for row in photos["rows"] if row["name"] == peer), None)
        return form(row, photos["rows"]) if row else ""

    def ratio(row, rows):
        ours = tondo_row(rows)
        return f"{statistics.median(ratios(row['ms'], ours['ms'])):.2f}" if ours else "-"

    forms = [("CPU time a picture over tondo's", ratio),
             ("ms a picture", lambda row, rows: f"{statistics.median(row['ms']):.2f}"),
             ("PSNR in dB, median / minimum", lambda row, rows: decibels(row)),
             ("PNG bytes over libpng level 6", lambda row, rows: f"{row['png']['total']:.0%}" if row["png"] else "-")]
    if any(tondo_row(photos["rows"]) is None for photos in results["sets"].values()):
        forms = forms[1:]
    for title, form in forms if names else []:
        parts.append(markdown_table([[title, *names],
                                     *([peer, *(cell(results["sets"][name], peer, form) for name in names)]
                                       for peer in peers)]))
    if results.get("six"):
        parts.append(markdown_table([["Six renditions over one", "at 144 px", "at 128 px"],
                                     *([row["name"], spread(ratios(row["six"], row["one-144"])),
                                        spread(ratios(row["six"], row["one-128"]))] for row in results["six"])]))
    extras = extras_text(results.get("extras", {}))
    if extras:
        parts.append("\n".join(f"- {line}" for line in extras.splitlines()))
    return "\n\n".join(parts) + "\n"
