#!/usr/bin/env python3
"""Computes the tables of docs/scaling.md under "Capacity" from measured rates and from prices, which stand at the top.

usage: capacity.py                      prints the section's tables and sentences
       capacity.py --check DOCUMENT     whether the document has them
       capacity.py --self-test
       capacity.py --measure [PHOTO...] measures the rates again with .build/release/tondo and redis-server

--measure takes the portraits of ../shared/data if no photos are named, else the samples.
"""
import argparse
import ctypes
import math
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from resp import Redis

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Rate:
    """For one contact: ms of a core to draw and store, µs of the Redis of the avatars, bytes in it."""
    drawing: float
    redis: float
    tier: float


@dataclass(frozen=True)
class Workload:
    name: str
    styles: tuple
    png: Rate
    webp: Rate


# --measure on 2026-11-25: two busy cores, 24 portraits of 1,024 pixels, medians of five rounds. Each row is drawn from one decode.
PHOTO = 243_502
WORKLOADS = (
    Workload("one: 96 pixels", ("--size", "96"), Rate(3.0, 118, 21_228), Rate(4.8, 123, 4_737)),
    Workload("two: 96 and 192, which a service prepares",
             ("--size", "96", "--scale", "1,2", "--ring-width", "4", "--ring-gap", "3"),
             Rate(6.8, 231, 67_842), Rate(14.4, 196, 12_418)),
    Workload("six: 48, 96 and 144 in two states", ("--size", "48", "--scale", "1,2,3", "--state", "normal,selected"),
             Rate(11.7, 369, 114_430), Rate(20.8, 259, 29_182)),
)
# Processor time through the queue over drawing directly: 2.9 and 4.9 % in two runs of cluster.py (docs/benchmarks.md).
QUEUE = 1.05
# One job: microseconds of the Redis of the streams, and bytes while it waits there (cluster.py, docs/scaling.md).
JOB_REDIS, JOB_BYTES, WAITING = 37, 245, 100_000
# An avatar of 20,470 bytes in Redis, of a run with 10,000 of them (docs/scaling.md, "Sizes"). As WebP a quarter at most: the
# target, and above the worst of docs/benchmarks.md, "Formats" (0.224 of 96 pixels).
AVATAR, WEBP = 20_687, 0.25
CONTACTS, CORES = (1_000_000, 10_000_000, 100_000_000), (16, 64)
# EUR: an hour of a core; a GB of memory, of disk for a month.
CORE_HOUR, MEMORY, DISK = 0.05, 3, 0.05


def rounded(value):
    """Two digits that count, or all of a larger whole number: 0.042, 3.7, 21, 370, 1,200."""
    if value == 0:
        return "0"
    digits = 1 - math.floor(math.log10(abs(value)))
    return f"{round(value, digits):,.{max(digits, 0)}f}"


def size(count):
    for unit, factor in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if count >= 0.995 * factor:
            return f"{rounded(count / factor)} {unit}"
    return f"{count / 1e3:.1f} kB"


def duration(hours):
    if hours < 1:
        return f"{rounded(60 * hours)} min"
    return f"{rounded(hours)} h" if hours < 48 else f"{rounded(hours / 24)} days"


def both(workload, value):
    """As PNG, as WebP; a common unit stands once."""
    first, second = value(workload.png), value(workload.webp)
    if first == second:
        return first
    if first.split(" ")[1:] == second.split(" ")[1:]:
        first = first.split(" ")[0]
    return f"{first}, {second}"


def core_seconds(rate):
    return QUEUE * rate.drawing / 1e3


def feeds(rate):
    """Contacts a second that the one thread of the avatars' Redis serves."""
    return 1e6 / rate.redis


def load_hours(rate, contacts, cores):
    return contacts / min(cores / core_seconds(rate), feeds(rate)) / 3_600


def drawing_cost(rate):
    return core_seconds(rate) / 3_600 * CORE_HOUR


def memory_cost(rate):
    """A month."""
    return rate.tier / 1e9 * MEMORY


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" if line[0] != "---" else "|" + "|".join(line) + "|" for line in lines)


def within(values):
    low, high = min(values), max(values)
    return f"{rounded(low)} to {rounded(high)}"


def blocks():
    """The parts of the document that are computed."""
    yield table(["avatars of a contact", "drawing and storing, ms of a core", "in the Redis of the avatars", "µs of this Redis"],
                [[each.name, both(each, lambda rate: f"{rate.drawing:.1f}"), both(each, lambda rate: size(rate.tier)),
                  both(each, lambda rate: f"{rate.redis}")] for each in WORKLOADS])
    png, webp = ([getattr(each, form) for each in WORKLOADS] for form in ("png", "webp"))
    limits = [[core_seconds(rate) * feeds(rate) for rate in rates] for rates in (png, webp)]
    yield (f"The Redis of the avatars is full first. Its one thread serves {within([feeds(rate) for rate in png + webp])} contacts a "
           f"second, the work of {within(limits[0])} cores as PNG, {within(limits[1])} as WebP. The Redis of the streams takes "
           f"{JOB_REDIS} µs a job, enough for {within([core_seconds(rate) / JOB_REDIS * 1e6 for rate in png + webp])} cores, and "
           f"{WAITING:,} waiting jobs take {WAITING * JOB_BYTES / 1e6:.1f} MB.")
    reading = [16 / core_seconds(rate) * PHOTO / 1e6 for rate in png + webp]
    yield f"photos of {PHOTO / 1e3:.0f} kB are read at {within(reading)} MB/s by 16 cores"
    yield (f"{CORE_HOUR:.2f} EUR for an hour of a core, and for a month {MEMORY} EUR for a GB of memory and {DISK:.2f} EUR for one "
           "of disk")
    head = ["contacts, avatars of each", "core hours", *(f"{cores} cores" for cores in CORES), "drawing all, once, EUR",
            "shared tier of all", "the same, EUR a month"]
    yield table(head, [[f"{contacts // 1_000_000} million, {each.name.split(':')[0]}", *(both(each, value) for value in (
        lambda rate: rounded(contacts * core_seconds(rate) / 3_600),
        *((lambda rate, cores=cores: duration(load_hours(rate, contacts, cores))) for cores in CORES),
        lambda rate: rounded(contacts * drawing_cost(rate)),
        lambda rate: size(contacts * rate.tier),
        lambda rate: rounded(contacts * memory_cost(rate))))] for contacts in CONTACTS for each in WORKLOADS])
    even = [[memory_cost(rate) / drawing_cost(rate) for rate in rates] for rates in (png, webp)]
    yield (f"A month in memory costs as much as drawing the same avatars {within(even[0])} times as PNG, {within(even[1])} times "
           "as WebP")
    yield f"{rounded(MEMORY / DISK)} times the price of disk"
    # The figures of "Sizes".
    yield f"| 10,000 | {10_000 * AVATAR / 1e6:.0f} MB (measured) |"
    yield f"| 1,000,000 | {1e6 * AVATAR / 1e9:.0f} GB; as WebP, a quarter of the bytes, {1e6 * AVATAR * WEBP / 1e9:.0f} GB |"


def missing(text):
    """The blocks that are not in a document, wherever its lines are broken."""
    text = " ".join(text.split())
    return [block for block in blocks() if " ".join(block.split()) not in text]


def self_test():
    text = "\n\n".join(blocks())
    if missing(text):
        sys.exit("capacity: the self-test found a fault in a right document")
    for number in range(len(text)):
        changed = text[:number] + ("1" if text[number] == "2" else "2") + text[number + 1:]
        if text[number].isdigit() and not missing(changed):
            sys.exit(f"capacity: the self-test found no fault at ...{changed[max(number - 20, 0):number + 20]}...")


def processor_time(command):
    """Of a program and of all that it started, whether it waited for them or not."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            # PR_SET_CHILD_SUBREAPER: what loses its parent becomes a child of this process.
            ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
            status = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode
            while True:
                os.wait()
        except ChildProcessError:
            usage = resource.getrusage(resource.RUSAGE_CHILDREN)
            os.write(writing, str(usage.ru_utime + usage.ru_stime).encode())
        finally:
            os._exit(status)
    os.close(writing)
    with open(reading) as result:
        text = result.read()
    _, status = os.waitpid(pid, 0)
    if status or not text:
        sys.exit(f"capacity: {' '.join(map(str, command))} failed")
    return float(text)


def information(redis):
    return dict(line.split(":", 1) for line in redis("INFO").decode().splitlines() if ":" in line)


def measured(tondo, folder, book, count, styles, rounds=5):
    """`tondo load` of a book, with an empty cache folder and an empty Redis: ms, µs of Redis, bytes in Redis for one contact."""
    results = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory(dir=folder) as place:
            socket = Path(place) / "redis.sock"
            server = subprocess.Popen(["redis-server", "--port", "0", "--unixsocket", socket, "--save", "", "--dir", place,
                                       "--maxmemory", "2gb", "--maxmemory-policy", "allkeys-lru"],
                                      stdout=subprocess.DEVNULL)
            try:
                while not socket.exists():
                    time.sleep(0.02)
                redis = Redis(socket, timeout=10)
                before = information(redis)
                seconds = processor_time([tondo, "load", book, "--cache-dir", f"{place}/cache", "--quiet", *styles,
                                          "--shared-avatars", f"unix:{socket}"])
                after = information(redis)
            finally:
                server.kill()
                server.wait()
            spent, size = (sum(float(after[name]) - float(before[name]) for name in names)
                           for names in (("used_cpu_user", "used_cpu_sys"), ("used_memory",)))
            results.append((1e3 * seconds / count, 1e6 * spent / count, size / count))
    return [f"{statistics.median(values):,.2f} ({min(values):,.2f}..{max(values):,.2f})" for values in zip(*results)]


def measure(photos, count=240):
    tondo = Path(os.environ.get("TONDO", ROOT / ".build/release/tondo")).resolve()
    photos = [Path(photo) for photo in photos] or sorted((ROOT / "../shared/data/portraits").glob("*-1024.jpg")) \
        or sorted((ROOT / "assets/samples").glob("*.jpg"))
    print(f"{len(photos)} photos of {statistics.mean(photo.stat().st_size for photo in photos):,.0f} bytes on average")
    with tempfile.TemporaryDirectory(prefix="tondo-capacity-") as folder:
        book = Path(folder) / "book"
        (book / "photos").mkdir(parents=True)
        for number in range(count):
            # Bytes behind the end of a picture change its digest, and nothing that is seen.
            (book / f"photos/{number}.jpg").write_bytes(photos[number % len(photos)].read_bytes() + b"%d" % number)
            (book / f"{number}.vcf").write_text(f"BEGIN:VCARD\r\nVERSION:4.0\r\nUID:c{number}\r\nFN:Contact {number}\r\n"
                                                f"PHOTO:photos/{number}.jpg\r\nEND:VCARD\r\n", newline="")
        for workload in WORKLOADS:
            for form in ("png", "webp"):
                ms, us, size = measured(tondo, folder, book, count, (*workload.styles, "--format", form))
                print(f"{workload.name}, {form}: {ms} ms, {us} us of Redis, {size} bytes", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--check", metavar="DOCUMENT", type=Path)
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--measure", nargs="*", metavar="PHOTO")
    options = parser.parse_args()
    if options.self_test:
        self_test()
    elif options.measure is not None:
        measure(options.measure)
    elif options.check:
        lacking = missing(options.check.read_text())
        for block in lacking:
            print(f"{options.check} lacks what Tests/Cluster/capacity.py computes:\n{block}\n", file=sys.stderr)
        sys.exit(1 if lacking else 0)
    else:
        print("\n\n".join(blocks()))


if __name__ == "__main__":
    main()
