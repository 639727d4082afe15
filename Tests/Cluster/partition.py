#!/usr/bin/env python3
"""Cuts the network between Tondo and its Redis, which is in a network namespace of its own, in the middle of a load: the link
goes down without a word, as a pulled cable does. What is stored locally must be served as before, what is not must be drawn
within a bound, Redis must be used again within two seconds after the link is back, and no job may be lost.

usage: partition.py [--tondo PROGRAM] [--contacts 400] [--seconds 8]
       partition.py --check    prints why this cannot run here, and ends with 1; nothing: it can
"""
import argparse
import http.client
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from book import Book

ROOT = Path(__file__).resolve().parents[2]
SPACE = f"tondo-{os.getpid()}"
LINK = (f"tondo{os.getpid() % 100_000}a", f"tondo{os.getpid() % 100_000}b")
OUTSIDE, INSIDE = "10.199.77.1", "10.199.77.2"
PORT = 17390
STYLES = ["--size", "96", "--scale", "1,2", "--ring-width", "4", "--ring-gap", "3"]
# Seconds. A shared lookup costs 50 ms at most, and a request makes three of them; the rest is drawing on a busy machine.
LONGEST_MISS = 3.0
LONGEST_HIT = 0.5
LONGEST_RECOVERY = 2.0


class Failed(Exception):
    pass


def obstacle():
    """Why this cannot run; None: it can."""
    for program in ("ip", "redis-server"):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    if os.geteuid() != 0:
        return "network namespaces need root"
    made = subprocess.run(["ip", "netns", "add", SPACE], capture_output=True, text=True)
    if made.returncode:
        return "no network namespace: " + made.stderr.strip()
    linked = subprocess.run(["ip", "link", "add", LINK[0], "type", "veth", "peer", "name", LINK[1]], capture_output=True, text=True)
    subprocess.run(["ip", "link", "del", LINK[0]], capture_output=True)
    subprocess.run(["ip", "netns", "del", SPACE], capture_output=True)
    return "no pair of virtual links: " + linked.stderr.strip() if linked.returncode else None


def ip(*words):
    subprocess.run(["ip", *words], check=True, capture_output=True)


class Network:
    """A namespace whose only link leads here."""

    def __enter__(self):
        ip("netns", "add", SPACE)
        ip("link", "add", LINK[0], "type", "veth", "peer", "name", LINK[1], "netns", SPACE)
        ip("addr", "add", f"{OUTSIDE}/30", "dev", LINK[0])
        ip("link", "set", LINK[0], "up")
        ip("-n", SPACE, "addr", "add", f"{INSIDE}/30", "dev", LINK[1])
        ip("-n", SPACE, "link", "set", LINK[1], "up")
        ip("-n", SPACE, "link", "set", "lo", "up")
        return self

    def __exit__(self, *_):
        subprocess.run(["ip", "link", "del", LINK[0]], capture_output=True)
        subprocess.run(["ip", "netns", "del", SPACE], capture_output=True)

    @staticmethod
    def set(state):
        # The far end: what is sent here gets lost, and nothing says so.
        ip("-n", SPACE, "link", "set", LINK[1], state)


class Proxy(threading.Thread):
    """A Unix socket that leads to a port in the namespace, as the documented TLS proxy does."""

    def __init__(self, path, port):
        super().__init__(daemon=True)
        self.path, self.port, self.listener = str(path), port, socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen(64)

    def run(self):
        while True:
            near, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=(near,), daemon=True).start()

    def serve(self, near):
        try:
            with near, socket.create_connection((INSIDE, self.port), timeout=10) as far:
                far.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                while True:
                    for source in select.select([near, far], [], [])[0]:
                        data = source.recv(1 << 16)
                        if not data:
                            return
                        (far if source is near else near).sendall(data)
        except OSError:
            pass


class Service:
    def __init__(self):
        self.times = []

    def get(self, path, timeout=30):
        """The status, and the seconds it took."""
        start = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=timeout)
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            self.body = response.read()
            return response.status, time.monotonic() - start
        finally:
            connection.close()

    def report(self):
        self.get("/readyz")
        return json.loads(self.body)


def until(condition, what, seconds=120.0, pause=0.02):
    start = time.monotonic()
    while True:
        try:
            if condition():
                return time.monotonic() - start
        except OSError:
            pass
        if time.monotonic() - start > seconds:
            raise Failed(f"in {seconds:.0f} s it did not happen that {what}")
        time.sleep(pause)


def percentile(values, share):
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


def run(options, folder, running):
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "config"),
        "TONDO_SHARED_AVATARS": f"unix:{folder}/avatars.sock", "TONDO_SHARED_STREAMS": f"unix:{folder}/streams.sock",
    }

    def start(name, *words, output=None):
        with open(folder / f"{name}.log", "ab") as log:
            process = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=output or log, stderr=log,
                                       env=environment, cwd=folder)
        running.append(process)
        return process

    for name, port in (("avatars", 6401), ("streams", 6402)):
        start(f"redis-{name}", "ip", "netns", "exec", SPACE, "redis-server", "--bind", INSIDE, "--port", port, "--protected-mode",
              "no", "--save", "", "--appendonly", "no", "--dir", folder, "--loglevel", "warning")
        until(lambda port=port: socket.create_connection((INSIDE, port), 1).close() is None, "Redis listens")
        Proxy(folder / f"{name}.sock", port).start()
    served = Book(folder / "served", 40, ROOT / options.photo)
    loaded = Book(folder / "loaded", options.contacts, ROOT / options.photo)
    start("service", options.tondo, "serve", served.folder, "--config", "/dev/null", "--jobs", 1, "--cache-dir", "cache-service",
          "--listen", f"127.0.0.1:{PORT}")
    service = Service()
    until(lambda: all(book["loaded"] for book in service.report()["books"]), "the service has loaded")
    start("worker", options.tondo, "worker", loaded.folder, "--config", "/dev/null", "--jobs", 1, "--cache-dir", "cache-worker",
          "--claim-after", 3)
    load = start("load", options.tondo, "load", loaded.folder, "--cache-dir", "cache-load", *STYLES, "--enqueue", "--follow", "--json",
                 "--config", "/dev/null", output=subprocess.PIPE)
    events = []
    reader = threading.Thread(target=lambda: events.extend(json.loads(line) for line in load.stdout), daemon=True)
    reader.start()
    until(lambda: sum(event["event"] == "avatar" for event in events) > options.contacts // 10, "some avatars are there")

    for contact in range(len(served.names)):
        service.get(f"/v1/contacts/c{contact}/avatar?size=96&scale=1")
    before = service.report()["shared"]
    Network.set("down")
    down, number, hits, misses, statuses = time.monotonic(), 0, [], [], set()
    while time.monotonic() < down + options.seconds:
        contact = number % len(served.names)
        # What the service has loaded is in its folder; each other size is asked for once.
        status, seconds = service.get(f"/v1/contacts/c{contact}/avatar?size=96&scale=1")
        statuses.add(status)
        hits.append(seconds)
        status, seconds = service.get(f"/v1/contacts/c{contact}/avatar?size={20 + number // len(served.names)}&scale=3")
        statuses.add(status)
        misses.append(seconds)
        number += 1
    during = service.report()
    if statuses != {200}:
        raise Failed(f"statuses {statuses} while the link was down")
    if not during["ready"] or during["shared"]["errors"] == before["errors"]:
        raise Failed("the service did not notice, or is not ready")
    if percentile(hits, 0.99) > LONGEST_HIT or max(misses) > LONGEST_MISS:
        raise Failed(f"a hit took {percentile(hits, 0.99):.3f} s, a miss {max(misses):.3f} s")

    Network.set("up")
    size = 300

    def recovered():
        nonlocal size
        size += 1
        service.get(f"/v1/contacts/c1/avatar?size={size}")
        return service.report()["shared"]["breaker"] == "closed"

    seconds = until(recovered, "the service uses Redis again", 30, 0.01)
    if seconds > LONGEST_RECOVERY:
        raise Failed(f"Redis was used again after {seconds:.2f} s")
    load.wait(timeout=300)
    reader.join(timeout=10)
    finished = events[-1]
    drawn = {event["contact"] for event in events if event["event"] == "avatar"}
    if load.returncode or len(drawn) != options.contacts or finished["failed"]:
        raise Failed(f"the load ended with {load.returncode}, {len(drawn)} of {options.contacts} contacts have avatars")
    print(f"partition: {number} hits, median {1_000 * percentile(hits, 0.5):.1f} ms, 99 % {1_000 * percentile(hits, 0.99):.1f} ms; "
          f"{number} misses, median {1_000 * percentile(misses, 0.5):.1f} ms, longest {1_000 * max(misses):.0f} ms; used again after "
          f"{1_000 * seconds:.0f} ms; {finished['avatars']} avatars of {options.contacts} contacts through the queue, none lost")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--tondo", default=".build/release/tondo")
    parser.add_argument("--contacts", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=8, help="without the link")
    parser.add_argument("--photo", default="assets/samples/ada.jpg")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    reason = obstacle()
    if options.check:
        sys.exit(print(reason) or 1 if reason else 0)
    if reason:
        print(f"partition: skipped: {reason}")
        return
    options.tondo = Path(options.tondo).resolve()
    folder, running, failure = Path(tempfile.mkdtemp(prefix="tondo-partition-")), [], None
    try:
        with Network():
            try:
                run(options, folder, running)
            except (Failed, OSError, subprocess.TimeoutExpired) as error:
                failure = error
            finally:
                for process in reversed(running):
                    if process.poll() is None:
                        process.send_signal(signal.SIGKILL)
                        process.wait()
    finally:
        if failure:
            print(f"FAILED: {failure}\nthe logs are in {folder}")
        else:
            shutil.rmtree(folder)
    sys.exit(1 if failure else 0)


main()
