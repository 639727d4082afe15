"""Starts servers, ends them again, and looks at them from outside: memory, processor time, descriptors."""
import collections
import contextlib
import json
import os
import resource
import signal
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TONDO = ROOT / ".build/release/tondo"
SAMPLES = ROOT / "assets/samples"
CORES = sorted(os.sched_getaffinity(0))
# Servers have one core, clients another; with a single core nothing can be kept apart.
SERVER, CLIENT = ({CORES[0]}, {CORES[1]}) if len(CORES) > 1 else (set(CORES), set(CORES))


def keep_clients_apart():
    """To be called first. A signal that ends this program also ends its servers and removes its folders."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    os.sched_setaffinity(0, CLIENT)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Process:
    """One server, and whatever processes it starts."""

    def __init__(self, command, cores=SERVER, **options):
        self.child = subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL, start_new_session=True,
                                      preexec_fn=lambda: os.sched_setaffinity(0, cores), **options)
        self.pid = self.child.pid

    def end(self, patience=20, by=signal.SIGTERM):
        """Its exit status; None when it had to be killed."""
        status = self.child.poll()
        if status is None:
            self.child.send_signal(by)
            with contextlib.suppress(subprocess.TimeoutExpired):
                status = self.child.wait(patience)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self.child.wait()
        if self.child.stdout:
            self.child.stdout.close()
        return status

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def rss(self):
        """MB in memory."""
        with open(f"/proc/{self.pid}/smaps_rollup") as lines:
            return next(int(line.split()[1]) for line in lines if line.startswith("Rss:")) / 1024

    def anonymous(self):
        """MB that belong to no file."""
        with open(f"/proc/{self.pid}/smaps_rollup") as lines:
            return next(int(line.split()[1]) for line in lines if line.startswith("Anonymous:")) / 1024

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def open_files(self):
        """What the descriptors lead to, sockets and the like without their numbers, each with how often."""
        folder, found = f"/proc/{self.pid}/fd", collections.Counter()
        for name in os.listdir(folder):
            with contextlib.suppress(OSError):
                found[os.readlink(f"{folder}/{name}").split(":[")[0]] += 1
        return found

    def cpu(self):
        """Seconds all its threads have run, those that ended included: clock_getcpuclockid(3) of the process."""
        return time.clock_gettime(~self.pid << 3 | 2)


class Tondo(Process):
    """`tondo serve` on a free port. Its home is a folder of its own, so that no user's settings or trash take part."""

    def __init__(self, book, folder, cache="cache", cores=SERVER, options=(), log=None, tondo=None, settings=None, within=()):
        """`settings`: a file that names the books, instead of `book`. `within`: a command that runs the service in bounds."""
        folder.mkdir(exist_ok=True)
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "TONDO_"))}
        self.log = log or folder / "log"
        self.started = time.perf_counter()
        with open(self.log, "ab") as errors:
            super().__init__(
                [*within, tondo or TONDO, "serve", *([] if settings else [book]), "--config", settings or "/dev/null",
                 "--cache-dir", folder / cache, "--listen",
                 "127.0.0.1:0", "--json", *options],
                cores, stdout=subprocess.PIPE, stderr=errors, env=environment | {"HOME": str(folder)})
        line = self.child.stdout.readline()
        if not line:
            status = self.end()
            raise SystemExit(f"tondo serve ended with {status}: {Path(self.log).read_text()}")
        self.listening = time.perf_counter()
        self.port = int(json.loads(line)["addresses"][0].rstrip("/").rsplit(":", 1)[1])

    def get(self, path, timeout=30):
        """Status, fields in lower case, and body."""
        return get(self.port, path, timeout)

    def ask(self, path):
        return json.loads(self.get(path)[2])

    def wait_until_loaded(self, patience=300):
        """Until every face is there and nothing is drawn any more."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            ready = self.ask("/readyz")
            if ready.get("ready") and all(book["loaded"] for book in ready["books"]):
                jobs = self.ask("/v1/jobs")
                if not jobs["queued"] and not jobs["running"]:
                    return
            time.sleep(0.1)
        raise SystemExit(f"the book is not loaded after minutes: {ready} {self.ask('/v1/jobs')}")

    def drawn(self):
        jobs = self.ask("/v1/jobs")
        return jobs["done"] + jobs["failed"] + jobs["timedOut"]


def get(port, path, timeout=30, fields=""):
    with socket.create_connection(("127.0.0.1", port), timeout) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n{fields}\r\n".encode())
        data = bytearray()
        while part := connection.recv(1 << 16):
            data += part
    head, _, body = bytes(data).partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    pairs = (line.partition(": ") for line in lines[1:])
    return int(lines[0].split()[1]), {name.lower(): value for name, _, value in pairs}, body


def spread(values, digits=1):
    values = list(values)
    return f"{statistics.median(values):,.{digits}f} ({min(values):,.{digits}f}..{max(values):,.{digits}f})"


class Report:
    def __init__(self):
        self.rows = []

    def add(self, what, target, measured, met=True):
        self.rows.append({"what": what, "target": target, "measured": measured, "met": met})
        print(f"{'  ' if met else '! '}{what}: {measured}  (target {target})", flush=True)
