#!/usr/bin/env python3
"""Clients that ask for large avatars and do not read them, against a real service: its memory, with that of its processes, stays
below a bound, and it serves others meanwhile. No bound of time: the number of bytes counts.

usage: readers.py TONDO [--connections 2000] [--same] [--most-mb 1024] [--bulk]"""

import argparse
import base64
import hashlib
import os
import random
import resource
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib


def noise(side):
    """A PNG of random pixels, which no format makes smaller."""
    rng = random.Random(1)
    rows = b"".join(b"\0" + rng.randbytes(3 * side) for _ in range(side))

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b"")


class Service:
    def __init__(self, tondo, folder):
        book = folder + "/book"
        os.mkdir(book)
        photo = base64.b64encode(noise(1100)).decode()
        with open(book + "/ada.vcf", "w") as card:
            card.write(
                "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:ada\r\nFN:Ada\r\nEMAIL:ada@example.org\r\n"
                f"PHOTO;ENCODING=b;TYPE=PNG:{photo}\r\nEND:VCARD\r\n"
            )
        self.log = open(folder + "/log", "w+")
        environment = {"PATH": os.environ["PATH"], "HOME": folder}
        for name in ["TONDO_RENDER", "LD_LIBRARY_PATH"]:
            if name in os.environ:
                environment[name] = os.environ[name]
        command = [tondo, "serve", book, "--listen", "127.0.0.1:0", "--cache-dir", folder + "/cache"]
        self.process = subprocess.Popen(command, env=environment, stderr=self.log)
        while "listening on http://" not in self.text():
            if self.process.poll() is not None:
                sys.exit("the service did not start: " + self.text())
            time.sleep(0.05)
        self.port = int(self.text().split("listening on http://127.0.0.1:")[1].split("/")[0])

    def text(self):
        self.log.seek(0)
        return self.log.read()

    def connect(self, request, buffer=4096):
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        client.connect(("127.0.0.1", self.port))
        client.sendall(request.encode())
        return client

    def get(self, path):
        client = self.connect(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 1 << 20)
        parts = []
        while part := client.recv(1 << 20):
            parts.append(part)
        return b"".join(parts)

    def metric(self, name):
        for line in self.get("/metrics").decode().splitlines():
            if line.startswith(name + " "):
                return float(line.split()[1])
        return 0.0

    def processes(self):
        found = [self.process.pid]
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/stat") as file:
                    if int(file.read().rsplit(")", 1)[1].split()[1]) == self.process.pid:
                        found.append(int(name))
            except OSError:
                pass
        return found

    def memory(self):
        """Megabytes of all processes, shared pages counted once."""
        total = 0
        for process in self.processes():
            try:
                with open(f"/proc/{process}/smaps_rollup") as file:
                    total += next(int(line.split()[1]) for line in file if line.startswith("Pss:"))
            except (OSError, StopIteration):
                pass
        return total // 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tondo")
    parser.add_argument("--connections", type=int, default=2_000)
    parser.add_argument("--same", action="store_true", help="all ask for one avatar; else for 549 sizes in turn")
    parser.add_argument("--bulk", action="store_true", help="POST /v1/avatars of 1024@3")
    parser.add_argument("--most-mb", type=int, default=1_024)
    parser.add_argument("--side", type=int, default=2_048)
    options = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory() as folder:
        service = Service(os.path.realpath(options.tondo), folder)
        try:
            failures = attack(service, options)
        finally:
            service.process.send_signal(signal.SIGTERM)
            try:
                status = service.process.wait(30)
            except subprocess.TimeoutExpired:
                service.process.kill()
                status = "none"
    if status != 0:
        failures.append(f"the service ended with {status}")
    for failure in failures:
        print("FAILED:", failure)
    sys.exit(1 if failures else 0)


def requests(options):
    mail = hashlib.md5(b"ada@example.org").hexdigest()
    for number in range(options.connections):
        if options.bulk:
            body = '{"ids":["ada"],"size":1024,"scale":3}' if number % 2 else '{"ids":["ada"],"size":1023,"scale":3}'
            yield f"POST /v1/avatars HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n{body}"
        else:
            size = options.side if options.same else options.side - number % 549
            yield f"GET /avatar/{mail}?s={size} HTTP/1.1\r\nHost: localhost\r\n\r\n"


def attack(service, options):
    while b'"ready"' not in service.get("/readyz") and not service.get("/readyz").startswith(b"HTTP/1.1 200"):
        time.sleep(0.05)
    before, peak, pending, over = service.memory(), [0], [0.0], threading.Event()

    def watch():
        while not over.is_set():
            peak[0] = max(peak[0], service.memory())
            over.wait(0.05)

    watcher = threading.Thread(target=watch)
    watcher.start()
    clients = [service.connect(request) for request in requests(options)]
    # Until every request has a response, or the first bytes of one.
    waiting, answers = set(clients), {}
    while waiting and service.process.poll() is None:
        for client in list(waiting):
            client.setblocking(False)
            try:
                start = client.recv(16, socket.MSG_PEEK)
            except BlockingIOError:
                continue
            except OSError:
                start = b""
            if len(start) >= 12 or not start:
                waiting.discard(client)
                answers[start[9:12].decode() or "closed"] = answers.get(start[9:12].decode() or "closed", 0) + 1
        time.sleep(0.1)
    failures = []
    if service.process.poll() is None:
        pending[0] = service.metric("tondo_output_bytes") / (1 << 20)
        refused = service.metric("tondo_output_refused_total")
        if not service.get("/healthz").startswith(b"HTTP/1.1 200"):
            failures.append("the service does not answer others")
        print(f"{len(clients)} connections: {answers}, {pending[0]:.0f} MB of responses, {refused:.0f} refused")
        print("threads and processes:", len(os.listdir(f"/proc/{service.process.pid}/task")) + len(service.processes()) - 1)
    over.set()
    watcher.join()
    print(f"memory: {before} MB before, {peak[0]} MB at most")
    if peak[0] > options.most_mb:
        failures.append(f"{peak[0]} MB of memory, more than {options.most_mb}")
    if answers.get("200", 0) == 0:
        failures.append("no request was answered")
    return failures


main()
