#!/usr/bin/env python3
"""Times address books: counting, reading against vobject, cold and warm loads, the job queue.

usage: load.py [--quick] [--json FILE]

Needs .build/release/tondo, and vobject for the comparison. Everything is made from assets/samples in a temporary folder.
Each figure is the median of the rounds, with (min..max); what is compared runs in turns.
"""
import argparse
import base64
import io
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[3]
TONDO = ROOT / ".build/release/tondo"
sys.path.insert(0, str(ROOT / "Tests/Bench/contacts"))


def photos(count, side):
    """JPEGs that differ in every byte that counts: the samples at `side`, each with a number drawn into its corner."""
    samples = [Image.open(file).convert("RGB").resize((side, side), Image.LANCZOS)
               for file in sorted((ROOT / "assets/samples").glob("*.jpg"))]
    for number in range(count):
        picture = samples[number % len(samples)].copy()
        for bit in range(16):
            if number >> bit & 1:
                picture.paste((255, 255, 255), (bit * 4, 0, bit * 4 + 4, 4))
        data = io.BytesIO()
        picture.save(data, "JPEG", quality=88)
        yield data.getvalue()


def card(number, photo=None):
    lines = [b"BEGIN:VCARD", b"VERSION:3.0", f"UID:person-{number}".encode(), f"FN:Person Number {number}".encode(),
             f"N:Number {number};Person;;;".encode(), b"ORG:Northwind;Sales", f"TEL;TYPE=CELL:+1 555 {number:07}".encode(),
             f"EMAIL;TYPE=INTERNET:person{number}@example.org".encode(), b"CATEGORIES:myContacts,Friends",
             b"NOTE:Met at the conference\\, likes long walks\\; wrote back in spring and asked about the photos."]
    if photo:
        text = b"PHOTO;ENCODING=b;TYPE=JPEG:" + base64.b64encode(photo)
        lines.append(text[:75] + b"".join(b"\r\n " + text[i:i + 74] for i in range(75, len(text), 74)))
    return b"\r\n".join(lines + [b"END:VCARD", b""])


def load(book, cache, *options):
    """Seconds to the first line and to the end, CPU seconds, and the summary."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    process = subprocess.Popen([TONDO, "load", book, "--cache-dir", cache, "--json", *options], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    process.stdout.readline()
    first = time.perf_counter() - start
    last = b""
    for line in process.stdout:
        last = line
    process.wait()
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"first": first, "wall": wall, "cpu": cpu, "summary": json.loads(last)}


def idle():
    """Seconds all processors had nothing to do so far."""
    fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()
    return (int(fields[4]) + int(fields[5])) / os.sysconf("SC_CLK_TCK")


def spread(values, digits=3):
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f}..{max(values):.{digits}f})"


class Report:
    def __init__(self):
        self.rows = []

    def add(self, what, target, measured, met):
        self.rows.append({"what": what, "target": target, "measured": measured, "met": met})
        print(f"{'  ' if met else '! '}{what}: {measured}  (target {target})", flush=True)


def total(report, folder, people, rounds):
    one, many = folder / "book.vcf", folder / "vdir"
    many.mkdir()
    pictures = list(photos(32, 256))
    with one.open("wb") as book:
        for number in range(people):
            text = card(number, pictures[number % 32] if number % 10 == 0 else None)
            book.write(text)
            (many / f"{number}.vcf").write_bytes(text)
    for name, book, limit in (("one file", one, 0.1), ("a folder of files", many, 0.3)):
        runs = [load(book, folder / "cache", "--quiet") for _ in range(rounds + 1)][1:]
        times = [run["first"] for run in runs]
        report.add(f"total of {people} people in {name}, s from the start", f"at most {limit}", spread(times),
                   statistics.median(times) <= limit)
        walls = [run["wall"] for run in runs]
        report.add(f"warm load of {people} people in {name}, s", "at most 0.3", spread(walls), statistics.median(walls) <= 0.3)
    return one


def parse(report, book, rounds):
    """Reading alone, ours through `contacts ls`, which also writes every contact as JSON."""
    try:
        import vobject
    except ImportError:
        print("  vobject is not installed: no comparison")
        return
    text = book.read_text()
    ours, theirs = [], []
    for _ in range(rounds):
        start = time.perf_counter()
        subprocess.run([TONDO, "contacts", "ls", book, "--json"], stdout=subprocess.DEVNULL, check=True)
        ours.append(time.perf_counter() - start)
        start = time.perf_counter()
        count = sum(1 for _ in vobject.readComponents(text))
        theirs.append(time.perf_counter() - start)
    assert count > 0
    ratios = [b / a for a, b in zip(ours, theirs)]
    report.add(f"vobject's time over ours, {len(text) / 1e6:.0f} MB", "at least 20", spread(ratios, 1),
               statistics.median(ratios) >= 20)
    speeds = [len(text) / 1e6 / seconds for seconds in ours]
    report.add("MB of vCard a second, start and output included", "at least 100", spread(speeds, 0),
               statistics.median(speeds) >= 100)


def cold(report, folder, people, rounds):
    book = folder / "portraits"
    book.mkdir()
    for number, photo in enumerate(photos(people, 1024)):
        (book / f"{number}.vcf").write_bytes(card(number, photo))
    cores, busy, rates = os.cpu_count(), [], []
    for number in range(rounds):
        before = idle()
        run = load(book, folder / f"cold-{number}", "--size", "48", "--scale", "1,2,3", "--state", "normal,selected",
                   "--quiet")
        assert run["summary"]["rendered"] == 6 * people, run["summary"]
        # What other programs took was not there to be used.
        busy.append(100 * run["cpu"] / (run["cpu"] + idle() - before))
        rates.append(run["summary"]["avatars"] / run["wall"])
    report.add(f"cold load of {people} portraits of 1024 px, 3 scales x 2 states: % of {cores} cores' free time used", "at least 90",
               spread(busy, 1), statistics.median(busy) >= 90)
    report.add("faces a second in it", "-", spread(rates, 0), True)


def queue(report):
    program = ROOT / ".build-bench/release/JobsBench"
    if not program.exists():
        print("  JobsBench is not built: make bench builds it")
        return
    lines = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    print(lines, end="")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a tenth of the people, 3 rounds")
    parser.add_argument("--json", help="also write the figures into this file")
    options = parser.parse_args()
    random.seed(1)
    people, portraits, rounds = (1000, 50, 3) if options.quick else (10_000, 500, 5)
    report = Report()
    with tempfile.TemporaryDirectory(prefix="tondo-bench-") as name:
        folder = Path(name)
        book = total(report, folder, people, rounds)
        parse(report, book, min(rounds, 3))
        cold(report, folder, portraits, min(rounds, 3))
    queue(report)
    if options.json:
        Path(options.json).write_text(json.dumps(report.rows, indent=1))


main()
