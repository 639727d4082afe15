#!/usr/bin/env python3
"""Times the service: cached faces against nginx and thumbor, listeners, a crowd, a large book, too many requests.

usage: serve.py [--quick] [--only a,b] [--json FILE] [--tondo PATH] [--thumbor PATH]

Needs .build/release/tondo and wrk; nginx and thumbor take part when they are installed. Servers run on one core, clients
on another. Each figure is the median of the rounds, with (min..max); what is compared runs in turns.
"""
import argparse
import asyncio
import contextlib
import json
import os
import socket
import statistics
import sys
import tempfile
import time
from pathlib import Path

import books
import overload
import peers
import service
from books import face
from crowd import Listeners, connect_all
from service import Report, Tondo, spread
from wrk import Wrk, present

WANTED = 20_000


def suited(server):
    """The side whose face is nearest to 20 kB, and the face."""
    pictures = ((side, server.get(face(0, side))[2]) for side in range(96, 133, 4))
    return min(pictures, key=lambda pair: abs(len(pair[1]) - WANTED))


def paced(wrk, port, path, seconds, rate):
    """Requests at a rate of our own: what a second calibrates, the rest measures."""
    connections = 128
    delay = 1e3 * connections / rate
    for length in (1, 1):
        delay *= wrk.run(port, path, length, connections, delay)["rate"] / rate
    return wrk.run(port, path, seconds, connections, delay)


def throughput(report, folder, options):
    if not present:
        return print("  wrk is not installed: no requests a second")
    wrk = Wrk(folder)
    book = books.make(folder / "eight", 8)
    contestants, rates, slow = {}, {}, {}
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(Tondo(book, folder / "home"))
        server.wait_until_loaded()
        side, picture = suited(server)
        contestants["tondo"] = peers.Peer(server, server.port, face(0, side))
        makers = {"nginx": lambda: peers.nginx(folder / "nginx", picture),
                  "thumbor": lambda: peers.thumbor(folder / "thumbor", books.photos()[0], side, options.thumbor)}
        for name, make in makers.items():
            if peer := make():
                stack.enter_context(peer.process)
            if peer and (size := peer.wait()):
                contestants[name] = peer
                print(f"  {name}'s face: {size:,} bytes; Tondo's, {side} points: {len(picture):,}")
            else:
                print(f"  {name} is not installed or does not run: it takes no part")
        race(wrk, contestants, rates, slow, options)
    for name, values in rates.items():
        report.add(f"cached face, requests a second: {name}", "-", spread(values, 0))
    for name, target in (("nginx", 0.5), ("thumbor", 10)):
        if name in rates:
            ratios = [ours / theirs for ours, theirs in zip(rates["tondo"], rates[name])]
            report.add(f"  over {name}'s", f"at least {target}", spread(ratios, 2), statistics.median(ratios) >= target)
    for name, results in slow.items():
        shares = [100 * result["rate"] / rate for result, rate in zip(results, rates["tondo"])]
        values = [result["p99"] for result in results]
        target = "at most 5" if name == "tondo" else "-"
        report.add(f"p99, ms, at {statistics.median(shares):.0f} % of Tondo's rate: {name}", target, spread(values, 2),
                   name != "tondo" or statistics.median(values) <= 5)


def race(wrk, contestants, rates, slow, options):
    names = list(contestants)
    for number in range(options.rounds + 1):
        order = names[number % len(names):] + names[:number % len(names)]
        measured = {name: wrk.run(contestants[name].port, contestants[name].path, 1 if number == 0 else options.seconds)
                    for name in order}
        # The first round warms up.
        if number == 0:
            continue
        for name in names:
            rates.setdefault(name, []).append(measured[name]["rate"])
        for name in order:
            if name != "thumbor":
                result = paced(wrk, contestants[name].port, contestants[name].path, options.seconds,
                               rates["tondo"][-1] / 2)
                slow.setdefault(name, []).append(result)


def listeners(report, folder, options):
    count, people = 1000, 1000
    book = books.make(folder / "watched", people, photo_every=10)
    grown, times, waits, spans = [], [], [], []
    for number in range(options.lives):
        with Tondo(book, folder / "home") as server:
            server.wait_until_loaded()
            before = server.rss()
            crowd = Listeners(server.port, count)
            for change in range(options.changes):
                crowd.drain(0.5)
                word = f"changed for the {number}-{change}th time"
                start = time.perf_counter()
                books.replace(book, 1, books.card(1, note=word))
                heard = crowd.hear(word.encode(), 10)
                if heard is None:
                    raise SystemExit("not every listener was told")
                first, last = heard
                times.append(1e3 * (last - start))
                waits.append(1e3 * (first - start))
                spans.append(1e3 * (last - first))
            grown.append(server.rss() - before)
            crowd.close()
    report.add(f"{count} listeners: MB that RSS grows by", "under 60", spread(grown), statistics.median(grown) < 60)
    report.add(f"{count} listeners: ms from the replacing of a card to the last one told", "at most 50", spread(times),
               statistics.median(times) <= 50)
    report.add("  until the first one is told, and from then on", "-", f"{spread(waits)}, {spread(spans)}")


async def ask_together(server, path, count):
    clients = await connect_all(server.port, count)
    start = time.perf_counter()
    answers = await asyncio.gather(*(client.ask(path, 60) for client in clients))
    seconds = time.perf_counter() - start
    for client in clients:
        client.leave()
    return answers, seconds


def together(report, folder, options):
    count = 1000
    decodes, times, wrong = [], [], 0
    with Tondo(books.make(folder / "few", 8), folder / "home") as server:
        server.wait_until_loaded()
        for number in range(options.rounds):
            before = server.drawn()
            answers, seconds = asyncio.run(ask_together(server, face(number % 8, 200 + number), count))
            decodes.append(server.drawn() - before)
            times.append(1e3 * seconds)
            pictures = {answer.split(b"\r\n\r\n", 1)[1] for _, answer in answers}
            wrong += sum(status != 200 for status, _ in answers) + len(pictures) - 1
    report.add(f"{count} requests at once for one missing face: jobs done", "1", spread(decodes, 0),
               set(decodes) == {1} and wrong == 0)
    report.add("  ms until all have it", "-", spread(times))
    report.add("  answers that differ or are no picture", "0", f"{wrong}", wrong == 0)


def first_total(server):
    """Seconds from the start to the event itself, on a stream from its beginning."""
    with socket.create_connection(("127.0.0.1", server.port), 30) as connection:
        connection.sendall(b"GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nLast-Event-ID: 0\r\n\r\n")
        data = b""
        while b"event: total\n" not in data:
            part = connection.recv(1 << 16)
            if not part:
                raise SystemExit("the events ended before the total")
            data += part
    return time.perf_counter() - server.started


def large(report, folder, options):
    people = 10_000
    book = books.make(folder / "large", people, photo_every=10)
    firsts, idle, sizes, own = [], [], {"drawn": [], "in the cache": []}, []
    everywhere = set(service.CORES)
    for number in range(options.lives + 1):
        with Tondo(book, folder / "home", "large-cache", cores=everywhere) as server:
            seconds = first_total(server)
            server.wait_until_loaded()
            # The index of the cache follows within five seconds.
            time.sleep(7)
            sizes["in the cache" if number else "drawn"].append(server.rss())
            if number:
                firsts.append(1e3 * seconds)
                own.append(server.anonymous())
            if number == 1:
                for _ in range(options.lives):
                    before = server.cpu()
                    time.sleep(10)
                    idle.append(1e3 * (server.cpu() - before))
    report.add(f"folder of {people:,}: ms from the start to `total`", "at most 300", spread(firsts, 0),
               statistics.median(firsts) <= 300)
    report.add("  CPU ms in 10 idle s", "0: under one tick of 10", spread(idle, 2), statistics.median(idle) < 10)
    for name, values in sizes.items():
        report.add(f"  RSS, MB, loaded, {people // 10:,} photos' faces {name}", "under 40", spread(values),
                   statistics.median(values) < 40)
    report.add("  of that, MB of no file", "-", spread(own))


def storm(report, folder, options):
    people = 200
    book = books.make(folder / "stormy", people)
    with Tondo(book, folder / "home", options=("--cache-max-size", "300MB")) as server:
        server.wait_until_loaded()
        overload.measure(report, server, people, options.storm)


PARTS = {"throughput": throughput, "listeners": listeners, "together": together, "large": large, "overload": storm}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="3 short rounds, 20 s of too many requests")
    parser.add_argument("--only", default=",".join(PARTS), help="some of " + ", ".join(PARTS))
    parser.add_argument("--json", help="also write the figures into this file")
    parser.add_argument("--tondo", type=Path, default=service.TONDO, help="the program")
    parser.add_argument("--thumbor", help="thumbor's program, if it is not in the path")
    options = parser.parse_args()
    options.rounds, options.seconds, options.lives, options.changes, options.storm = (
        (3, 2, 2, 5, 20) if options.quick else (7, 5, 3, 10, 60))
    service.TONDO = options.tondo.resolve()
    service.keep_clients_apart()
    print(f"{len(service.CORES)} cores, load {os.getloadavg()[0]:.1f}")
    report = Report()
    for name in options.only.split(","):
        if name not in PARTS:
            sys.exit(f"there is no part called {name}")
        with tempfile.TemporaryDirectory(prefix="tondo-serve-") as folder:
            PARTS[name](report, Path(folder), options)
    if options.json:
        Path(options.json).write_text(json.dumps(report.rows, indent=1))


main()
