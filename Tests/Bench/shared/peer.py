#!/usr/bin/env python3
"""The rate of shared hits: avatars that another instance has drawn, and that a service takes from Redis, against thumbor with its
results in Redis (tc_redis). Both ask the same Redis, Tondo over its Unix socket, as documented, and tc_redis, which cannot, over
loopback (--tcp: both). Both run on one core; Redis and the client have the other.

usage: peer.py [--quick] [--tcp] [--connections N] [--tondo PROGRAM]

Ends with a reason and status 0 where thumbor, tc_redis or redis-server is missing. A missed target is no failure: the last line
lists it, and the status is 0.
"""
import argparse
import importlib.util
import selectors
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
# This folder's own names must not hide modules.
sys.path = [str(HERE.parent / "serve"), str(HERE.parents[1] / "Cluster")] + [path for path in sys.path if Path(path) != HERE]

import peers  # noqa: E402
from book import Book  # noqa: E402
from service import CLIENT, SAMPLES, TONDO, Process, Tondo, free_port, get, keep_clients_apart  # noqa: E402

CONTACTS = 200
TARGET = 10
THUMBOR = """LOADER = 'thumbor.loaders.file_loader'
FILE_LOADER_ROOT_PATH = '{photos}'
STORAGE = 'thumbor.storages.no_storage'
RESULT_STORAGE = 'tc_redis.result_storages.redis_result_storage'
REDIS_RESULT_STORAGE_SERVER_HOST = '127.0.0.1'
REDIS_RESULT_STORAGE_SERVER_PORT = {port}
REDIS_RESULT_STORAGE_SERVER_DB = 1
REDIS_RESULT_STORAGE_SERVER_PASSWORD = None
REDIS_RESULT_STORAGE_MODE = 'single_node'
REDIS_RESULT_STORAGE_IGNORE_ERRORS = False
RESULT_STORAGE_EXPIRATION_SECONDS = 0
RESULT_STORAGE_STORES_UNSAFE = True
ALLOW_UNSAFE_URL = True
"""


def obstacle(tondo):
    for program in ("redis-server", "redis-cli"):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    missing = [name for name, is_there in (("thumbor", peers.find("thumbor")), ("tc_redis", importlib.util.find_spec("tc_redis")))
               if not is_there]
    if missing:
        return f"{' and '.join(missing)} not installed for {sys.executable}: pip install -r Tests/Bench/requirements.txt"
    return None if Path(tondo).exists() else f"{tondo} is not built"


class Connection:
    """One request at a time. Spends little: the client has a core with Redis."""
    room = memoryview(bytearray(1 << 18))

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer, self.missing = b"", None

    def ask(self, path):
        self.buffer, self.missing = b"", None
        self.socket.sendall(b"GET " + path.encode() + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")

    def read(self):
        """Whether the response is complete."""
        count = self.socket.recv_into(self.room)
        if not count:
            raise SystemExit("a server closed its connection")
        if self.missing is None:
            self.buffer += self.room[:count]
            end = self.buffer.find(b"\r\n\r\n")
            if end < 0:
                return False
            head = self.buffer[:end].lower()
            if not head.startswith(b"http/1.1 200"):
                raise SystemExit(f"{head[:200]!r} {self.buffer[end:end + 200]!r}")
            size = int(head[head.index(b"content-length:") + 15:].split(b"\r\n", 1)[0])
            self.missing = size - (len(self.buffer) - end - 4)
        else:
            self.missing -= count
        return self.missing == 0


def rate(port, paths, connections):
    """Requests a second, each path once."""
    chooser, rest, open_ones = selectors.DefaultSelector(), iter(paths), 0
    start = time.monotonic()
    for path in [next(rest) for _ in range(connections)]:
        connection = Connection(port)
        connection.ask(path)
        chooser.register(connection.socket, selectors.EVENT_READ, connection)
        open_ones += 1
    while open_ones:
        for key, _ in chooser.select():
            if not key.data.read():
                continue
            path = next(rest, None)
            if path:
                key.data.ask(path)
            else:
                chooser.unregister(key.fileobj)
                open_ones -= 1
    return len(paths) / (time.monotonic() - start)


def tondo(program, folder, book, redis, name):
    service = Tondo(book.folder, folder / "home", folder / name, options=["--shared-avatars", redis, "--jobs", 1],
                    tondo=program)
    service.wait_until_loaded()
    return service


def thumbor(folder, book, redis):
    (folder / "thumbor.conf").write_text(THUMBOR.format(photos=book.folder / "photos", port=redis))
    port = free_port()
    with open(folder / "thumbor.log", "wb") as log:
        process = Process([peers.find("thumbor"), "-p", port, "-i", "127.0.0.1", "-c", folder / "thumbor.conf", "-l", "error"],
                          stdout=log, stderr=log)
    for _ in range(200):
        try:
            get(port, "/healthcheck")
            return process, port
        except OSError:
            time.sleep(0.1)
    raise SystemExit("thumbor does not start")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--tondo", default=str(TONDO))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--tcp", action="store_true", help="Tondo asks Redis over loopback, too")
    # More than one page opens, as behind a proxy; a service that waits for Redis needs them to be busy.
    parser.add_argument("--connections", type=int, default=32, help="requests at a time (default: %(default)s)")
    options = parser.parse_args()
    connections = options.connections
    reason = obstacle(options.tondo)
    if reason:
        print(f"shared hits: did not run: {reason}")
        return
    keep_clients_apart()
    sizes, rounds = (range(92, 100), 2) if options.quick else (range(84, 108), 5)
    # In memory, as for the other benchmarks: a hit is kept in the folder, and no disk is to be measured.
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(prefix="tondo-shared-peer-", dir=memory) as name:
        folder, redis = Path(name), free_port()
        address = f"tcp:127.0.0.1:{redis}" if options.tcp else f"unix:{folder}/redis.sock"
        book = Book(folder / "book", CONTACTS, SAMPLES / "ada.jpg")
        ours = [f"/v1/contacts/c{contact}/avatar?size={size}&scale=1" for size in sizes for contact in range(CONTACTS)]
        theirs = [f"/unsafe/{size}x{size}/filters:round_corner({size // 2},255,255,255,1):format(png)/{contact}.jpg"
                  for size in sizes[:2] for contact in range(CONTACTS)]
        with Process(["redis-server", "--port", redis, "--bind", "127.0.0.1", "--unixsocket", folder / "redis.sock", "--save", "", "--appendonly", "no", "--dir", folder,
                      "--loglevel", "warning"], cores=CLIENT, stdout=subprocess.DEVNULL):
            time.sleep(0.5)
            with tondo(options.tondo, folder, book, address, "first") as first:
                drawing = rate(first.port, ours, connections)
            peer, peer_port = thumbor(folder, book, redis)
            with peer:
                rate(peer_port, theirs, connections)
                rates, costs, clients = [], [], []
                for number in range(rounds):
                    with tondo(options.tondo, folder, book, address, f"cache-{number}") as service:
                        before = service.ask("/readyz")["shared"]["hits"]
                        start = service.cpu(), peer.cpu()
                        begin = time.process_time()
                        rates.append((rate(service.port, ours, connections), rate(peer_port, theirs, connections)))
                        clients.append((time.process_time() - begin) / (len(ours) + len(theirs)))
                        costs.append(((service.cpu() - start[0]) / len(ours), (peer.cpu() - start[1]) / len(theirs)))
                        hits = service.ask("/readyz")["shared"]["hits"] - before
                    if hits < len(ours):
                        raise SystemExit(f"{hits} of {len(ours)} requests were shared hits")
    ratio = statistics.median(one / other for one, other in rates)
    texts = [f"{statistics.median(values):,.0f} ({min(values):,.0f}..{max(values):,.0f})" for values in zip(*rates)]
    used = [1_000 * statistics.median(values) for values in zip(*costs)]
    print(f"shared hits a second, one core, {connections} connections, medians of {rounds} rounds: tondo {texts[0]}, thumbor {texts[1]}; ratio {ratio:.1f}, target "
          f"{TARGET}: {'met' if ratio >= TARGET else 'MISSED'}; ms of processor time a hit: tondo {used[0]:.2f}, thumbor {used[1]:.2f}; "
          f"of the client {1_000 * statistics.median(clients):.2f}; tondo drawing them: {drawing:,.0f} a second")
    missed = [] if ratio >= TARGET else [f"{ratio:.1f} times the rate of thumbor, target {TARGET}"]
    print("shared hits: missed targets: " + ("; ".join(missed) or "none"))


main()
